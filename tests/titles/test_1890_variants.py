"""1890: the options, alone and together."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from tables import NAMES, Table, allows, facts, keep, refuses, table, tokens_at
from tables_1890 import market, railway

from bot.words.lexicon import lexicon
from bot.words.narration import narrate
from engine import BANK, CHANCE, CLOSED, BadAction, State, Title, apply, build, decision, judge, legal, start
from engine.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RestoreToken,
    RollDie,
    Route,
    RunTrains,
    SellShares,
    TradePrivate,
)
from engine.board.hexes import across
from engine.facts import Announced, DieRolled, PriceMoved, TileRemoved, TokenReturned, TrainBought, WentBankrupt
from engine.ids import RESERVED
from engine.past import changed_hexes
from engine.state import Pending
from engine.stored import state_of
from engine.titles.t1890.own import own
from engine.titles.t1890.raids import TARGETS, raided
from engine.titles.t1890.variants import OPTIONS
from engine.viewing import board_view, table_view
from records.simulate import choose

A, B, D = "scenario_a", "scenario_b", "scenario_d"
SHORT_ONLY = (
    "special_companies", "special_hanshin", "special_hankyu", "first_player_cash_10", "first_player_cash_20",
    "first_player_cash_50", "first_player_cash_100", "plain_jr", "plain_jr_dividend", "plain_jr_par", "eight_turns",
    "closed_edges",
)  # fmt: skip


# Which go together


@pytest.mark.rule("1890-SET-01")
def test_each_option_is_built_where_it_means_something() -> None:
    somewhere = set()
    for option in OPTIONS:
        for scenario in ((), (A,), (B,), (D,)):
            try:
                t = build("1890", 3, {option, *scenario})
            except BadAction:
                continue
            somewhere.add(option)
            assert option in t.options
    assert somewhere == set(OPTIONS)


@pytest.mark.rule("1890-SET-01")
@pytest.mark.parametrize("option", SHORT_ONLY)
def test_variants_of_the_short_scenarios_are_for_them(option: str) -> None:
    build("1890", 3, [A, option])
    build("1890", 3, [B, option])
    for scenario in ((), (D,)):
        with pytest.raises(BadAction, match="scenarios A and B"):
            build("1890", 3, {option, *scenario})


@pytest.mark.parametrize(
    "options",
    [
        (A, "kobe_rapid_control"), (D, "no_late_abilities"), ("kobe_rapid_control", "no_late_abilities"),
        (A, "plain_kinki"), (D, "plain_kinki"), ("air_raids", "plain_kinki"), (A, "air_raids"), (D, "air_raids"),
    ],
)  # fmt: skip
def test_options_that_exclude_each_other(options: tuple[str, ...]) -> None:
    with pytest.raises(BadAction):
        build("1890", 3, options)


# The short scenarios


@pytest.mark.rule("1890-VAR-01", "1890-VAR-24", "1890-VAR-25", "1890-COR-20")
@pytest.mark.parametrize("scenario", [A, B])
@pytest.mark.parametrize(
    ("options", "hanshin", "hankyu"),
    [
        ((), False, False),
        (("special_companies",), True, True),
        (("special_hanshin",), True, False),
        (("special_hankyu",), False, True),
    ],
)
def test_company_rules_of_c_may_be_chosen(scenario: str, options: tuple[str, ...], hanshin: bool, hankyu: bool) -> None:
    found = railway("Hanshin", "run", scenario, *options, phase="4").trains("Hanshin", "2")
    t, s = found.tile("F9", "465N", 3).tile("F7", "57", 1).build()
    after = allows(t, s, RunTrains("p1", "Hanshin", (Route("2", ("F9.0", 1, "F7.0")),)))
    assert after.income == 60 + 10 * hanshin
    assert after.cash["Hanshin"] == 900 + 10 * hanshin
    t, s = railway("Hankyu", "track", scenario, *options, phase="1").build()
    after = allows(t, s, LayTile("p1", "Hankyu", "E12", "57", 1))
    assert after.cash["Hankyu"] == 900 + 10 * hankyu


@pytest.mark.rule("1890-VAR-02")
@pytest.mark.parametrize("scenario", [A, B])
def test_the_first_player_may_start_with_less(scenario: str) -> None:
    for chosen, less in ((("first_player_cash_50",), 50), (("first_player_cash_100", "first_player_cash_20"), 120)):
        t = build("1890", 3, [scenario, *chosen])
        s = start(t, NAMES[:3])
        assert [s.cash[player] for player in s.players] == [500 - less, 500, 500]
        assert sum(s.cash.values()) == t.bank


@pytest.mark.rule("1890-VAR-04")
@pytest.mark.parametrize("scenario", [A, B])
def test_eight_turns(scenario: str) -> None:
    t, s = railway("Hankyu", "trains", scenario, "eight_turns", turn=8).trains("Hankyu", "3").build()
    s = allows(t, s, Pass("p1"))
    while not s.over and s.operating:
        s = allows(t, s, Pass("p1"))
    assert s.over == "turns"


# Secrets


@pytest.mark.rule("1890-VAR-05")
def test_hidden_cash_is_shown_to_its_owner_alone() -> None:
    t, s = market("hidden_cash").cash(p1=311, p2=417).private(A="p1").build()
    for viewer in (None, "p1", "p2", "p3"):
        view = table_view(t, s, viewer)
        for row in view.players:
            own = row.id == viewer
            assert (row.cash is not None) == (row.free_cash is not None) == (row.worth is not None) == own
    assert table_view(t, s, "p1").players[0].cash == 311
    shown = repr(table_view(t, s, None))
    assert "311" not in shown
    assert "417" not in shown
    s.over = "turns"
    assert [row.cash for row in table_view(t, s, None).players][:2] == [311, 417]


@pytest.mark.rule("1890-VAR-05")
def test_no_refusal_names_the_cash_of_another() -> None:
    t, s = market("hidden_cash").cash(p1=231, p2=417).private(A="p2", K3=RESERVED).par("Sanyo").build()
    tried = [
        TradePrivate("p1", "A", 900),
        BuyPrivate("p1", "K3"),
        Par("p1", "Hankyu", 0, 4),
        BuyShare("p1", "JR", "ipo"),
    ]
    texts = [str(refusal) for action in tried if (refusal := judge(t, s, action))]
    assert len(texts) >= 3
    assert "231" in " ".join(texts)
    assert "417" not in " ".join(texts)


@pytest.mark.rule("1890-VAR-06")
def test_prices_of_trains_between_companies_are_not_told() -> None:
    for options, secret in ((("hidden_train_price",), True), ((), False)):
        found = railway("Hankyu", "trains", *options).par("Sanyo").shares("Sanyo", p2=6).trains("Sanyo", "3")
        t, s = found.build()
        between = allows(t, s, BuyTrain("p1", "Hankyu", "3", "Sanyo", 177))
        assert [fact.secret for fact in facts(between, TrainBought)] == [secret]
        bank = allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))
        assert [fact.secret for fact in facts(bank, TrainBought)] == [False]


@pytest.mark.rule("1890-VAR-06")
def test_the_channel_reads_of_the_trade_but_not_of_its_price() -> None:
    found = railway("Hankyu", "trains", "hidden_train_price").par("Sanyo").shares("Sanyo", p2=6)
    t, s = found.trains("Sanyo", "3").build()
    after = allows(t, s, BuyTrain("p1", "Hankyu", "3", "Sanyo", 177))
    text = "\n".join(narrate(after.facts, lexicon(s.names, t)))
    assert "Hankyu** buys a 3-train from **Sanyo" in text
    assert "177" not in text


# Trains and tiles


@pytest.mark.rule("1890-VAR-07")
@pytest.mark.parametrize(("options", "reach"), [((), None), (("eight_trains",), 8), ((A, "eight_trains"), 8)])
def test_a_d_train_visits_eight_cities_at_most(options: tuple[str, ...], reach: int | None) -> None:
    d = build("1890", 3, options).trains["D"]
    assert d.reach == reach
    assert d.trade_in is not None
    assert (d.price, d.trade_in.discount, d.on_sale_with) == (1100, 300, "6")


@pytest.mark.rule("1890-VAR-13")
def test_tile_78_is_for_nara_the_sea_and_the_yodo() -> None:
    # F13 Suita lies at the Yodo, E12 Toyonaka does not: both show 15, which 193 may follow
    for hex_id, fits in (("F13", True), ("E12", False)):
        for options in ((), ("tile_78",)):
            found = railway("Hankyu", "track", *options, phase="4").tile(hex_id, "15", 0).token("Hankyu", "F13")
            t, s = found.build()
            lays = [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and (a.hex, a.tile) == (hex_id, "193")]
            assert bool(lays) == (fits or not options), (hex_id, options)
            if not fits and options:
                refused = LayTile("p1", "Hankyu", "E12", "193", _rotation(hex_id))
                refuses(t, s, refused, "1890-VAR-13")


def _rotation(hex_id: str) -> int:
    """A rotation that only the variant objects to."""
    t, s = railway("Hankyu", "track", phase="4").tile(hex_id, "15", 0).token("Hankyu", "F13").build()
    return next(a.rotation for a in legal(t, s, "p1") if isinstance(a, LayTile) and (a.hex, a.tile) == (hex_id, "193"))


# Late privates


@pytest.mark.rule("1890-VAR-10")
@pytest.mark.parametrize(("tile", "phase", "paid"), [("", "2", 10), ("820", "3", 15), ("830", "4", 20)])
def test_kobe_rapid_gets_10_15_or_20_by_the_colour_of_kobe(tile: str, phase: str, paid: int) -> None:
    found = railway("Hanshin", "run", "kobe_rapid_control", phase=phase).tile("F7", "57", 1).tile("F9", "57", 1)
    if tile:
        found.tile("F5", tile, 0)
    t, s = found.private(K2="p2").trains("Hanshin", "3").build()
    after = allows(t, s, RunTrains("p1", "Hanshin", (Route("3", ("F9.0", 1, "F7.0", 1, "F5.0")),)))
    assert after.cash["p2"] - s.cash["p2"] == paid
    assert after.income == 40 + {"": 30, "820": 50, "830": 60}[tile], "the value of Kobe itself stays"


@pytest.mark.rule("1890-VAR-12")
def test_late_privates_without_abilities_only_pay() -> None:
    t = build("1890", 3, ["no_late_abilities"])
    assert [t.privates[late].revenue for late in ("K1", "K2", "K3", "K4")] == [40, 50, 60, 70]
    assert "K2" not in t.corporations
    found = railway("Keihan", "token", "no_late_abilities", phase="3").token("Keihan", "B17", 1).token("Keihan", "J11")
    t, s = found.private(K1="p2", K2="p2", K4="p2", K3="p2").tile("F5", "820", 0).own(expo=True).build()
    assert {type(a).__name__ for a in legal(t, s, "p1")} <= {"PlaceToken", "Pass", "CompanyBuysPrivate"}
    while s.or_number == 1:
        s = allows(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, Pass)))
    assert s.cash["p2"] == 840 + 40 + 50 + 60 + 70
    assert s.cash["Keihan"] == 900


# Kinki as an ordinary company


@pytest.mark.rule("1890-VAR-11", "1890-COR-19")
@pytest.mark.parametrize("option", ["plain_kinki", D])
def test_a_plain_kinki_is_started_like_any_other(option: str) -> None:
    t, s = table("1890", 3, option).opening().build()
    assert not {"M1", "M2", "M3", "M4"} & set(t.corporations)
    assert not {"M1", "M2", "M3", "M4"} & set(t.privates)
    assert s.shares["Kinki"] == {"ipo": 10}
    t, s = market(option).cash(p1=500).build()
    assert {a.row for a in legal(t, s, "p1") if isinstance(a, Par) and a.corp == "Kinki"} == set(range(6))
    assert t.corporations["Kinki"].homes == (("H13", 0),)
    assert sorted(t.corporations["Kinki"].token_costs) == [0, 0, 0, 0, 40, 100]


@pytest.mark.rule("1890-VAR-11c")
def test_three_2_trains_and_all_3_3_trains_leave_with_the_minors() -> None:
    t = build("1890", 3, ["plain_kinki"])
    assert t.trains["2"].count == 6
    assert "3+3" not in t.trains
    assert "2½" not in [phase.name for phase in t.phases]


# The Tigers' die


def tigers(*options: str, trains: tuple[str, ...] = ("3",)) -> tuple[Title, State]:
    found = railway("Hanshin", "run", "tigers_die", *options, phase="4").trains("Hanshin", *trains)
    return found.tile("F9", "465N", 3).tile("F7", "57", 1).tile("F11", "202", 2).build()


HOME_RUN = Route("3", ("F9.0", 1, "F7.0"))


@pytest.mark.rule("1890-VAR-16", "1890-COR-16")
@pytest.mark.parametrize(("die", "value"), [(1, 100), (2, 60), (3, 50), (4, 40), (5, 40), (6, 40)])
def test_the_die_gives_the_value_of_brown_nishinomiya(die: int, value: int) -> None:
    t, s = tigers()
    s = allows(t, s, RunTrains("p1", "Hanshin", (HOME_RUN,)))
    assert decision(t, s).players == (CHANCE,)
    assert list(legal(t, s, CHANCE)) == [RollDie(CHANCE, value) for value in range(1, 7)]
    assert not [a for player in s.players for a in legal(t, s, player) if type(a) is not RestoreToken]
    for wrong in (0, 7):
        refuses(t, s, RollDie(CHANCE, wrong), "1890-VAR-16")
    after = allows(t, s, RollDie(CHANCE, die))
    assert after.income == after.last_run["Hanshin"] == 20 + value
    assert after.cash["Hanshin"] == 900, "nothing besides for the treasury"
    assert facts(after, DieRolled) == [DieRolled(die, "tigers", "Hanshin", 20 + value)]
    paid = allows(t, after, Dividend("p1", "Hanshin", "pay"))
    assert paid.cash["p1"] - after.cash["p1"] == 6 * (20 + value) // 10


@pytest.mark.rule("1890-VAR-16")
def test_no_die_without_brown_nishinomiya_on_hanshins_routes() -> None:
    found = railway("Hanshin", "run", "tigers_die", phase="3").trains("Hanshin", "3").tile("F9", "57", 1)
    t, s = found.tile("F7", "57", 1).build()
    assert decision(t, allows(t, s, RunTrains("p1", "Hanshin", (HOME_RUN,)))).players == ("p1",)
    found = railway("Sanyo", "run", "tigers_die", phase="4").trains("Sanyo", "4").token("Sanyo", "F7")
    t, s = found.tile("F9", "465N", 3).tile("F7", "57", 1).build()
    after = allows(t, s, RunTrains("p1", "Sanyo", (Route("4", ("F9.0", 1, "F7.0")),)))
    assert after.income == 20 + 40
    assert decision(t, after).players == ("p1",)


# The earthquake


def buying_d(*options: str, left: int = 6, cash: int = 1200, phase: str = "5") -> Table:
    found = railway("Hankyu", "trains", "earthquake", *options, phase=phase, cash=cash)
    found.state.depot.update({"6": 0, "D": left})
    return found


BUY_D = BuyTrain("p1", "Hankyu", "D", BANK, 1100)


def shaken(found: Table) -> tuple[Title, State]:
    """The marked D-train has just been bought."""
    t, s = found.build()
    s = allows(t, s, BUY_D)
    return t, allows(t, s, RollDie(CHANCE, 1)) if decision(t, s).players == (CHANCE,) else s


@pytest.mark.rule("1890-VAR-17")
def test_one_of_the_d_trains_brings_the_quake() -> None:
    t, s = buying_d(left=6).build()
    s = allows(t, s, BUY_D)
    assert list(legal(t, s, CHANCE)) == [RollDie(CHANCE, value) for value in range(1, 7)]
    refuses(t, s, RollDie(CHANCE, 7), "1890-VAR-17")
    spared = allows(t, s, RollDie(CHANCE, 2))
    assert not own(spared).quake
    struck = allows(t, s, RollDie(CHANCE, 1))
    assert own(struck).quake
    t, s = buying_d(left=3, phase="6").build()
    assert list(legal(t, allows(t, s, BUY_D), CHANCE)) == [RollDie(CHANCE, value) for value in (1, 2, 3)]


@pytest.mark.rule("1890-VAR-17")
def test_the_last_d_train_is_the_marked_one_if_no_other_was() -> None:
    t, s = buying_d(left=1, phase="6").build()
    assert own(allows(t, s, BUY_D)).quake
    t, s = buying_d(left=1, phase="6").own(quaked=True).build()
    assert not own(allows(t, s, BUY_D)).quake


@pytest.mark.rule("1890-VAR-17")
def test_a_broken_bank_and_a_d_train_of_the_market_bring_no_quake() -> None:
    t, s = buying_d(left=1, phase="6").set(broken=True).build()
    assert not own(allows(t, s, BUY_D)).quake
    t, s = buying_d(left=1, phase="6").market_trains("D").build()
    assert not own(allows(t, s, BuyTrain("p1", "Hankyu", "D", "pool", 1100))).quake


@pytest.mark.rule("1890-VAR-17a")
@pytest.mark.parametrize(
    ("corp", "earned"), [("Hanshin", 0), ("Sanyo", 30), ("Keihan", 60), ("Hankyu", 30), ("JR", 30)]
)
def test_after_the_quake_hanshin_earns_nothing_and_its_neighbours_half(corp: str, earned: int) -> None:
    found = railway(corp, "run", "earthquake", phase="6").trains(corp, "2").own(quake=True)
    t, s = found.token(corp, "E10").tile("E10", "57", 1).tile("E12", "63", 0).build()
    after = allows(t, s, RunTrains("p1", corp, (Route("2", ("E10.0", 4, "E12.0")),)))
    assert after.income == earned
    if earned:
        paid = allows(t, after, Dividend("p1", corp, "pay"))
        assert not facts(paid, PriceMoved), "prices are frozen"
        assert paid.cell[corp] == s.cell[corp]
    else:
        assert after.cell[corp] == s.cell[corp]


@pytest.mark.rule("1890-VAR-17a", "1890-COR-16")
@pytest.mark.parametrize(("quake", "revenue", "treasury"), [(True, 0, 0), (False, 70, 10)])
def test_after_the_quake_the_tigers_bring_hanshin_nothing_either(quake: bool, revenue: int, treasury: int) -> None:
    found = railway("Hanshin", "run", "earthquake", phase="6", cash=0).tile("F9", "57", 1).tile("F9", "15", 1)
    t, s = found.tile("F9", "465N").tile("F7", "57", 1).trains("Hanshin", "2").own(quake=quake).build()
    after = allows(t, s, RunTrains("p1", "Hanshin", (Route("2", ("F9.0", 1, "F7.0")),)))
    assert (after.income, after.cash["Hanshin"]) == (revenue, treasury)


@pytest.mark.rule("1890-VAR-17a")
def test_all_is_as_before_once_the_next_stock_round_is_over() -> None:
    held = {"p1": 3, "p2": 4, "p3": 3}
    t, s = market("earthquake", phase="6").par("Keihan", 90).shares("Keihan", held).build()
    keep(s, quake=True, quaked=True, damages={})
    assert not facts(allows(t, s, SellShares("p1", "Keihan", 1)), PriceMoved)
    s = to_the_end_of_the_round(t, s)
    assert not own(s).quake
    assert facts(s, Announced) == [Announced("earthquake over")]
    assert s.cell["Keihan"] == (1, 4), "nor did it rise for being sold out"


@pytest.mark.rule("1890-VAR-17b")
def test_the_quake_sends_the_tokens_of_kobe_and_ashiya_back_and_closes_kobe_rapid() -> None:
    found = buying_d().tile("F5", "830", 0).tile("F7", "57", 1).private(K2="p2").token("K2", "F5")
    found.par("JR", 100).shares("JR", p2=6).par("Hanshin").shares("Hanshin", p3=6).token("Hanshin", "F5")
    found.token("Hanshin", "F7").par("Sanyo").shares("Sanyo", p2=6).state.president["K2"] = "p2"
    t, s = shaken(found)
    assert s.owner["K2"] == CLOSED
    assert [table_view(t, one).company("K2").states for one in (found.state, s)] == [("a late private",), ("closed",)]
    assert "K2" not in table_view(t, s).player("p2").president_of
    assert {name: s.board.placed[name] for name in ("F5", "F7")} == {"F5": ("830", 0), "F7": ("57", 1)}
    assert not any(tokens_at(s, "F5"))
    assert tokens_at(s, "F7") == (None,)
    assert s.tokens["Hanshin"] == (100, 100)
    assert s.tokens["JR"] == (40, 100, 100)
    assert {(fact.corp, fact.hex) for fact in facts(s, TokenReturned)} >= {
        ("JR", "F5"), ("Hanshin", "F5"), ("Hanshin", "F7"),
    }  # fmt: skip
    assert tokens_at(s, "F3") == ("Sanyo",), "Akashi is spared"


@pytest.mark.rule("1890-VAR-17c")
@pytest.mark.parametrize(
    ("tile", "rotation", "expected"), [("465N", 0, "green"), ("15", 1, "yellow"), ("57", 1, "white")]
)
def test_nishinomiya_goes_down_one_colour(tile: str, rotation: int, expected: str) -> None:
    found = buying_d().tile("F9", tile, rotation).par("Hanshin").shares("Hanshin", p2=6)
    t, s = shaken(found)
    face = s.board.face("F9")
    assert face.face.colour == expected
    assert "Hanshin" in tokens_at(s, "F9")
    if expected != "white":
        old = t.tiles[tile].face
        assert face.exits <= {(side + rotation) % 6 for pair in old.track for side in pair if isinstance(side, int)}
    assert [fact.tile for fact in facts(s, TileRemoved) if fact.hex == "F9"] == [tile]


@pytest.mark.rule("1890-VAR-17c", "1890-TRK-14")
def test_nishinomiya_goes_down_to_a_tile_that_the_printed_table_lets_become_the_present_one() -> None:
    found = buying_d().tile("F9", "465N", 3)
    found.state.supply["15"] = 0
    _, s = shaken(found)
    assert s.board.placed["F9"][0] == "205"


@pytest.mark.rule("1890-VAR-17c")
def test_tokens_that_the_lower_tile_cannot_hold_return() -> None:
    found = buying_d().tile("F9", "15", 1).par("Hanshin").shares("Hanshin", p2=6).token("Hankyu", "F9")
    _, s = shaken(found)
    assert tokens_at(s, "F9") == ("Hanshin",)
    assert 100 in s.tokens["Hankyu"]


@pytest.mark.rule("1890-VAR-17d")
def test_tokens_in_itami_are_out_of_use_until_100_is_paid() -> None:
    found = buying_d(cash=2500).tile("E10", "15", 2).token("Hankyu", "E10")
    found.par("Sanyo").shares("Sanyo", p2=6).token("Sanyo", "E10")
    t, s = shaken(found)
    assert own(s).face_down == ("Hankyu", "Sanyo")
    assert not [hex_id for hex_id, _ in s.board.token_stops("Hankyu") if hex_id == "E10"]
    refuses(t, s, RestoreToken("p1", "Hankyu"), "1890-VAR-17d")  # the next stock round is still to come
    assert "E10" in changed_hexes(s.facts)
    assert narrate(s.facts, lexicon(s.names, t))[-1].startswith("*Tokens in Itami lie face down")
    assert "Itami" not in "".join(narrate(shaken(buying_d(cash=2500))[1].facts, lexicon(s.names, t)))

    later = railway("Hankyu", "token", "earthquake", phase="6", cash=250).tile("E10", "15", 2).tile("E12", "57", 1)
    t, s = later.own(face_down=("Hankyu", "Sanyo"), quaked=True).build()
    s.tokens["Hankyu"] = (100, 100)
    refuses(t, s, PlaceToken("p1", "Hankyu", "E10.0"), "1890-VAR-17d")
    after = allows(t, s, RestoreToken("p1", "Hankyu"))
    assert tokens_at(after, "E10") == ("Hankyu", None)
    assert after.cash["Hankyu"] == 150
    assert after.tokens["Hankyu"] == (100,)
    assert own(after).face_down == ("Sanyo",)
    refuses(t, after, RestoreToken("p1", "Hankyu"), "1890-VAR-17d")
    s.cash["Hankyu"] = 99
    refuses(t, s, RestoreToken("p1", "Hankyu"), "1890-VAR-17d")


@pytest.mark.rule("1890-VAR-17d")
def test_a_token_in_itami_is_restored_in_the_turn_of_its_company_alone() -> None:
    found = railway("Hankyu", "token", "earthquake", phase="6").par("Sanyo").shares("Sanyo", p1=6).cash(Sanyo=500)
    t, s = found.tile("E10", "15", 2).own(face_down=("Hankyu", "Sanyo"), quaked=True).build()
    s.tokens["Sanyo"] = (100,)
    refuses(t, s, RestoreToken("p1", "Sanyo"), "1890-VAR-17d")
    s.operating = "Sanyo"
    allows(t, s, RestoreToken("p1", "Sanyo"))
    s.pending = (Pending("discard", "p1", "Sanyo"),)
    refuses(t, s, RestoreToken("p1", "Sanyo"), "1890-VAR-17d")


@pytest.mark.rule("1890-VAR-17d")
def test_the_places_in_itami_are_kept() -> None:
    found = railway("Keihan", "token", "earthquake", phase="6").tile("E10", "15", 2).token("Keihan", "E12")
    t, s = found.tile("E12", "57", 1).own(face_down=("Hankyu", "Sanyo")).build()
    s.tokens["Keihan"] = (100, 100)
    refuses(t, s, PlaceToken("p1", "Keihan", "E10.0"), "1890-VAR-17d")
    keep(s, face_down=("Sanyo",))
    allows(t, s, PlaceToken("p1", "Keihan", "E10.0"))


@pytest.mark.rule("1890-VAR-17e")
def test_damages_are_100_for_each_d_and_200_for_each_certificate() -> None:
    found = buying_d().par("Sanyo").shares("Sanyo", p2=3, p3=3).private(A="p3", M5="p3", K1="p2")
    keep(found.state, uncounted=("M5",))
    _, s = shaken(found)
    # Hankyu: p1 holds six tenths; of the six D-trains one is sold
    assert own(s).damages == {"p1": 100 + 6 * 200, "p2": 100 + 4 * 200, "p3": 100 + 4 * 200}


def due(**amounts: int) -> Table:
    found = market("earthquake", phase="6").par("Sanyo", 100).shares("Sanyo", p1=3, p2=3)
    return found.own(quake=True, quaked=True, damages=amounts)


def to_the_end_of_the_round(t: Title, s: State) -> State:
    while s.round == "SR" and not s.pending and not s.over:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s


@pytest.mark.rule("1890-VAR-17e")
def test_damages_are_paid_to_the_bank_by_the_end_of_the_stock_round() -> None:
    t, s = due(p1=300, p2=0, p3=500).build()
    before = dict(s.cash)
    s = to_the_end_of_the_round(t, s)
    assert s.round == "OR"
    assert (s.cash["p1"], s.cash["p3"]) == (before["p1"] - 300, before["p3"] - 500)
    assert own(s).damages == {}


def test_everybody_reads_what_the_earthquake_costs_them_and_by_when() -> None:
    t, s = due(p1=600).cash(p1=450).build()
    told, by_when = t.policy.milestones.reminder, "you pay ¥600 at the end of this stock round, or the game ends"
    assert told(t, s) == f"The earthquake: {by_when}. No price moves until then."
    assert told(t, allows(t, s, Pass(decision(t, s).players[0]))) == ""
    s = to_the_end_of_the_round(t, s)
    assert told(t, s) == "The earthquake costs you ¥600: sell shares until your cash covers it, or the game ends."
    t, s = railway("Hankyu", "track", "earthquake", phase="6").own(quake=True, damages={"p1": 700}).build()
    assert "you pay ¥700 at the end of the next stock round" in told(t, s)
    assert told(t, s).endswith("Until then no price moves, Hanshin earns nothing, and Hankyu, JR and Sanyo half.")


@pytest.mark.rule("1890-VAR-17e")
def test_who_is_short_must_sell_shares_at_the_frozen_price() -> None:
    t, s = due(p1=600).cash(p1=450).build()
    s = to_the_end_of_the_round(t, s)
    assert decision(t, s).players == ("p1",)
    assert decision(t, s).step == "damages"
    refuses(t, s, SellShares("p1", "Sanyo", 3), "1890-VAR-17e")
    s = allows(t, s, SellShares("p1", "Sanyo", 1))
    assert decision(t, s).step == "damages"
    s = allows(t, s, SellShares("p1", "Sanyo", 1))
    assert s.round == "OR"
    assert s.cash["p1"] == 450 + 200 - 600
    assert s.cell["Sanyo"] == (0, 4)


@pytest.mark.rule("1890-VAR-17e", "1890-SR-07", "1890-SR-09", "1890-SR-10", "1890-SR-20")
def test_sales_for_damages_are_sales_as_in_any_stock_round() -> None:
    found = due(p1=5000).cash(p1=450).par("Nankai").shares("Nankai", p1=4, p2=2, pool=3).shares("Keihan", p1=1)
    t, s = found.build()
    s = to_the_end_of_the_round(t, s)
    assert decision(t, s).step == "damages"
    for count in (0, 5):
        refuses(t, s, SellShares("p1", "Nankai", count), "1890-SR-07")
    refuses(t, s, SellShares("p1", "Keihan", 1), "1890-SR-20")
    refuses(t, s, SellShares("p1", "Nankai", 3), "1890-SR-09")
    allows(t, s, SellShares("p1", "Nankai", 2))
    s.shares["Nankai"] = {"p1": 4, "p2": 1, "p3": 1}
    refuses(t, s, SellShares("p1", "Nankai", 3), "1890-SR-10")
    allows(t, s, SellShares("p1", "Nankai", 2))


@pytest.mark.rule("1890-VAR-17e", "1890-END-01")
def test_who_cannot_raise_the_damages_is_bankrupt() -> None:
    t, s = due(p1=900).cash(p1=450).build()
    s = to_the_end_of_the_round(t, s)
    s = allows(t, s, SellShares("p1", "Sanyo", 3))
    assert s.over == "bankrupt"
    assert facts(s, WentBankrupt)[0].player == "p1"
    assert s.cash["p1"] == 0
    assert sum(s.cash.values()) == t.bank


@pytest.mark.rule("1890-VAR-17e", "1890-END-01")
def test_who_can_sell_nothing_once_others_have_sold_for_their_damages_is_bankrupt() -> None:
    found = due(p1=600, p2=600).cash(p1=550, p2=500).shares("Sanyo", p1=3, p2=2, p3=1, pool=4)
    t, s = found.build()
    s = to_the_end_of_the_round(t, s)
    assert [item.player for item in s.pending] == ["p2", "p1"]
    s = allows(t, s, SellShares("p1", "Sanyo", 1))  # the last that the open market takes
    assert s.over == "bankrupt"
    assert facts(s, WentBankrupt)[0].player == "p2"
    assert (s.cash["p1"], s.cash["p2"]) == (50, 0)


# The air raids


def last_3_3(*options: str) -> Table:
    found = railway("Hankyu", "trains", "air_raids", *options, phase="2½")
    found.state.depot.update({"3": 0, "3+3": 1})
    return found


RAID = BuyTrain("p1", "Hankyu", "3+3", BANK, 230)


@pytest.mark.rule("1890-VAR-17", "1890-VAR-18")
@pytest.mark.parametrize(("phase", "rank"), [("2½", "3+3"), ("5", "D")])
def test_without_the_variant_no_train_brings_a_disaster(phase: str, rank: str) -> None:
    found = railway("Hankyu", "trains", phase=phase, cash=2500).tile("F5", "820", 0).tile("E10", "15", 2)
    t, s = found.build()
    s.depot = {other: 6 * (other == "D") + (other == rank == "3+3") for other in s.depot}
    after = allows(t, s, BuyTrain("p1", "Hankyu", rank, BANK, t.trains[rank].price))
    assert (after.pending, after.board.placed) == ((), s.board.placed)


@pytest.mark.rule("1890-VAR-18")
def test_green_tiles_around_osaka_and_kobe_go_with_the_last_3_3_train() -> None:
    found = last_3_3().tile("F5", "820", 0).tile("G12", "823", 0).tile("E10", "15", 2).tile("F7", "57", 1)
    found.tile("D13", "23", 0).tile("D9", "14", 0)
    t, s = found.build()
    s.depot["3+3"] = 2
    assert not facts(allows(t, s, RAID), TileRemoved), "not with the first"
    s.depot["3+3"] = 1
    after = allows(t, s, RAID)
    assert set(after.board.placed) == {"F7", "D13", "D9"}, "yellow stays, and green elsewhere"
    assert {fact.hex for fact in facts(after, TileRemoved)} == {"F5", "G12", "E10"}
    assert [after.supply[tile] for tile in ("820", "823", "15")] == [1, 1, 2]
    assert after.board.face("F5").face.colour == "yellow"


@pytest.mark.rule("1890-VAR-18", "1890-MIN-18")
def test_the_raids_come_once_though_the_last_3_3_train_may_come_back_and_be_sold_again() -> None:
    t, s = last_3_3().tile("F5", "820", 0).build()
    s = allows(t, s, RAID)
    s.board = s.board.with_tile("F5", "820", 0)
    s.depot["3+3"], s.step, s.trains["Hankyu"], s.cash["Hankyu"] = 1, "trains", (), 900
    assert not facts(allows(t, s, RAID), TileRemoved)


@pytest.mark.rule("1890-VAR-18")
def test_the_raided_area() -> None:
    found = last_3_3()
    t, s = found.build()
    near = {across("pointy", hex_id, side) for hex_id in TARGETS for side in range(6)} | set(TARGETS)
    assert {"F5", "F7", "F9", "F11", "G12", "H11", "H13", "I12"} == set(TARGETS)
    for hex_id, tile, hit in (("J11", "210", True), ("H15", "14", True), ("E14", "210", False), ("F3", "14", True)):
        assert (hex_id in near) == hit
        with_tile = last_3_3().tile(hex_id, tile, 0).build()[1]
        assert (hex_id in raided(t, with_tile)) == hit
    assert raided(t, s) == []


@pytest.mark.rule("1890-VAR-18a")
def test_a_removed_hex_starts_again_with_yellow_and_its_terrain_cost() -> None:
    found = last_3_3().tile("F9", "15", 1).tile("F7", "57", 1).token("Hankyu", "F7").par("Sanyo").shares("Sanyo", p1=6)
    t, s = found.set(queue=("Sanyo",)).build()
    s = allows(t, s, RAID)
    assert s.board.face("F9").face.colour == "white"
    again = railway("Hankyu", "track", "air_raids", phase="2½").token("Hankyu", "F7").tile("F7", "57", 1)
    t, s = again.build()
    after = allows(t, s, LayTile("p1", "Hankyu", "F9", "57", 1))
    assert after.cash["Hankyu"] == 900 - 80 + 10
    refuses(t, s, LayTile("p1", "Hankyu", "F9", "15", 1), "1890-TRK-05")


@pytest.mark.rule("1890-VAR-18b")
def test_tokens_return_to_their_hexes_homes_first() -> None:
    found = last_3_3().tile("F9", "15", 1).token("Hankyu", "F9").par("Hanshin").shares("Hanshin", p2=6)
    t, s = found.build()
    assert set(tokens_at(s, "F9")) == {"Hankyu", "Hanshin"}
    after = allows(t, s, RAID)
    assert tokens_at(after, "F9") == ("Hanshin",)
    assert own(after).beside == {"F9": ("Hankyu",)}
    assert after.tokens["Hankyu"][-1] == 100


@pytest.mark.rule("1890-VAR-18b")
def test_no_token_takes_the_place_of_an_unstarted_company() -> None:
    found = last_3_3().tile("F9", "15", 1).token("Hankyu", "F9")
    t, s = found.build()
    after = allows(t, s, RAID)
    assert tokens_at(after, "F9") == (None,)
    assert own(after).beside == {"F9": ("Hankyu",)}


@pytest.mark.rule("1890-VAR-18b")
def test_then_in_operating_order_from_the_company_after_the_buyer() -> None:
    # Takarazuka lies outside; Ashiya has two places and no home: Sanyo (90) is after Hankyu (80 now 100)
    found = last_3_3().tile("F7", "14", 0).par("Sanyo", 75).shares("Sanyo", p2=6).par("Keihan", 100)
    found.shares("Keihan", p3=6).token("Keihan", "F7").token("Sanyo", "F7")
    t, s = found.build()
    after = allows(t, s, RAID)
    assert tokens_at(after, "F7") == ("Sanyo",), "order: Keihan 100, Hankyu 80, Sanyo 75; Sanyo follows the buyer"
    assert own(after).beside == {"F7": ("Keihan",)}


@pytest.mark.rule("1890-VAR-18b")
def test_a_company_puts_one_token_back_and_then_it_is_the_next_ones_turn() -> None:
    """Two cities with two tokens each and one place left in each: nobody gets both."""
    found = last_3_3().tile("F7", "14", 0).tile("E10", "15", 2).par("Sanyo", 75).shares("Sanyo", p2=6)
    found.par("Keihan", 70).shares("Keihan", p3=6)
    for corp in ("Sanyo", "Keihan"):
        found.token(corp, "F7").token(corp, "E10")
    t, s = found.build()
    s.tokens["Sanyo"] = ()
    after = allows(t, s, RAID)
    assert {tokens_at(after, "F7"), tokens_at(after, "E10")} == {("Sanyo",), ("Keihan",)}
    assert sorted((own(after).beside or {}).values()) == [("Keihan",), ("Sanyo",)]
    assert [(fact.hex, (fact.corp,)) for fact in facts(after, TokenReturned)] == list((own(after).beside or {}).items())
    told = narrate(after.facts, lexicon(after.names, t))
    assert any("**Keihan** puts a token back on " in line for line in told)
    assert not any("places" in line for line in told)
    assert told[-1].startswith("*Tokens that found no place wait beside their hexes")


def waiting(step: str = "track") -> Table:
    """Hankyu's token waits beside Nishinomiya, where Hanshin has the only place."""
    found = railway("Hankyu", step, "air_raids", phase="3").par("Hanshin").shares("Hanshin", p2=6)
    found.own(beside={"F9": ("Hankyu",)})
    found.state.tokens["Hankyu"] = (0, 100)  # the first is laid at home by the table
    return found


