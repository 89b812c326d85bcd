"""1890: the minors form Kinki, and what becomes of certificates, money, trains and tokens."""

from __future__ import annotations

import pytest
from tables import allows, facts, keep, play, refuses, stop, table, tokens_at
from tables_1890 import turn_over

from bot.words.lexicon import lexicon
from bot.words.narration import narrate
from cli.contract.sound import audit
from engine import CLOSED, POOL, State, Title, build, decision
from engine.actions import (
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    ExchangePrivate,
    Par,
    Pass,
    PlaceToken,
    SellShares,
)
from engine.facts import Floated, PresidentChanged, TurnBegan
from engine.ids import IPO, RESERVED
from engine.market import put
from engine.past import changed_hexes
from engine.titles.t1890.companies import has_closed
from engine.titles.t1890.own import own

OWNERS = {"M1": "p3", "M2": "p1", "M3": "p2", "M4": "p2"}


def before(
    phase: str = "2", up: str = "M1", begun: bool = False, kinki: dict[str, int] | None = None, **cash: int
) -> tuple[Title, State]:
    """The turn of a minor (or of Sanyo) is next; Kinki, par 80, waits to be formed. M2, M3 and Sanyo operate later."""
    amounts = {"M1": 75, "M2": 150, "M3": 60, "M4": 100, "Sanyo": 500} | cash
    found = table("1890", 3).phase(phase).par("Kinki", 80).par("Sanyo").shares("Sanyo", p1=6)
    found.shares("Kinki", {"reserved": 6} | (kinki or {}), president="reserved").private(**OWNERS).cash(**amounts)
    rest = tuple(corp for corp in ("M1", "M2", "M3", "M4", "Sanyo") if corp != up)
    t, s = found.operating(up, then=rest, begun=begun).rounds(3, 1, 2).build()
    s.floated -= {"Kinki"}
    return t, s


def formed(t: Title, s: State, *, kanan: bool = False) -> State:
    """Osaka Electric converts; Kanan's owner says whether it joins."""
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert decision(t, s).step == "join"
    return allows(t, s, ExchangePrivate("p3", "M1") if kanan else Pass("p3"))


@pytest.mark.rule("1890-MIN-11")
def test_with_the_formation_only_kanan_is_asked_to_join() -> None:
    t, s = before()
    s.owner["M4"] = "p3"
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    refuses(t, s, ExchangePrivate("p3", "M4"), "1890-MIN-11")
    assert allows(t, s, ExchangePrivate("p3", "M1")).owner["M1"] == CLOSED


@pytest.mark.rule("1890-COR-08")
def test_who_presides_over_kinki_is_told_when_it_forms() -> None:
    for kanan in (False, True):
        t, s = before()
        assert facts(formed(t, s, kanan=kanan), PresidentChanged) == [PresidentChanged("Kinki", "reserved", "p1")]
        t, s = before(kinki={"p3": 3})
        assert facts(formed(t, s, kanan=kanan), PresidentChanged) == [PresidentChanged("Kinki", "p1", "p3")]
    t, s = before()
    s.owner["M1"] = CLOSED
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert facts(s, PresidentChanged) == [PresidentChanged("Kinki", "reserved", "p1")]


@pytest.mark.rule("1890-COR-06", "1890-COR-07")
def test_kinki_keeps_six_tenths_back_and_sells_four_before_it_exists() -> None:
    t, s = table("1890", 3).opening().build()
    assert s.shares["Kinki"] == {IPO: 4, RESERVED: 6}
    t, s = before()
    s.round, s.step, s.operating, s.turn, s.up = "SR", "shares", None, 1, "p2"
    for _ in range(4):
        s = allows(t, s, BuyShare("p2", "Kinki", IPO))
        s.up, s.bought = "p2", False
    assert "Kinki" not in s.floated
    assert s.president["Kinki"] == RESERVED
    assert s.cash["Kinki"] == 0
    refuses(t, s, BuyShare("p2", "Kinki", IPO), "1890-SR-12")
    refuses(t, s, BuyShare("p2", "Kinki", RESERVED), "1890-SR-12")
    refuses(t, s, Par("p2", "Kinki", 0, 4), "1890-SR-19")
    s.turn = 2
    assert allows(t, s, SellShares("p2", "Kinki", 2)).held("Kinki", POOL) == 2


