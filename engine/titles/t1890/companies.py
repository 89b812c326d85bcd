"""What all companies of 1890 have in common: phases by name, tokens that come back, closing, order of operation."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.depot import bank_trains
from engine.facts import CompanyChanged, TokenGone
from engine.flow import break_bank
from engine.ids import BANK, IPO, CorpId, HexId, PrivateId
from engine.market import in_order, zone
from engine.money import pay
from engine.state import CLOSED, TURN_OVER, State
from engine.steps.privates import close
from engine.title import Title
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import CLOSING, JR, KINKI
from engine.titles.t1890.ways import ways

_ORDER = ("1", "1½", "2", "2½", "3", "4", "5", "6")
RETURNED = 100
"""What a token that came back costs when it is placed again. {1890-PRV-16}"""


def reached(t: Title, s: State, phase: str) -> bool:
    """Whether the phase of this name, or a later one, has begun."""
    return _ORDER.index(t.phase(s).name) >= _ORDER.index(phase)


def is_public(t: Title, corp: CorpId) -> bool:
    """Whether the company has shares: it is no minor and not Kobe Rapid."""
    return t.corporations[corp].certificate is None


def is_minor(t: Title, corp: CorpId) -> bool:
    """Whether the company is a minor."""
    return t.kind(corp) == "minor"


def has_closed(s: State, corp: CorpId) -> bool:
    """Whether the company is gone for good."""
    return corp in own(s).closed


def status(t: Title, s: State, corp: CorpId) -> tuple[str, ...]:
    """For people: what is unusual about the company."""
    if t.kind(corp) == "late":
        return ("closed",) if s.owner[PrivateId(corp)] == CLOSED else ("a late private",)
    if not has_closed(s, corp):
        ready = corp not in s.floated or may_operate(t, s, corp)
        return () if ready else (f"needs {10 * _needed(t, s, corp)} % sold",)
    return ("a late private",) if PrivateId(corp) in own(s).uncounted else ("closed",)


# Tokens


def take_up(s: State, corp: CorpId, hex_id: HexId) -> None:
    """Take the company's token off the hex; it goes nowhere."""
    index = next(index for here, index in s.board.token_stops(corp) if here == hex_id)
    s.board = s.board.with_token_changed(hex_id, index, corp, None)


def give_back_token(s: State, corp: CorpId, hex_id: HexId) -> None:
    """The company's token returns from the hex to its charter, to be placed again for 100."""
    take_up(s, corp, hex_id)
    priced = [cost for cost in s.tokens[corp] if cost]
    s.tokens[corp] = (*priced, RETURNED, *(cost for cost in s.tokens[corp] if not cost))


def waiting_homes(t: Title, s: State, hex_id: HexId, index: int) -> list[CorpId]:
    """Companies that keep a place in this city for a home token still to come. {1890-TOK-06}"""
    return [corp for corp, printed in _homes_to_come(t, s, hex_id) if s.board.printed_stop(hex_id, printed) == index]


def _homes_to_come(t: Title, s: State, hex_id: HexId) -> Iterator[tuple[CorpId, int]]:
    for corp, printed in t.homes.get(hex_id, ()):
        if not has_closed(s, corp) and 0 in s.tokens[corp] and not s.board.token_stops(corp):
            yield corp, printed
    late = [printed for (home, printed), _ in AUTOMATIC if home == hex_id]
    if late and not ways(t).scenario.forms_kinki and KINKI in t.corporations and not has_closed(s, KINKI):
        yield from ((KINKI, printed) for printed in late if not s.board.in_hex(hex_id, KINKI))


AUTOMATIC: tuple[tuple[tuple[HexId, int], str], ...] = (
    ((HexId("J15"), 0), "2"),
    ((HexId("H19"), 0), "3"),
    ((HexId("B17"), 2), "4"),
)
"""Where an ordinary Kinki gets free tokens beside its home, and from which phase on. {1890-VAR-11a}"""


# Order of operation


def operating_order(t: Title, s: State, corps: Iterable[CorpId]) -> list[CorpId]:
    """Minors by number, then the public companies by price; before all Kinki in its special turn.

    Companies that have sold too few shares to operate now are left out. {1890-OR-02, 1890-MKT-05, 1890-COR-10}
    """
    return [corp for corp in turn_order(t, s, corps) if is_minor(t, corp) or may_operate(t, s, corp)]