@pytest.mark.rule("1890-VAR-18c")
def test_a_token_beside_its_hex_serves_for_track_there() -> None:
    t, s = waiting().build()
    assert {a.hex for a in legal(t, s, "p1") if isinstance(a, LayTile)} >= {"F9"}
    after = allows(t, s, LayTile("p1", "Hankyu", "F9", "57", 1))
    t, plain = railway("Hankyu", "track", "air_raids", phase="3").par("Hanshin").shares("Hanshin", p2=6).build()
    refuses(t, plain, LayTile("p1", "Hankyu", "F9", "57", 1), "1890-TRK-03")
    upgraded = replace_lays(after)
    assert [a for a in legal(t, upgraded, "p1") if isinstance(a, LayTile) and a.hex == "F9"]


def replace_lays(s: State) -> State:
    """The same position at the beginning of the company's turn."""
    fresh = s.copy()
    fresh.lays, fresh.step = (), "track"
    keep(fresh, laid=None)
    return fresh


@pytest.mark.rule("1890-VAR-18c")
def test_the_map_shows_it_until_it_has_found_its_place() -> None:
    def shown(s: State) -> tuple[str, ...]:
        return next(one.icons for one in board_view(t, s).hexes if one.id == "F9")

    t, s = waiting().tile("F9", "57", 1).build()
    assert shown(s) == ("token:Hankyu",)
    assert shown(allows(t, s, LayTile("p1", "Hankyu", "F9", "15", 1))) == ()


