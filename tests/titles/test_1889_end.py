"""1889: end of the game, what is secret, options."""

from __future__ import annotations

from itertools import permutations

import pytest
from tables import Table, allows, ends_round, facts, refuses, table

from engine import BANK, CHANCE, BadAction, build, decision, judge, scores, worth
from engine.actions import (
    BuyTrain,
    CompanyBuysPrivate,
    Deal,
    Dividend,
    EndGame,
    ExchangePrivate,
    LayPowerTile,
    LayTile,
    Par,
    Pass,
    SellShares,
)
from engine.depot import bank_trains, cheapest
from engine.facts import BankBroke, GameEnded
from engine.steps.emergency import must_buy
from engine.viewing import table_view


def paying(bank: int, *options: str) -> Table:
    """AR may pay 100 out, of which players get 50."""
    board = table("1889", 3, *options).operating("AR", "dividend").trains("AR", "2").tile("K8", "57", 1)
    return board.set(income=100).rounds(3, 1, 2).bank(bank)


PAY = Dividend("p1", "AR", "pay")


@pytest.mark.rule("1889-END-02", "1889-END-06")
@pytest.mark.parametrize(("bank", "broken"), [(49, True), (50, True), (51, False)])
def test_the_bank_is_broken_at_zero(bank: int, broken: bool) -> None:
    t, s = paying(bank).build()
    s = allows(t, s, PAY)
    assert s.broken is broken
    assert bool(facts(s, BankBroke)) is broken


@pytest.mark.rule("1889-END-02", "1888-END-02", "1890-END-02")
@pytest.mark.parametrize(("title", "private"), [("1889", "A"), ("1888", "KT"), ("1890", "A")])
def test_the_bank_emptied_by_privates_ends_a_set_in_which_nobody_is_asked(title: str, private: str) -> None:
    t, s = table(title, 3).private(**{private: "p1"}).set(passes=2).bank(4).build()
    after = allows(t, s, Pass("p1"))
    assert after.broken
    assert (after.over, after.turn) == ("bank", 2), "no other stock round"


@pytest.mark.rule("1889-END-02", "1889-VAR-05")
@pytest.mark.parametrize(("bank", "broken"), [(49, True), (50, False)])
def test_online_it_breaks_below_zero(bank: int, broken: bool) -> None:
    t, s = paying(bank, "online").build()
    assert allows(t, s, PAY).broken is broken


@pytest.mark.rule("1889-END-02", "1889-END-05")
def test_it_stays_broken_and_goes_on_paying() -> None:
    t, s = paying(10).cash(AR=500).build()
    s.cash[BANK] = 10
    s = allows(t, s, PAY)
    assert s.cash[BANK] == -40
    assert s.cash["p1"] == 470
    s = allows(t, s, BuyTrain("p1", "AR", "2", "bank", 80))
    assert s.cash[BANK] == 40
    assert s.broken


@pytest.mark.rule("1889-END-03")
def test_broken_in_an_operating_round_the_set_is_finished() -> None:
    t, s = paying(10).build()
    s = allows(t, s, PAY)
    while s.or_number == 1 and not s.over:
        s = allows(t, s, Pass("p1"))
    assert (s.round, s.or_number, s.over) == ("OR", 2, "")
    s.step = "trains"
    s = allows(t, s, Pass("p1"))
    assert s.over == "bank"
    assert facts(s, GameEnded)[0].reason == "bank"
    assert decision(t, s).players == ()
    refuses(t, s, Pass("p1"), "")


@pytest.mark.rule("1889-END-04", "1889-END-06")
def test_broken_in_a_stock_round_the_whole_next_set_is_played() -> None:
    t, s = table("1889", 2).par("AR").shares("AR", p1=5, p2=2).trains("AR", "2").tile("K8", "57", 1).phase("3").build()
    s.cash[BANK] = 100
    s = allows(t, s, SellShares("p1", "AR", 1))
    assert s.broken
    s = ends_round(t, s)
    assert (s.or_number, s.or_count, s.over) == (1, 2, "")
    for number in (1, 2):
        assert (s.or_number, s.over) == (number, "")
        s.step = "trains"
        s = allows(t, s, Pass("p1"))
    assert s.over == "bank"


