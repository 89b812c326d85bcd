"""What follows if who is up passes: what happens, who is next, whether the round ends."""

from collections.abc import Iterator

from discord.utils import escape_markdown

import engine
from bot.chat.press import must_be_up
from bot.chat.screen import Screen
from bot.core.passing import IfPassed
from bot.core.position import Scene
from bot.core.secrecy import cash_hidden
from bot.rooms.learning.rules import add_rules
from bot.rooms.turn.controls import add_controls
from bot.rooms.turn.screen import task
from bot.words.labels import drops_out
from bot.words.lexicon import Lexicon, listed
from bot.words.narration import ending, narrate
from engine.actions import Pass
from engine.facts import GameEnded
from engine.ids import PlayerId
from engine.title import Title


async def what_if_screen(scene: Scene, seat: PlayerId) -> Screen:
    """For the seat that is asked. Raises NotYourTurn for the others, and Refused if it cannot pass."""
    position = scene.position
    must_be_up(scene, seat)
    first, *then = await position.prospects(seat)
    names = position.lexicon()
    way = ("drop out", "drops out") if drops_out(position.labels(seat), Pass(seat)) else ("pass", "passes")
    lines = [f"### If you {way[0]}", *told(position.title, first, seat, names)]
    for prospect in then:
        lines += [f"\n### If {_all(prospect, names, *way)}, too", *told(position.title, prospect, seat, names)]
    if cash_hidden(position):
        lines.append("-# What the others have is secret, so this assumes that they can act.")
    screen = Screen("\n".join(lines), game=scene.id, seq=position.seq)
    add_controls(screen, [Pass(seat)], position.labels(seat))
    rules = (position.title.event_rule(fact) for prospect in (first, *then) for fact in prospect.facts)
    add_rules(screen, rules, "The rules of this…")
    return screen


def told(title: Title, prospect: IfPassed, seat: PlayerId, names: Lexicon) -> list[str]:
    """What happens, and who is next, a line each."""
    happens = [fact for fact in prospect.facts if not isinstance(fact, GameEnded)]  # the scores may be secret yet
    over = prospect.state.over
    after = [ending(over, names)] if over else _next(title, prospect, seat, names)
    return [f"- {line}" for line in (*narrate(happens, names), *after)]


def _next(title: Title, prospect: IfPassed, seat: PlayerId, names: Lexicon) -> Iterator[str]:
    state = prospect.state
    if prospect.company is not None:
        president = state.president_of(prospect.company)
        whose = f" for {names.player(president)}" if president is not None else ""
        yield f"Then **{prospect.company}** operates{whose}."
        if prospect.of_players:
            yield f"The priority deal is {_whose(state.priority, seat, names)}."
        return
    asked = engine.decision(title, state)
    what = task(asked.step, names)
    if seat not in asked.players:
        yield f"Then it is {listed(names.player(one) for one in asked.players)}'s turn to {what}."
    elif asked.subject is None:
        yield f"It is your turn again: {what}."
    else:
        yield f"You go on: {what}."


def _whose(holder: PlayerId, seat: PlayerId, names: Lexicon) -> str:
    return "yours" if holder == seat else f"{names.player(holder)}'s"


def _all(prospect: IfPassed, names: Lexicon, pass_: str, passes: str) -> str:
    who = [escape_markdown(names.plain_player(one)) for one in prospect.others]
    return f"{listed(who)} {passes if len(who) == 1 else pass_}"