@pytest.mark.rule("1890-VAR-18c")
def test_it_fills_the_next_free_place() -> None:
    t, s = waiting().tile("F9", "57", 1).build()
    after = allows(t, s, LayTile("p1", "Hankyu", "F9", "15", 1))
    assert tokens_at(after, "F9") == ("Hanshin", "Hankyu")
    assert own(after).beside == {}
    assert after.tokens["Hankyu"] == ()


@pytest.mark.rule("1890-VAR-18c")
def test_it_may_be_taken_back_as_a_token_for_100() -> None:
    t, s = waiting("token").tile("E12", "57", 1).tile("E10", "57", 1).build()
    after = allows(t, s, PlaceToken("p1", "Hankyu", "E10.0"))
    assert after.cash["Hankyu"] == 800
    assert own(after).beside == {}


# The earthquake after air raids


@pytest.mark.rule("1890-VAR-17b", "1890-VAR-18c")
def test_the_token_of_a_closed_kobe_rapid_does_not_come_back_from_beside_kobe() -> None:
    found = buying_d("air_raids").private(K2="p2").par("JR", 100).shares("JR", p2=6).own(beside={"F5": ("K2",)})
    found.state.tokens["K2"] = (100,)
    _, s = shaken(found)
    assert s.owner["K2"] == CLOSED
    assert tokens_at(s, "F5") == (None,)
    assert own(s).beside == {}