@pytest.mark.rule("1889-END-06")
def test_capital_may_break_the_bank() -> None:
    from engine.actions import BuyShare

    t, s = table("1889").par("AR", 100).shares("AR", p1=4).build()
    s.cash[BANK] = 900
    assert allows(t, s, BuyShare("p1", "AR", "ipo")).broken
    s.cash[BANK] = 901
    assert not allows(t, s, BuyShare("p1", "AR", "ipo")).broken


@pytest.mark.rule("1889-END-07")
def test_worth_is_cash_shares_and_privates() -> None:
    laid = table("1889").par("AR", 65, at=(2, 6)).shares("AR", p1=3, pool=2)
    t, s = laid.private(F="p1", D="AR").cash(p1=7, AR=5000).build()
    assert worth(t, s, "p1") == 7 + 3 * 110 + 80
    assert worth(t, s, "p2") == 420


@pytest.mark.rule("1889-END-08")
def test_equal_scores_share_the_place_in_seat_order() -> None:
    t, s = table("1889", 4).cash(p1=100, p2=300, p3=300, p4=50).build()
    assert scores(t, s) == (("p2", 300), ("p3", 300), ("p1", 100), ("p4", 50))
    s.bankrupt = frozenset({"p2"})
    assert scores(t, s)[0] == ("p2", 300), "a bankrupt player may win"


def test_the_table_may_agree_to_end() -> None:
    t, s = table("1889").build()
    s = allows(t, s, EndGame("p2"))
    assert s.over == "agreed"


# What is secret


@pytest.mark.rule("1889-SEC-01", "1889-SEC-02", "1889-SEC-05")
def test_cash_certificates_trains_privates_tokens_and_bank_are_public() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=5).trains("AR", "3").private(D="AR", F="p2").cash(AR=77).build()
    for viewer in (None, "p1", "p3"):
        view = table_view(t, s, viewer)
        assert [row.cash for row in view.players] == [420] * 3
        assert view.players[0].shares == (("AR", 5),)
        assert view.players[1].privates == ("F",)
        assert view.bank == s.cash[BANK]
        row = next(row for row in view.companies if row.company.id == "AR")
        assert (row.trains, row.privates, row.tokens_left) == (("3",), ("D",), 1)


@pytest.mark.rule("1889-SEC-03")
def test_treasuries_are_known_to_the_president_alone() -> None:
    t, s = table("1889").par("AR").shares("AR", p1=5, p3=3).cash(AR=77).build()

    def seen(viewer: str | None) -> int | None:
        return next(row.treasury for row in table_view(t, s, viewer).companies if row.company.id == "AR")

    assert [seen(viewer) for viewer in (None, "p1", "p2", "p3")] == [None, 77, None, None]


@pytest.mark.rule("1889-SEC-03", "1889-VAR-06", "1889-VAR-05")
@pytest.mark.parametrize("option", ["open_treasuries", "online"])
def test_open_treasuries(option: str) -> None:
    t, s = table("1889", 3, option).par("AR").shares("AR", p1=5).cash(AR=77).build()
    assert next(row.treasury for row in table_view(t, s, None).companies if row.company.id == "AR") == 77


@pytest.mark.rule("1889-SR-09", "1889-MKT-04")
def test_the_table_shows_what_shares_and_privates_bring() -> None:
    """A share brings its price whether or not the company has trains, a private its face value."""
    t, s = table("1889").par("AR", 90).par("SR", 75).trains("AR", "2").private(D="p1").build()
    s.operated |= {"SR"}
    shown = table_view(t, s, None)
    assert [row.sells_for for row in shown.companies if row.company.id in ("AR", "SR")] == [90, 75]
    assert [row.sells_for for row in shown.privates if row.id == "D"] == [50]


# Options


@pytest.mark.rule("1889-VAR-02")
@pytest.mark.parametrize(("players", "cash"), [(2, 1500), (3, 1200), (4, 1000), (5, 900), (6, 800)])
def test_manual_setup(players: int, cash: int) -> None:
    _, s = table("1889", players, "manual_setup").opening().build()
    assert {s.cash[player] for player in s.players} == {cash}
    assert sum(s.cash.values()) == 7000


@pytest.mark.rule("1889-VAR-03")
def test_manual_train_limit() -> None:
    t, _ = table("1889", 3, "manual_train_limit").build()
    assert [phase.train_limit["public"] for phase in t.phases] == [4, 4, 3, 3, 2, 2]