@pytest.mark.rule("1890-MIN-08")
def test_osaka_electric_may_convert_from_phase_2() -> None:
    t, s = before(phase="1½")
    refuses(t, s, ExchangePrivate("p1", "M2"), "1890-MIN-08")
    t, s = before(phase="2")
    assert own(formed(t, s)).formed


@pytest.mark.rule("1890-COR-08", "1890-COR-09", "1890-MIN-09", "1890-MIN-10")
def test_the_forming_brings_assets_certificates_and_four_times_par() -> None:
    """Par 80, Osaka Electric 150, Osaka Railway 60: 320 + 210 = 530."""
    t, s = before()
    s.trains["M2"], s.trains["M3"] = ("2",), ("2", "3")
    bank = s.cash["bank"]
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert s.cash["Kinki"] == 530
    assert s.cash["bank"] == bank - 320
    assert s.trains["Kinki"] == ("2", "2", "3")
    assert s.shares["Kinki"] == {IPO: 4, RESERVED: 3, "p1": 2, "p2": 1}
    assert s.president["Kinki"] == "p1"
    assert [(fact.corp, fact.capital) for fact in facts(s, Floated)] == [("Kinki", 320)]
    assert [s.owner[sym] for sym in ("M2", "M3")] == ["closed", "closed"]
    assert (s.cash["M2"], s.cash["M3"], s.trains["M2"], s.trains["M3"]) == (0, 0, (), ())


@pytest.mark.rule("1890-MIN-09", "1890-MIN-10", "1890-MIN-12")
def test_what_becomes_of_the_minors_is_told() -> None:
    t, s = before()
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    lines = narrate(s.facts, lexicon(s.names, t))
    assert "*M2 Osaka Electric Railroad becomes Kinki, which gets all that it has.*" in lines
    assert "*M3 Osaka Railway joins Kinki, which gets all that it has.*" in lines
    s = allows(t, s, ExchangePrivate("p3", "M1"))
    assert narrate(s.facts, lexicon(s.names, t))[0] == (
        "*M1 Kanan Railway joins Kinki, which gets its trains and half of its money.*"
    )


@pytest.mark.rule("1890-MIN-14")
def test_where_a_token_changes_hands_the_map_has_changed() -> None:
    t, s = before()
    after = allows(t, s, ExchangePrivate("p1", "M2"))
    assert (tokens_at(after, "H13"), changed_hexes(after.facts)) == (("Kinki",), ("H13",))
    after = allows(t, after, ExchangePrivate("p3", "M1"))
    assert (tokens_at(after, "J15"), changed_hexes(after.facts)) == (("Kinki",), ("J15",))


@pytest.mark.rule("1890-COR-08")
def test_the_largest_holder_is_president_after_the_exchanges() -> None:
    t, s = before(kinki={"p2": 2})
    assert formed(t, s).president["Kinki"] == "p2"  # three tenths against two
    t, s = before(kinki={"p2": 1})
    assert formed(t, s).president["Kinki"] == "p1"  # two each: it stays


@pytest.mark.rule("1890-COR-08", "1890-MIN-11")
@pytest.mark.parametrize(("kanan", "president"), [(True, "p1"), (False, "p2")])
def test_who_presides_is_settled_once_kanan_has_joined_or_not(kanan: bool, president: str) -> None:
    """Osaka Electric and Kanan bring their owner as many tenths as another has bought: the certificate stays."""
    t, s = before(kinki={"p2": 3})
    s.owner.update(M1="p1", M3="p3")
    s = play(t, s, ExchangePrivate("p1", "M2"), ExchangePrivate("p1", "M1") if kanan else Pass("p1"))
    assert s.president["Kinki"] == president
    assert decision(t, s).players == (president,)


@pytest.mark.rule("1890-COR-08", "1890-MIN-11")
def test_the_position_is_sound_while_kanan_is_asked_to_join() -> None:
    t, s = before(kinki={"p2": 3})
    asked = allows(t, s, ExchangePrivate("p1", "M2"))
    assert decision(t, asked).step == "join"
    audit(t, asked)
    audit(t, allows(t, asked, Pass("p3")))