@pytest.mark.rule("1890-VAR-17d", "1890-VAR-18c")
def test_a_token_beside_itami_does_not_take_the_place_of_one_that_lies_face_down() -> None:
    found = buying_d("air_raids", cash=2500).tile("E10", "57", 1).token("Hankyu", "E10").par("Sanyo")
    found.shares("Sanyo", p2=6).own(beside={"E10": ("Sanyo",)})
    t, s = found.build()
    s.tokens["Sanyo"] = (100,)
    s = allows(t, allows(t, s, BUY_D), RollDie(CHANCE, 1))
    assert tokens_at(s, "E10") == (None,)
    assert (own(s).face_down, own(s).beside) == (("Hankyu",), {"E10": ("Sanyo",)})
    keep(s, quake=False)
    assert tokens_at(allows(t, s, RestoreToken("p1", "Hankyu")), "E10") == ("Hankyu",)


@pytest.mark.rule("1890-VAR-17d", "1890-VAR-18c")
def test_the_token_placed_while_another_lies_face_down_is_the_one_that_waited_beside_its_hex() -> None:
    found = railway("Hankyu", "token", "earthquake", "air_raids", phase="6", cash=900).par("Hanshin")
    found.shares("Hanshin", p2=6).token("Hankyu", "F11").tile("F11", "57", 1).tile("F13", "57", 1)
    t, s = found.own(beside={"F9": ("Hankyu",)}, face_down=("Hankyu",), quaked=True).build()
    s.tokens["Hankyu"] = (100, 100)
    s = allows(t, s, PlaceToken("p1", "Hankyu", "F13.0"))
    assert own(s).beside == {}
    assert s.tokens["Hankyu"] == (100,)
    s = allows(t, s, RestoreToken("p1", "Hankyu"))
    assert (s.tokens["Hankyu"], tokens_at(s, "E10")) == ((), ("Hankyu",))