@pytest.mark.rule("1889-VAR-04")
def test_eight_diesels() -> None:
    board = table("1889", 3, "eight_diesels").operating("AR", "trains").tile("K8", "57", 1).phase("D", left_D=1)
    t, s = board.cash(AR=3000).build()
    assert table("1889", 3, "eight_diesels").build()[1].depot["D"] == 8
    s.depot["6"] = 0
    s = allows(t, s, BuyTrain("p1", "AR", "D", "bank", 1100))
    assert s.depot["D"] == 0
    s.step, s.operating, s.round = "trains", "AR", "OR"
    assert bank_trains(t, s) == []
    s.trains["AR"] = ()
    assert cheapest(t, s) is None
    assert not must_buy(t, s, "AR"), "no train, no duty"
    refuses(t, s, BuyTrain("p1", "AR", "D", "bank", 1100), "1889-TRN-02")
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1889-VAR-01", "1889-VAR-01c", "1889-VAR-01d", "1889-VAR-01e")
@pytest.mark.parametrize("players", range(2, 7))
def test_beginner_game_begins_with_a_deal(players: int) -> None:
    t, s = table("1889", players, "beginner").opening().build()
    plain, _ = table("1889", players).build()
    assert (t.cash, t.cert_limit, t.bank) == (plain.cash, plain.cert_limit, plain.bank)
    assert decision(t, s).players == (CHANCE,)
    dealt = tuple(reversed(list(t.privates)))
    s = allows(t, s, Deal(CHANCE, dealt))
    for player, private in zip(s.players, dealt, strict=True):
        assert s.owner[private] == player
        assert s.cash[player] == t.cash - t.privates[private].value
    assert (s.round, s.turn) == ("SR", 1)
    assert decision(t, s).players == ("p1",)


@pytest.mark.rule("1889-VAR-01c")
def test_every_deal_is_possible_but_only_of_all_privates() -> None:
    t, s = table("1889", 3, "beginner").opening().build()
    for dealt in permutations(t.privates):
        assert judge(t, s, Deal(CHANCE, dealt)) is None
    for wrong in (("C", "E"), ("C", "C", "F"), ("A", "E", "F"), ("C", "E", "F", "F"), ()):
        refuses(t, s, Deal(CHANCE, wrong), "1889-VAR-01c")
    refuses(t, s, Deal("p1", ("C", "E", "F")), "1889-VAR-01c")
    refuses(t, s, Par("p1", "AR", 5, 3), "1889-VAR-01c")


@pytest.mark.rule("1889-VAR-01b", "1889-VAR-05")
@pytest.mark.parametrize(("players", "privates"), [(2, "EF"), (3, "CEF"), (4, "CDEF"), (5, "BCDEF"), (6, "ABCDEF")])
def test_beginner_sets(players: int, privates: str) -> None:
    assert "".join(build("1889", players, ["beginner"]).privates) == privates
    online = "".join(build("1889", players, ["beginner", "online"]).privates)
    assert online == ("ACDEF" if players == 5 else privates)


@pytest.mark.rule("1889-VAR-01a")
def test_beginner_privates_have_no_powers_and_close_with_the_first_5() -> None:
    board = table("1889", 6, "beginner").operating("KO", "trains").trains("KO").tile("J3", "9", 2).tile("I2", "5", 4)
    t, s = board.phase("3", left_3=1).private(A="p1", B="p1", C="p1", D="p1", E="p1", F="p1").cash(KO=950).build()
    assert all(not private.powers for private in t.privates.values())
    for action in (
        CompanyBuysPrivate("p1", "KO", "F", 90), ExchangePrivate("p1", "E"), LayPowerTile("p1", "B", "J9", "437", 4),
    ):  # fmt: skip
        refuses(t, s, action, "1889-OR-08")
    s.step = "track"
    allows(t, s, LayTile("p1", "KO", "K4", "440", 0))
    s.step = "trains"
    s.phase, s.depot["3"], s.depot["4"] = 2, 0, 0
    s = allows(t, s, BuyTrain("p1", "KO", "5", "bank", 450))
    assert set(s.owner.values()) == {"closed"}


@pytest.mark.rule("1889-AUC-21", "1889-VAR-01d")
def test_no_sales_in_the_first_round_of_the_beginner_game() -> None:
    t, s = table("1889", 3, "beginner").par("AR").shares("AR", p1=4).stock(turn=1).build()
    refuses(t, s, SellShares("p1", "AR", 1), "1889-AUC-21")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(BadAction, match="no option"):
        build("1889", 3, ["fast"])
    with pytest.raises(BadAction, match="no game"):
        build("1899", 3)
