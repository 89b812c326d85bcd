"""What becomes of a decision, wherever it was made: done, offered to whoever must agree, or asked about once more.

Buttons, forms, commands and the board all come through here, so nothing that needs somebody's agreement is done without
it. In a deal one makes an offer, and the other accepts or declines it with a button.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import engine
from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core.errors import NotYourTurn, TableError, UnknownControl
from bot.core.moves import Move
from bot.core.notices import OfferNotice, queued, say_notice
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.words.consequences import lost_power
from bot.words.labels import CONTROLS
from bot.words.lexicon import sentence
from engine import Action, PlayerId, a_rank, from_json, to_json
from engine.actions import BuyTrain, CompanyBuysPrivate, Dividend, EndGame, Pass, RunTrains, TradePrivate
from storage import Offer

NO_DEAL = "{} does not agree. Another price might do."
ANSWERED = {"accepted": "*Accepted.*", "declined": "*Declined.*"}
LAPSED = "*This offer has lapsed.*"
CLOSED = {"accepted": "This offer has already been accepted.", "declined": "This offer has already been declined."}
LEFT = "This offer has lapsed: the game has moved on, or a seat has changed hands. See the newest message."
MOST_OFFERS = 3
"""How many offers of one seat may wait for an answer."""


def needs_consent(table: Table, action: Action) -> PlayerId | None:
    """The seat that must agree to the action, if another person sits there."""
    other = engine.consent(table.title, table.position.state, action)
    if other is None or other not in table.seats:
        return None
    return other if table.seats[other].user_id != table.seats[action.by].user_id else None


async def make(table: Table, action: Action, to_seat: PlayerId, *, seen: int | None, interaction: int) -> Offer:
    """Judge the deal and store it as an offer. Raises Refused, BadAction, Outdated, or what `Offers.make` raises."""
    if not table.has_person(to_seat):
        raise TableError(f"{table.names[to_seat]} has left, so nobody can agree until somebody takes the seat.")
    position = table.position
    await must_be_possible(table, action, seen)
    body = json.dumps(to_json(action))
    answers = await position.work.do(table.orders.answer, table.title, position.state, to_seat, action)

    async def write() -> Offer:
        if answers is not None:
            at = table.orders.desk(to_seat).moves_at(table.store.clock())
            await table.store.orders.look_at(table.game.id, to_seat, at)
        return await table.store.offers.make(
            table.game.id,
            position.seq,
            body,
            from_seat=action.by,
            to_seat=to_seat,
            most=MOST_OFFERS,
            interaction_id=interaction,
            notices=[queued(OfferNotice(to_seat, body))],
        )

    return await table.store.together(write)


async def must_be_possible(table: Table, action: Action, seen: int | None) -> None:
    """Raise Outdated, Refused or BadAction unless the deal could be done now if the other agreed."""
    table.check_seen(seen)
    position = table.position
    refusal = await position.work.do(engine.judge, table.title, position.state, action)
    if refusal is not None:
        raise refusal


def turned_down(table: Table, action: Action, other: PlayerId) -> Screen:
    """What an opponent answers to a deal that it does not want, with a way to the next offer."""
    said = NO_DEAL.format(table.position.lexicon().player(other))
    again = Button("Make another offer…", codes.join("menu", type(action).__name__))
    return Screen(f"{described(table, action, public=False)}\n{said}").buttons(again)


def secret_price(table: Table, action: Action) -> bool:
    """Whether only the buyer and seller may know the price."""
    between = isinstance(action, BuyTrain) and action.source in table.title.corporations
    return between and not table.title.policy.secrecy.open_train_prices and not table.position.over


def described(table: Table, action: Action, *, public: bool = True) -> str:
    """The deal in a sentence, without who must answer; in `public` without a secret price."""
    names = table.position.lexicon()
    who = names.player(action.by)
    match action:
        case BuyTrain():
            hidden = public and secret_price(table, action)
            price = "at a price that only the two players know" if hidden else f"for **{names.money(action.price)}**"
            what = f"{a_rank(action.rank)}-train from **{action.source}**"
            return f"{who} wants **{action.corp}** to buy {what} {price}."
        case CompanyBuysPrivate() | TradePrivate():
            company = f" **{action.corp}**" if isinstance(action, CompanyBuysPrivate) else ""
            what = f"{names.private(action.private)} for **{names.money(action.price)}**"
            return f"{who} wants{company} to buy {what}."
    return f"{who} proposes: {table.position.labels().of(action)}."


def offer_screen(table: Table, offer: Offer) -> Screen:
    action = from_json(json.loads(offer.body))
    other = table.seats[offer.to_seat]
    screen = Screen(game=table.game.id, seq=offer.seq)
    screen.text = f"<@{other.user_id}>: {described(table, action)}"
    if isinstance(action, CompanyBuysPrivate):
        lost = lost_power(table.title, table.position.state, action.private)
        screen.text += f"\n{sentence(lost)}" if lost else ""
    screen.buttons(
        Button("Accept", codes.join("yes", offer.id), "success"),
        Button("Decline", codes.join("no", offer.id), "danger"),
    )
    if secret_price(table, action):
        screen.buttons(Button("See the price", codes.join("price", offer.id)))
    screen.footer = "The offer ends as soon as the game moves on."
    return screen


def waiting(table: Table, offer: Offer) -> str:
    return described(table, from_json(json.loads(offer.body)))


def declined(table: Table, offer: Offer, *, public: bool = True) -> str:
    text = described(table, from_json(json.loads(offer.body)), public=public)
    return f"{table.position.lexicon().player(offer.to_seat)} declines the offer: {text}"


def answered_screen(table: Table, offer: Offer) -> Screen:
    """What is left of an offer that is closed."""
    answer = ANSWERED.get(offer.status)
    return Screen(LAPSED if answer is None else f"{waiting(table, offer)}\n{answer}")


async def priced(table: Table, offer_id: int, *, user: int) -> str:
    """The offer with its price, for the buyer and seller. Raises NotYourTurn for others."""
    offer = await table.store.offers.get(offer_id)
    if offer.game != table.game.id or not {offer.from_seat, offer.to_seat} & set(table.seats_of(user)):
        raise NotYourTurn("Only the buyer and the seller may see the price.")
    return described(table, from_json(json.loads(offer.body)), public=False)


async def answer(table: Table, offer_id: int, *, user: int, accept: bool, interaction: int | None) -> str:
    """Accept or decline as `user`; return the offer's new text. Raises what `Table.submit` raises."""
    offer = await table.store.offers.get(offer_id)
    who = table.seats[offer.to_seat]
    if offer.game != table.game.id or not table.may_act(user, offer.to_seat):
        raise NotYourTurn(f"This offer is for {who.name} to answer.")
    if offer.status != "open":
        raise TableError(CLOSED.get(offer.status, LEFT))
    table.must_go_on()
    action = from_json(json.loads(offer.body))
    text = described(table, action)
    if not accept:
        maker = table.seats[offer.from_seat].user_id
        notice = say_notice(f"<@{maker}>: {declined(table, offer)}", [maker], by=user)
        await table.store.offers.decline(offer_id, interaction_id=interaction, notices=[notice, table.shown()])
        return f"{text}\n{ANSWERED['declined']}"
    await table.submit(action, user=user, seen=offer.seq, interaction=interaction, accept=offer_id)
    return f"{text}\n{ANSWERED['accepted']}"