# Everything together


EVERYTHING: list[tuple[str, ...]] = [
    (
        "hidden_cash", "hidden_train_price", "eight_trains", "close_minors", "end_at_400", "kobe_rapid_control",
        "tile_78", "incremental_float", "private_jr", "tigers_die", "earthquake", "air_raids",
    ),
    ("plain_kinki", "no_late_abilities", "tigers_die", "earthquake", "incremental_float"),
    (
        A, "special_companies", "first_player_cash_50", "plain_jr", "plain_jr_dividend", "plain_jr_par",
        "eight_turns", "earthquake", "incremental_float", "tigers_die", "tile_78", "close_minors",
    ),
    (B, "special_hankyu", "plain_jr", "earthquake", "private_jr", "hidden_cash", "closed_edges"),
    (D, "earthquake", "tigers_die", "incremental_float", "eight_trains", "end_at_400", "tile_78"),
]  # fmt: skip


@pytest.mark.parametrize("options", EVERYTHING)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.long
def test_games_with_many_variants_and_few_trains_keep_every_yen(options: tuple[str, ...], seed: int) -> None:
    """With one train of each rank the late phases come early."""
    t = build("1890", 3, options)
    t = replace(t, trains={rank: replace(train, count=1 + (rank == "D")) for rank, train in t.trains.items()})
    random = Random(seed)
    s = start(t, NAMES[:3])
    for _ in range(6000):
        if s.over:
            break
        before, s = s, apply(t, s, choose(t, s, random))
        assert sum(s.cash.values()) == t.bank
        if s.board is before.board:
            continue
        assert s.board.tokens == state_of(t, s.names, json.loads(json.dumps(s.to_dict()))).board.tokens
    assert s.over


