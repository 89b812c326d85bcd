"""1860: phases, the Southern Railway, British Rail, and every way the game ends."""

from __future__ import annotations

import pytest
from tables import Table, allows, keep, refuses, table
from tables_1860 import OPEN, holding, run, without_director

from engine import BANK, CLOSED, POOL, State, Title, decision, scores, worth
from engine.actions import BuyTrain, Dividend, Pass, SellShares
from engine.facts import Announced
from engine.titles.t1860.companies import british, has, southern_over
from engine.titles.t1860.operating import bank_broken, begin, lowest_payers
from engine.titles.t1860.own import own
from engine.titles.t1860.routing import terms
from engine.titles.t1860.stock import nationalise_if_due

I3_J4 = ("I3.0", 5, "J4.0")
I3_J6 = ("I3.0", 5, "J4.0", 0, "J6.0")


def iow(step: str = "trains", *trains: str, phase: str = "2", then: tuple[str, ...] = ()) -> Table:
    """IOW with track from Ryde Esplanade (I3) to Brading (J6) and much money."""
    laid = table("1860", 3, *OPEN).operating("IOW", step, then=then).par("IOW", 74).trains("IOW", *trains).phase(phase)
    return laid.tile("J4", "6", 0).tile("J6", "746", 0)


def bought(rank: str, price: int, phase: str, held: tuple[str, ...]) -> tuple[Title, State, State]:
    """IOW buys the first train of a rank from the bank; others hold trains too. Title, before and after."""
    t, s = iow("trains", phase=phase).par("FYN", 62).shares("FYN", p2=5).trains("FYN", *held).build()
    s.cash["IOW"] = 2000
    s.depot = {name: (0 if train.price < price else train.count) for name, train in t.trains.items() if train.count}
    return t, s, allows(t, s, BuyTrain("p1", "IOW", rank, BANK, price))


@pytest.mark.rule("1860-PHS-03", "1860-PHS-05", "1860-PHS-06", "1860-PHS-07", "1860-PHS-01")
@pytest.mark.parametrize(
    ("rank", "price", "phase", "rusts"),
    [("4+2", 350, "3", "2+1"), ("6+3", 500, "5", "3+2"), ("7+4", 600, "6", "4+2"), ("8+4", 700, "7", "5+3")],
)
def test_first_trains_rust_others_at_once(rank: str, price: int, phase: str, rusts: str) -> None:
    t, _, after = bought(rank, price, phase, (rusts, rusts))
    assert after.trains["FYN"] == ()
    assert t.phase(after).starts_on == rank
    assert not after.pending, "nobody returns trains out of turn"


@pytest.mark.rule("1860-PHS-05", "1860-PHS-07", "1860-MKT-11")
def test_events_of_phases_six_and_eight() -> None:
    _, _, after = bought("6+3", 500, "5", ())
    assert after.owner["FFC"] == BANK
    t, _, after = bought("8+4", 700, "7", ())
    assert t.policy.holdings.cert_limit(t, after) > 100
    after.round, after.step, after.up, after.operating = "SR", "shares", "p1", None
    after.operated = frozenset({"IOW"})
    place = after.cell["IOW"]
    assert allows(t, after, SellShares("p1", "IOW", 2)).cell["IOW"] == place


@pytest.mark.rule("1860-PHS-08", "1860-PHS-09")
def test_the_first_9_5_forms_southern_and_building_goes_on_in_the_set() -> None:
    t, _, after = bought("9+5", 800, "8", ())
    assert own(after).southern == "formed"
    assert not southern_over(after)
    t.rounds["SR"].begin(t, after)
    assert southern_over(after)


@pytest.mark.rule("1860-END-07", "1860-END-08", "1860-END-09", "1860-END-10", "1860-END-04")
def test_british_rail_forms_once_every_directed_company_has_a_train() -> None:
    t, s = iow("trains", "9+5", phase="9").par("FYN", 62).shares("FYN", p2=2).build()
    keep(s, southern="formed")
    nationalise_if_due(t, s)
    assert not british(s), "FYN has a director, though it has not floated"
    s.president["FYN"] = POOL
    nationalise_if_due(t, s)
    assert british(s)
    t, s = iow("trains", "9+5").build()
    nationalise_if_due(t, s)
    assert not british(s), "not before Southern"


@pytest.mark.rule("1860-PHS-11", "1860-TRK-18", "1860-TOK-07", "1860-REV-04")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_british_rail_in_the_set_of_the_first_9_5_ends_building(options: tuple[str, ...]) -> None:
    laid = table("1860", 3, *options).operating("IOW", "trains").par("IOW", 74).trains("IOW", "8+4").phase("8")
    t, s = laid.tile("J4", "6", 0).tile("J6", "746", 0).cash(IOW=2000).rounds(5, 1, 3).build()
    s.depot["8+4"] = 0
    after = allows(t, s, BuyTrain("p1", "IOW", "9+5", BANK, 800))
    while decision(t, after).step == "trains":
        after = allows(t, after, Pass("p1"))
    assert (after.round, after.or_number, british(after)) == ("OR", 2, True)
    assert southern_over(after) is not bool(options), "18xx.games waits for a stock round, which never comes"
    assert terms(t, after, "IOW", "9+5").halts is bool(options)
    assert (decision(t, after).step == "track") is bool(options)
    assert (Announced("southern over") in after.facts) is not bool(options)