@pytest.mark.rule("1890-MIN-06", "1890-MIN-06")
def test_kanan_joins_kinki_and_names_no_share() -> None:
    t, s = before()
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    refuses(t, s, ExchangePrivate("p3", "M1", "Hankyu", IPO), "1890-MIN-06")
    refuses(t, s, ExchangePrivate("p3", "M1", "Kinki"), "1890-MIN-06")


@pytest.mark.rule("1890-COR-08", "1890-MIN-07")
def test_who_presides_is_settled_after_a_kanan_that_must_join() -> None:
    """The first 3+3 and the first 4 in one turn."""
    t, s = before(phase="2½", up="Sanyo", begun=True, kinki={"p2": 3})
    s.owner.update(M1="p1", M3="p3")
    s.depot["3+3"], s.step, s.cash["Sanyo"], s.trains["Sanyo"] = 0, "trains", 900, ()
    s = turn_over(t, allows(t, s, BuyTrain("p1", "Sanyo", "4", "bank", 300)))
    assert (s.owner["M1"], s.operating, s.president["Kinki"]) == (CLOSED, "Kinki", "p1")


@pytest.mark.rule("1890-MIN-11", "1890-MIN-12")
def test_kanan_may_join_with_the_forming_for_half_its_money() -> None:
    """Of 75 Kinki gets 38, the owner 37."""
    t, s = before()
    s.trains["M1"] = ("2",)
    s = formed(t, s, kanan=True)
    assert (s.cash["Kinki"], s.cash["p3"]) == (530 + 38, 840 + 37)
    assert s.trains["Kinki"] == ("2",)
    assert s.held("Kinki", "p3") == 1
    assert s.owner["M1"] == "closed"


@pytest.mark.rule("1890-MIN-12")
@pytest.mark.parametrize(
    ("options", "told"),
    [((), True), (("hidden_cash",), False), (("hidden_cash", "open_treasuries"), True)],
)
def test_what_kanan_brings_its_owner_is_told_where_one_of_both_lies_open(options: tuple[str, ...], told: bool) -> None:
    """It was told before the merger and in no line afterwards; where all money is secret it would tell what M1 had."""
    _, s = before()
    t = build("1890", 3, options)
    lines = narrate(formed(t, s, kanan=True).facts, lexicon(s.names, t))
    assert ("**Cho** gets ¥37, half of **M1**'s money." in lines) is told
    assert told or not [line for line in lines if "37" in line or "38" in line]


@pytest.mark.rule("1890-MIN-11")
def test_kanan_may_merge_later_and_only_into_a_kinki_that_exists() -> None:
    t, s = before()
    refuses(t, s, ExchangePrivate("p3", "M1"), "1890-MIN-11")
    s = turn_over(t, formed(t, s))
    assert s.operating == "M1"
    s = allows(t, s, ExchangePrivate("p3", "M1"))
    assert (s.cash["M1"], s.held("Kinki", "p3")) == (0, 1)
    assert s.operating == "M4"


@pytest.mark.rule("1890-MIN-07", "1890-MIN-08", "1890-PHS-03")
def test_the_first_3_3_forces_the_forming_when_the_turn_is_over() -> None:
    t, s = before(up="Sanyo", phase="2", begun=True)
    s.depot["3"], s.step = 0, "trains"
    s = allows(t, s, BuyTrain("p1", "Sanyo", "3+3", "bank", 230))
    assert not own(s).formed
    s = turn_over(t, s)
    assert own(s).formed
    assert decision(t, s).step == "join"
    s = allows(t, s, Pass("p3"))
    assert s.operating == "Kinki"


@pytest.mark.rule("1890-MIN-07", "1890-MIN-11", "1890-PHS-04")
def test_the_first_4_forces_kanan_in() -> None:
    t, s = before(up="Sanyo", phase="2½", begun=True, Sanyo=900)
    s.floated = (s.floated | {"Kinki"}) - {"M2", "M3"}
    keep(s, formed=True)
    s.owner["M2"] = s.owner["M3"] = "closed"
    s.queue, s.step = ("M1",), "trains"
    s.depot["3+3"] = 0
    s = allows(t, s, BuyTrain("p1", "Sanyo", "4", "bank", 300))
    assert s.owner["M1"] == "p3"
    s = turn_over(t, s)
    assert (s.owner["M1"], s.cash["Kinki"], s.held("Kinki", "p3")) == ("closed", 38, 1)