@pytest.mark.rule("1890-VAR-18b")
def test_a_home_comes_before_the_token_of_who_operates_sooner() -> None:
    found = last_3_3().tile("F9", "15", 1).par("Hanshin", 65).shares("Hanshin", p2=6).par("Sanyo", 75)
    t, s = found.shares("Sanyo", p3=6).token("Sanyo", "F9").build()
    after = allows(t, s, RAID)
    assert tokens_at(after, "F9") == ("Hanshin",)
    assert own(after).beside == {"F9": ("Sanyo",)}


# What those who are asked must know


@pytest.mark.rule("1890-VAR-17", "1890-VAR-18")
def test_before_a_train_is_bought_it_is_said_that_it_brings_the_earthquake_or_the_air_raids() -> None:
    def told(found: Table) -> str:
        t, s = found.build()
        return t.policy.milestones.reminder(t, s)

    assert told(buying_d(left=6)) == "One of the 6 D-trains left brings the earthquake."
    assert told(buying_d(left=1, phase="6")) == "The last D-train brings the earthquake."
    assert told(buying_d(left=6).own(quaked=True)) == told(buying_d(left=0)) == ""
    assert told(last_3_3()).startswith("The last 3+3-train brings air raids")
    assert told(last_3_3().own(beside={})) == ""
    two = last_3_3()
    two.state.depot["3+3"] = 2
    assert told(two) == ""