def nationalised(**paid: int) -> tuple[Title, State]:
    """British Rail has formed; IOW is at its dividend, the last of the round."""
    t, s = iow("run", "9+5", phase="9").par("FYN", 62).shares("FYN", p2=5).par("C&N", 74).shares("C&N", p3=5).build()
    keep(s, southern="over", british=True, paid=paid)
    return t, s


@pytest.mark.rule("1860-END-11", "1860-END-12", "1860-END-14")
def test_after_british_rail_only_operating_rounds_with_forced_dividends() -> None:
    t, s = nationalised(**{"C&N": 300, "FYN": 400})
    refuses(t, s, run(("9+5", I3_J4)), "1860-END-14")
    cash = s.cash["p1"]
    s.or_number = s.or_count = 3
    s.cash["IOW"] = 0
    after = allows(t, s, run(("9+5", I3_J6)))
    assert after.cash["p1"] == cash + 30
    assert (after.round, after.or_number) == ("OR", 4)
    assert has(after, "closed", "IOW")
    after.cash[BANK] = -1
    assert not bank_broken(after)


@pytest.mark.rule("1860-END-15")
def test_after_british_rail_receivership_pays_nothing_and_falls() -> None:
    t, s = iow("trains", "9+5", phase="9", then=("C&N",)).par("C&N", 74).trains("C&N", "9+5").tile("F2", "787").build()
    keep(s, southern="over", british=True, paid={})
    s.president["C&N"] = POOL
    s.shares["C&N"] = {"ipo": 5, "p1": 1, POOL: 4}
    s.cash["IOW"] = 800
    before, place = s.cash["p1"], s.cell["C&N"][1]
    after = allows(t, s, Pass("p1"))
    assert after.cash["p1"] == before
    assert after.cell["C&N"][1] == place - 2


@pytest.mark.rule("1860-END-17", "1860-END-19")
def test_the_lowest_payers_close() -> None:
    def closing(*paid: int) -> int:
        return len(lowest_payers({f"{number}": value for number, value in enumerate(paid)}))

    assert closing(0, 0, 0, 50) == 3
    assert closing(40, 50, 50, 90) == 3
    assert closing(40, 50, 60, 90) == 2
    assert closing(40, 50) == 2
    assert closing(40) == 1


@pytest.mark.rule("1860-END-18", "1860-END-19", "1860-END-04")
def test_closed_companies_keep_price_and_never_operate_again_until_all_are_closed() -> None:
    t, s = iow("run", "9+5", phase="9").par("FYN", 62).shares("FYN", p2=5).build()
    keep(s, southern="over", british=True, paid={}, closed=("FYN",))
    begin(t, s)
    assert s.queue == ("IOW",)
    assert worth(t, s, "p2") - s.cash["p2"] == 5 * 31
    s.operating, s.queue, s.step, s.cash["IOW"] = "IOW", (), "run", 0
    after = allows(t, s, run(("9+5", I3_J6)))
    assert after.over == "nationalisation"


@pytest.mark.rule("1860-END-02", "1860-END-03")
def test_an_empty_bank_ends_the_game_after_the_present_round() -> None:
    t, s = iow("dividend", "9+5", then=()).build()
    s.cash[BANK], s.income, s.or_count = 0, 100, 3
    keep(s, ran=True)
    s.cash["IOW"] = 0
    after = allows(t, s, Dividend("p1", "IOW", "pay"))
    assert after.broken
    assert after.over == "bank", "not the whole set"
    t, s = table("1860", 3).par("IOW", 74).trains("IOW", "2+1").bank(10).build()
    after = allows(t, s, SellShares("p1", "IOW", 1))
    assert after.broken
    assert not after.over
    s.cash[BANK] = 0
    assert not bank_broken(s), "empty means more than all of it"


@pytest.mark.rule("1860-END-02")
def test_the_bank_emptied_by_privates_ends_a_round_in_which_nobody_is_asked() -> None:
    t, s = holding(74, *OPEN, p1=5).private(RPSC="p1").tile("J4", "6").phase("3").cash(p2=0, p3=0).build()
    without_director(s)
    s.cash["p1"], s.cash[BANK], s.passes = 9980, 20, 2
    after = allows(t, s, Pass("p1"))
    assert after.cash["p1"] == 10_010
    assert after.broken
    assert (after.over, after.turn, after.or_number) == ("bank", 2, 1), "not the next set's first round"


@pytest.mark.rule("1860-END-05", "1860-END-06")
def test_final_worth() -> None:
    place = (0, 19)
    t, s = table("1860", 3).par("IOW", 74, place).shares("IOW", p1=2).private(YHC="p1", CMH=CLOSED).cash(p1=100).build()
    s.cash["IOW"] = 700
    assert worth(t, s, "p1") == 100 + 2 * 35 + 50
    s.trains["IOW"] = ("2+1",)
    assert worth(t, s, "p1") == 100 + 2 * 71 + 50
    assert scores(t, s)[0][1] >= scores(t, s)[-1][1]