def late_phase(phase: str, up: str = "M4", begun: bool = False) -> tuple[Title, State]:
    """Kinki runs, Kanan has merged; Nara Electric is left."""
    t, s = before(up=up, phase=phase, begun=begun, M1=0, M2=0, M3=0)
    s.floated = (s.floated | {"Kinki"}) - {"M1", "M2", "M3"}
    keep(s, formed=True)
    s.shares["Kinki"] = {IPO: 4, RESERVED: 2, "p1": 2, "p2": 1, "p3": 1}
    s.president["Kinki"] = "p1"
    for minor in ("M1", "M2", "M3"):
        s.owner[minor] = s.president[minor] = "closed"
    s.queue = tuple(corp for corp in s.queue if corp not in ("M1", "M2", "M3"))
    return t, s


@pytest.mark.rule("1890-MIN-13")
def test_nara_may_merge_from_phase_4_for_two_certificates_and_all_it_has() -> None:
    t, s = late_phase("3")
    refuses(t, s, ExchangePrivate("p2", "M4"), "1890-MIN-13")
    t, s = late_phase("4")
    s.trains["M4"] = ("3",)
    s = allows(t, s, ExchangePrivate("p2", "M4"))
    assert (s.cash["Kinki"], s.trains["Kinki"]) == (100, ("3",))
    assert s.shares["Kinki"] == {IPO: 4, "p1": 2, "p2": 3, "p3": 1}
    assert s.president["Kinki"] == "p2"


@pytest.mark.rule("1890-MIN-13", "1890-PHS-06")
def test_the_first_6_forces_nara_in() -> None:
    t, s = late_phase("4", up="Sanyo", begun=True)
    s.depot["5"], s.step, s.cash["Sanyo"] = 0, "trains", 700
    s = allows(t, s, BuyTrain("p1", "Sanyo", "6", "bank", 630))
    s = turn_over(t, s)
    assert (s.owner["M4"], s.held("Kinki", "p2")) == ("closed", 3)


@pytest.mark.rule("1890-MIN-14", "1890-COR-13")
def test_a_minors_token_becomes_kinkis_unless_kinki_is_in_that_city() -> None:
    t, s = before()
    s = formed(t, s, kanan=True)
    assert (tokens_at(s, "H13"), tokens_at(s, "J15")) == (("Kinki",), ("Kinki",))
    assert sorted(s.tokens["Kinki"]) == [0, 0, 40, 100]
    t, s = late_phase("4")
    s.board = s.board.with_token("B17", 1, "Kinki")
    s = allows(t, s, ExchangePrivate("p2", "M4"))
    assert tokens_at(s, "B17", 2) == (None,)
    assert tokens_at(s, "B17", 1) == ("Kinki",)
    assert tokens_at(s, "H19") == ("Kinki",)


@pytest.mark.rule("1890-COR-13", "1890-TOK-03", "1890-TOK-09")
def test_kinki_has_two_ordinary_tokens_beside_those_of_the_minors() -> None:
    t, s = before()
    s = formed(t, s)
    s.step, s.begun = "token", True
    s.board = s.board.with_tile("H15", "57", 1)
    s = allows(t, s, PlaceToken("p1", "Kinki", stop("H15")))
    assert s.cash["Kinki"] == 530 - 40
    assert sorted(s.tokens["Kinki"]) == [0, 0, 0, 100]
    s.tokens["Kinki"] = (0, 0, 0)
    s.tokened, s.step = False, "token"
    refuses(t, s, PlaceToken("p1", "Kinki", stop("H13", 1)), "1890-TOK-09")