@pytest.mark.rule("1890-VAR-09")
def test_once_a_price_has_reached_400_the_round_is_the_last_and_it_is_said() -> None:
    for options, column, ends in ((("end_at_400",), 17, True), (("end_at_400",), 16, False), ((), 17, False)):
        t, s = railway("Hankyu", "trains", *options, phase="4").par("Hankyu", 80, (0, column)).build()
        milestones = t.policy.milestones
        assert milestones.last_round(t, s) == ends
        assert milestones.reminder(t, s) == ends * "A share price has reached 400: the game ends after this turn."


@pytest.mark.rule("1890-VAR-09")
def test_the_market_marks_the_price_that_ends_the_game_only_where_it_does() -> None:
    for options, marked in (((), set()), (("end_at_400",), {400})):
        cells = [cell for row in build("1890", 3, options).market.rows for cell in row if cell]
        assert {cell.price for cell in cells if cell.zone == "end"} == marked


@pytest.mark.rule("1890-VAR-14", "1890-VAR-14c")
def test_a_company_that_has_sold_too_little_to_operate_says_what_it_needs() -> None:
    found = market("incremental_float", phase="2").par("Hankyu").shares("Hankyu", p1=2).par("Sanyo")
    t, s = found.shares("Sanyo", p2=3).par("JR", 100).shares("JR", p3=4).build()
    keep(s, incremental=("Hankyu", "Sanyo", "JR"))
    s.floated |= {"Hankyu", "Sanyo", "JR"}
    states = {row.company.id: row.status for row in table_view(t, s).companies if row.floated}
    assert states == {"Hankyu": "needs 30 % sold", "Sanyo": "", "JR": "needs 50 % sold"}
