"""Which card a decision gets, and what every card says besides: what is special, and where the game stands."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import engine
from bot.rooms.turn.decision import company
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import nothing_to_buy, of_facts, opening_card, par_card, shares_card, train_clock
from engine import OR, Action, State, Title
from engine import actions as a
from renderer.card import Card, Detail

Maker = Callable[[Asked], Card]
CARDS: tuple[tuple[frozenset[type[Action]], Maker], ...] = (
    (frozenset({a.RunTrains}), company.run_card),
    (frozenset({a.Dividend}), company.dividend_card),
    (frozenset({a.BuyTrain, a.DiscardTrain}), company.trains_card),
    (frozenset({a.LayTile, a.LayPowerTile, a.PlaceToken}), company.building_card),
    (frozenset({a.BuyShare, a.SellShares}), shares_card),
    (frozenset({a.Bid, a.BidToChoose, a.BuyPrivate}), opening_card),
    (frozenset({a.Par}), lambda asked: par_card(asked, asked.candidates(a.Par)[0].corp)),
    (frozenset({a.CompanyBuysPrivate}), company.privates_card),
    (frozenset({a.ExchangePrivate}), company.exchange_card),
)
"""The first line with an action of the step says which card it gets, whatever the title calls the step."""
ON_THE_MAP = (company.run_card, company.building_card)
"""Cards that go with the map."""


def maker(t: Title, s: State) -> Maker | None:
    """What makes the card of the present step; None for a step without one."""
    kinds = set(engine.present_step(t, s).by_action)
    return next((make for some, make in CARDS if some & kinds), None)


def card_of(asked: Asked) -> Card | None:
    """The card of the present step with where the game stands; None for a step without one."""
    make = maker(asked.title, asked.state)
    if make is None:
        return None
    made = make(asked)
    clock = train_clock(asked) if make is shares_card else ()
    standing = _standing(asked, titled=make is shares_card)
    facts = () if make is opening_card else (*clock, *standing)  # the bank is full in an opening
    return replace(made, sections=(*made.sections, *of_facts(facts)), notes=notes_of(asked))


NOTES: Mapping[Maker, Callable[[Asked], Iterable[str]]] = {
    company.trains_card: company.train_notes,
    company.building_card: company.condition,
    company.run_card: company.run_notes,
    company.exchange_card: company.exchange_notes,
    shares_card: nothing_to_buy,
}


def notes_of(asked: Asked) -> tuple[str, ...]:
    """What the card of the present step tells before all else: what holds the player up, and what is special now."""
    make = maker(asked.title, asked.state)
    own = NOTES[make](asked) if make is not None and make in NOTES else ()
    tells = asked.title.policy.milestones.reminder
    reminder = "" if make is company.run_card else tells(asked.title, asked.state)  # the map needs the room
    return tuple(asked.names.addressed(one, asked.seat) for one in (*own, reminder) if one)


def _standing(asked: Asked, *, titled: bool) -> Iterator[Detail]:
    """The round, unless it is the title, how long the game is thought to go on, and what is left of the bank."""
    view, round_ = asked.view, asked.title.rounds[asked.state.round]
    if not titled:
        yield Detail(round_.called.lower(), round_.number(asked.title, asked.state))
    if round_.name == OR and asked.title.policy.milestones.last_round(asked.title, asked.state):
        yield Detail("the last one")
    elif round_.name == OR and asked.rounds == 1:
        yield Detail("perhaps the last one")
    elif asked.rounds:
        rounds = "" if round_.name == OR else f"operating round{'' if asked.rounds == 1 else 's'} "
        yield Detail(figure=f"about {asked.rounds}", behind=f"{rounds}to go")
    yield Detail("bank", view.bank_left, tone="alert" if view.bank_left == "broken" else "plain")