def turn_order(t: Title, s: State, corps: Iterable[CorpId]) -> list[CorpId]:
    """The order in which turns come, with those that will not operate if they have sold too few shares then."""
    given = set(corps)
    minors = [corp for corp in t.corporations if corp in given and is_minor(t, corp)]
    public = [corp for corp in in_order(t, s, (corp for corp in t.corporations if corp in given)) if is_public(t, corp)]
    order = minors + public
    if own(s).special_turn and KINKI in given:
        order.remove(KINKI)
        order.insert(0, KINKI)
    return order


def pass_over(t: Title, s: State) -> None:
    """Whose turn has come and who may not operate has no turn in this round, whatever train is on sale later.

    {1890-VAR-14}
    """
    coming = turn_order(t, s, s.queue)
    ready = operating_order(t, s, coming)[:1]
    s.queue = tuple(coming[coming.index(ready[0]) :] if ready else ())


def formed_by_minors(t: Title, corp: CorpId) -> bool:
    """Whether the company is a Kinki that minors form. {1890-COR-06, 1890-VAR-11}"""
    return corp == KINKI and ways(t).scenario.forms_kinki


def pays_as_it_sells(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company's treasury gets the money of its offering. {1890-VAR-14, 1890-VAR-14a, 1890-VAR-14b}"""
    return ways(t).incremental and corp in own(s).incremental


def may_operate(t: Title, s: State, corp: CorpId) -> bool:
    """Floated is enough, but for companies that float share by share. {1890-VAR-14, 1890-VAR-14c}"""
    if not pays_as_it_sells(t, s, corp) or corp in s.operated or formed_by_minors(t, corp):
        return True
    return 10 - s.held(corp, IPO) >= _needed(t, s, corp)


def _needed(t: Title, s: State, corp: CorpId) -> int:
    """How many shares such a company must have sold."""
    return 5 if corp == JR else _number_on_sale(t, s)


def _number_on_sale(t: Title, s: State) -> int:
    """The first number of the train that the bank sells now."""
    ranks = bank_trains(t, s)
    reach = t.trains[ranks[0]].reach if ranks else None
    return 10 if reach is None else min(reach, 10)


# Closing


def price_moved(t: Title, s: State, corp: CorpId) -> None:
    """A token that enters the closing area closes the company at once. {1890-MKT-06}"""
    if zone(t, s, corp).name == CLOSING and not has_closed(s, corp):
        close_company(t, s, corp)


def close_company(t: Title, s: State, corp: CorpId) -> None:
    """Shares become void, money goes to the bank, trains to the market, tokens off the map, privates with it.

    If it operates, its turn is over. {1890-COR-05, 1890-COR-21}
    """
    s.own = replace(own(s), closed=(*own(s).closed, corp))
    s.facts.append(CompanyChanged(corp, "closed", True))
    s.shares[corp] = {CLOSED: 10}
    s.president[corp] = CLOSED
    for private, owner in s.owner.items():
        if owner == corp:
            close(s, private)
    wind_up(t, s, corp)


def wind_up(t: Title, s: State, corp: CorpId) -> None:
    """Give all that the company has back to bank, market and map, and end its part in the order of play.

    What the bank could not pay before stays so, though money comes back now. {1890-END-02}
    """
    break_bank(t, s)
    pay(s, corp, BANK, s.cash[corp], "closed")
    s.train_pool += s.trains[corp]
    s.trains[corp] = ()
    leave(t, s, corp)


def leave(t: Title, s: State, corp: CorpId) -> None:
    """Take the company's tokens off the map and it out of the order of play; its turn, if it has one, is over."""
    if t.corporations[corp].tokens_of is None:
        for hex_id, _ in s.board.token_stops(corp):
            take_up(s, corp, hex_id)
            s.facts.append(TokenGone(corp, hex_id))
    s.tokens[corp] = t.corporations[corp].token_costs
    s.floated -= {corp}
    s.queue = tuple(other for other in s.queue if other != corp)
    s.pending = tuple(item for item in s.pending if item.subject != corp)
    if s.operating == corp:
        s.step = TURN_OVER


def counts_private(t: Title, s: State, private: PrivateId) -> bool:
    """Kobe Electric as a late private is no certificate. {1890-MIN-18}"""
    return private not in own(s).uncounted