Agrees = Callable[[Thought, Action], Awaitable[bool]]
"""Asks an opponent whether it agrees to a deal."""
ENDS = "The game only ends early if everybody agrees: use `/game end`."
_TOGETHER = (Pass, RunTrains, Dividend)
"""What may follow in one press: nobody else has to agree to any of it."""


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A decision of weight, which is asked about once more."""

    label: str
    warning: str
    """What is final about it."""
    follows: str
    """What it leads to, in a few words; may be empty."""


@dataclass(frozen=True, slots=True)
class Done:
    """It is stored, with these moves."""

    moves: tuple[Move, ...]
    label: str
    """What was chosen, if there is nothing to tell of the moves."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody was asked to agree."""

    to: PlayerId


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """An opponent does not agree."""

    by: PlayerId


Outcome = Done | AskedAgain | Offered | TurnedDown


async def asked_again(table: Table, action: Action, seen: int | None) -> AskedAgain | None:
    """Asks whether the action is meant; None where its first press counts. Raises what `Table.submit` does."""
    labels = table.position.labels(action.by)
    warning = labels.said(CONTROLS[type(action)].warning, action)
    if not warning:
        return None
    table.check_seen(seen)
    table.must_be_asked(action)
    follows = await table.position.outcome_of(action)  # first: it refuses what is typed and has no name
    return AskedAgain(labels.of(action), warning, follows)


@dataclass(frozen=True, slots=True)
class Submission:
    """Whose decision it is, and what of the game they saw when they made it."""

    user: int
    seen: int | None
    id: int
    """Of the interaction or the request, so that nothing is done twice."""
    sure: bool = False
    """Whether they have been asked whether they mean it."""


async def do(table: Table, *actions: Action, press: Submission, agrees: Agrees) -> Outcome:
    """Submit the actions of one press, or offer the deal to the other side of it.

    Raises what `Table.submit` does, and TableError.
    """
    action, *then = actions
    if isinstance(action, EndGame):
        raise TableError(ENDS)
    if type(action) not in CONTROLS or any(type(one) not in _TOGETHER or one.by != action.by for one in then):
        raise UnknownControl()
    if not table.may_act(press.user, action.by):
        table.must_go_on()
        mine = table.seats_of(press.user)
        raise NotYourTurn("That is not your decision to make.") if mine else table.not_seated(press.user)
    asked = None if press.sure else await asked_again(table, action, press.seen)
    if asked is not None:
        return asked
    other, before, seen = needs_consent(table, action), table.position, press.seen
    level = None if other is None else table.opponent(other)
    if other is not None and level is None:
        await make(table, action, other, seen=seen, interaction=press.id)
        return Offered(other)
    if other is not None and level is not None:
        await must_be_possible(table, action, seen)
        if not await agrees(table.asks(other, level), action):
            return TurnedDown(other)
        seen = before.seq
    await table.submit(*actions, user=press.user, seen=seen, interaction=press.id)
    moves = tuple(one for one in table.moves if one.seq > before.seq)
    return Done(moves, before.labels().of(action))
