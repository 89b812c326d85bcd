"""What a player might expect to do now but cannot, each with the reason and its rule."""

import re
from collections.abc import Iterable

import engine
from bot.chat.press import must_be_up
from bot.chat.screen import Screen
from bot.core.errors import OVER, TableError
from bot.core.position import Position, Scene
from bot.rooms.learning.ledger import ID
from bot.rooms.learning.rules import add_rules
from bot.rooms.turn.controls import subject_of
from bot.rooms.turn.screen import asked_line
from bot.words.labels import CONTROLS, Labels
from bot.words.lexicon import YOU_IS, listed
from engine import Action, PlayerId, Refused
from engine import actions as a

NEVER = "There is no such move in this game."
NOTHING_MISSED = "Everything you would expect to be able to do now is on offer."
"""The rules speak to whoever moves."""
FEW = 2
"""How many sentences of one rule are said in full; of more, those that are alike share the first."""
NAMES_AND_FIGURES = re.compile(r"\S*[\dA-Z]\S*")


async def why_not_screen(scene: Scene, seat: PlayerId) -> Screen:
    """For the seat that is asked. Raises NotYourTurn for the others."""
    position = scene.position
    must_be_up(scene, seat)
    lines = await said_of(position, seat)
    text = "\n".join(["### Why not?", *(lines or [NOTHING_MISSED])])
    screen = Screen(text, game=scene.id, seq=position.seq)
    add_rules(screen, (found[0] for line in lines for found in ID.finditer(line)), "Open a rule…")
    return screen


async def said_of(position: Position, seat: PlayerId) -> list[str]:
    """A line of a list for each thing that the seat might expect to do and cannot, with the reason and its rule."""
    found = reasons(await position.actions(seat), await position.refusals(seat), position.labels(seat))
    names = position.lexicon()
    return found if not found or names.is_you(seat) else [*found, f"-# {YOU_IS.format(names.player(seat))}"]


async def misses(position: Position, seat: PlayerId | None) -> bool:
    """Whether there is anything that the seat might expect to do now and cannot; no where it is not asked."""
    return seat in position.up and bool(await said_of(position, seat))


async def nothing_of(position: Position, seat: str, kind: type[Action]) -> TableError | Refused:
    """Why the seat can do nothing of this kind now: what the rules object to, or what is asked instead, and of whom."""
    if position.over:
        return TableError(OVER)
    if kind not in {verb.action for verb in position.title.every_verb()}:
        return TableError(NEVER)
    labels = position.labels(seat)
    for one in await position.refusals(seat):
        if type(one.action) is kind and not _of_another(one.action, labels):
            return one
    if seat in position.up and kind in engine.present_step(position.title, position.state).by_action:
        return TableError(f"There is no way to {a.PHRASES[kind]} now.")
    who = "you" if seat in position.up else listed(position.lexicon().player(one) for one in position.up)
    asked = f"{position.table().round}: it is up to {who} to {asked_line(position)}."
    return TableError(f"You cannot {a.PHRASES[kind]} now. {asked}")


def reasons(legal: Iterable[Action], refusals: Iterable[Refused], labels: Labels) -> list[str]:
    """A line for each reason, in the order of the controls; what can be done in some other way is left out."""
    possible = {(type(one), _subject(one, labels)) for one in legal}
    first: dict[tuple[type[Action], str], Refused] = {}
    for one in refusals:
        about = type(one.action), _subject(one.action, labels)
        if about not in possible and not _of_another(one.action, labels):
            first.setdefault(about, one)
    unstarted = {subject for kind, subject in {*first, *possible} if kind is a.Par}
    by_rule: dict[tuple[type[Action], str], dict[str, list[str]]] = {}
    for (kind, subject), one in first.items():
        if kind is a.BuyShare and subject in unstarted:
            continue  # it has no shares to buy yet: starting it is what matters
        by_rule.setdefault((kind, one.rule), {}).setdefault(one.text, []).append(subject)
    order = list(CONTROLS)
    explained: dict[str, list[str]] = {}
    for (kind, rule), sentences in sorted(by_rule.items(), key=lambda item: order.index(item[0][0])):
        if kind is a.Par and (len(sentences) > 1 or any(one is a.Par for one, _ in possible)):
            sentences = {_naming(text, who): who for text, who in sentences.items()}
        for sentence in _said(sentences):
            explained.setdefault(f"{sentence} [{rule}]", []).append(f"**{a.PHRASES[kind].capitalize()}**")
    return [f"- {', '.join(kinds)}: {sentence}" for sentence, kinds in explained.items()]


def _naming(text: str, subjects: list[str]) -> str:
    """The sentence with whom it is about, unless it begins with that."""
    who = listed(subjects)
    return text if text.startswith(f"{who} ") else f"{text[:-1]} ({who})."


def _said(sentences: dict[str, list[str]]) -> list[str]:
    """The sentences, each with whom it is about where there are several; many that are alike share the first."""
    if len(sentences) <= FEW:
        return list(sentences)
    alike: dict[str, dict[str, list[str]]] = {}
    for text, subjects in sentences.items():
        alike.setdefault(NAMES_AND_FIGURES.sub("", text), {})[text] = subjects
    lines = []
    for (text, _), *others in (list(some.items()) for some in alike.values()):
        rest = dict.fromkeys(subject for _, subjects in others for subject in subjects)
        lines.append(f"{text} Likewise {listed(rest)}." if rest else text)
    return lines


def _of_another(action: Action, labels: Labels) -> bool:
    """Whether it is about a private that the player does not own: nobody expects to sell or exchange it."""
    if not isinstance(action, a.SellPrivate | a.ExchangePrivate | a.ClosePrivate):
        return False
    return labels.table.private(action.private).owner != action.by


def _subject(action: Action, labels: Labels) -> str:
    """What the action is about: a company, a private, a train, a place."""
    if isinstance(action, a.BuyTrain):
        seller = f" of {action.source}" if action.source in labels.names.companies else ""
        return f"the {action.rank}-train{seller}"
    if isinstance(action, a.PlaceToken):
        return labels.city(action.stop)
    if isinstance(action, a.DiscardTrain):
        return f"the {action.rank}-train"
    return subject_of(action)