@pytest.mark.rule("1890-MIN-15", "1890-SR-18")
def test_certificates_received_may_exceed_the_limits_until_the_next_stock_round() -> None:
    t, s = before(kinki={"p1": 4})
    for corp in ("Hanshin", "Hankyu", "Nankai"):
        s.shares[corp] = {"p1": 5, IPO: 5}
        s.president[corp], s.par[corp] = "p1", 100
        put(s, corp, (0, 4))
    s = formed(t, s)
    assert s.held("Kinki", "p1") == 6
    s.round, s.step, s.operating, s.up, s.begun = "SR", "shares", None, "p1", False
    refuses(t, s, Pass("p1"), "1890-SR-18")
    refuses(t, s, BuyShare("p1", "Nankai", IPO), "1890-SR-18")
    allows(t, s, SellShares("p1", "Nankai", 1))


@pytest.mark.rule("1890-MIN-16")
def test_without_kinki_the_minors_go_on_and_close_when_their_time_comes() -> None:
    t, s = late_phase("4", up="Sanyo", begun=True)
    keep(s, closed=("Kinki",))
    s.floated -= {"Kinki"}
    s.operating, s.begun, s.queue = "M4", False, ("Sanyo",)
    refuses(t, s, ExchangePrivate("p2", "M4"), "1890-MIN-11")
    s.operating, s.begun, s.queue, s.step = "Sanyo", True, ("M4",), "trains"
    s.depot["5"], s.cash["Sanyo"] = 0, 700
    bank = s.cash["bank"]
    s = turn_over(t, allows(t, s, BuyTrain("p1", "Sanyo", "6", "bank", 630)))
    assert (s.owner["M4"], s.cash["M4"], s.cash["p2"]) == ("closed", 0, 840)
    assert s.cash["bank"] == bank + 630 + 100
    assert tokens_at(s, "H19") == (None,)


@pytest.mark.rule("1890-COR-10")
def test_kinki_operates_at_once_out_of_order_and_not_again() -> None:
    t, s = before(up="M4")
    s.queue = ("M1", "M2", "M3", "Sanyo")
    s = formed(t, s)
    assert [fact.corp for fact in facts(s, TurnBegan)] == ["Kinki"]
    order = []
    while s.or_number == 1 and s.round == "OR":
        order.append(s.operating)
        s = turn_over(t, s)
    assert order == ["Kinki", "M1", "M4", "Sanyo"]
    assert s.operating == "M1"
    assert s.queue == ("M4", "Kinki", "Sanyo") or s.queue == ("M4", "Sanyo", "Kinki")


@pytest.mark.rule("1890-COR-10", "1890-MIN-07")
def test_declared_in_the_last_turn_it_still_operates_in_that_round() -> None:
    t, s = before(up="Sanyo", begun=True)
    s.queue = ()
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert not own(s).formed
    s = turn_over(t, s)
    s = allows(t, s, Pass("p3"))
    assert (s.operating, s.or_number) == ("Kinki", 1)
    assert turn_over(t, s).or_number == 2


@pytest.mark.rule("1890-COR-11")
def test_in_the_special_turn_a_missing_dividend_does_not_move_the_price() -> None:
    t, s = before()
    s = formed(t, s)
    at = s.cell["Kinki"]
    s = turn_over(t, s)
    assert s.cell["Kinki"] == at
    assert not own(s).special_turn
    for _ in range(20):
        if s.operating == "Kinki":
            break
        s = turn_over(t, s)
    assert turn_over(t, s).cell["Kinki"] == (at[0], at[1] - 1)


@pytest.mark.rule("1890-COR-11", "1890-COR-12")
def test_trains_taken_over_run_again_in_the_special_turn_and_their_dividend_moves_the_price() -> None:
    t, s = before(up="Sanyo")
    s.operated |= {"M2"}
    s.trains["M2"], s.queue = ("2",), ()
    s.board = s.board.with_tile("H15", "57", 1)
    s = formed(t, s)
    at = s.cell["Kinki"]
    s = allows(t, s, Pass("p1"))
    s = allows(t, s, Pass("p1")) if s.step == "token" else s
    assert s.step == "run"
    s = allows(t, s, next(iter(t.rounds["OR"].by_name["run"].verbs[0].candidates(t, s, "p1"))))
    s = allows(t, s, Dividend("p1", "Kinki", "pay"))
    assert s.cell["Kinki"] == (at[0], at[1] + 1)
    assert s.cash["p1"] == 840 + 2 * 6


@pytest.mark.rule("1890-COR-12")
def test_merged_minors_do_not_operate_any_more() -> None:
    t, s = before(up="M2")
    s.queue = ("M3", "M4", "Sanyo")
    s = turn_over(t, formed(t, s, kanan=True))
    assert s.operating == "M4"


@pytest.mark.rule("1890-TRN-06", "1890-TRN-07")
def test_kinki_discards_what_is_too_much_after_the_forming() -> None:
    t, s = before()
    s.trains["M2"], s.trains["M3"], s.trains["M1"] = ("2", "2"), ("2", "3"), ("2",)
    s = formed(t, s, kanan=True)
    assert decision(t, s).step == "discard"
    s = allows(t, s, DiscardTrain("p1", "Kinki", "2"))
    assert (len(s.trains["Kinki"]), s.train_pool) == (4, ("2",))
    assert s.operating == "Kinki"


@pytest.mark.rule("1890-MKT-08")
def test_kinki_is_not_sold_out_while_certificates_wait() -> None:
    t, s = late_phase("4")
    s.shares["Kinki"] = {RESERVED: 2, "p1": 4, "p2": 4}
    at = s.cell["Kinki"] = (2, 4)
    s.round, s.step, s.operating, s.up, s.passes = "SR", "shares", None, "p3", 2
    s.cash["p3"], s.queue, s.begun = 0, (), False
    assert allows(t, s, Pass("p3")).cell["Kinki"] == at
    s.shares["Kinki"] = {"p1": 5, "p2": 5}
    assert allows(t, s, Pass("p3")).cell["Kinki"] == (1, 4)


@pytest.mark.rule("1890-MIN-06", "1890-MIN-08")
def test_osaka_electric_declared_in_its_own_turn_has_that_turn_to_its_end() -> None:
    t, s = before(up="M2", begun=True)
    s = allows(t, s, ExchangePrivate("p1", "M2"))
    assert not own(s).formed
    assert (s.operating, s.cash["M2"]) == ("M2", 150)
    s = turn_over(t, s)
    assert own(s).formed
    assert s.operating != "M2"


@pytest.mark.rule("1890-MIN-06", "1890-MIN-11")
def test_kanan_declared_in_its_own_turn_has_that_turn_to_its_end() -> None:
    t, s = before()
    s = turn_over(t, formed(t, s))
    s.begun = True
    s = allows(t, s, ExchangePrivate("p3", "M1"))
    assert (s.operating, s.owner["M1"], s.held("Kinki", "p3")) == ("M1", "p3", 0)
    s = turn_over(t, s)
    assert (s.owner["M1"], s.held("Kinki", "p3")) == (CLOSED, 1)


@pytest.mark.rule("1890-MIN-07", "1890-MIN-11")
def test_the_first_3_3_and_the_first_4_in_one_turn_form_kinki_with_kanan_and_ask_nobody() -> None:
    t, s = before(up="Sanyo", phase="2", begun=True, Sanyo=900)
    s.depot.update({"3": 0, "3+3": 1})
    s.step = "trains"
    s = play(t, s, BuyTrain("p1", "Sanyo", "3+3", "bank", 230), BuyTrain("p1", "Sanyo", "4", "bank", 300))
    s = turn_over(t, s)
    assert (s.owner["M1"], s.held("Kinki", "p3")) == (CLOSED, 1)
    assert not s.pending
    assert (s.operating, decision(t, s).step) == ("Kinki", "track")


@pytest.mark.rule("1890-MIN-16")
def test_a_merger_declared_in_the_turn_in_which_kinki_closes_falls_through() -> None:
    t, s = late_phase("4", up="Kinki", begun=True)
    put(s, "Kinki", (8, 0))
    s = allows(t, s, ExchangePrivate("p2", "M4"))
    s = turn_over(t, s)
    assert has_closed(s, "Kinki")
    assert (s.owner["M4"], s.cash["M4"]) == ("p2", 100)
    while s.operating not in ("M4", None):
        s = turn_over(t, s)
    assert s.operating == "M4"
