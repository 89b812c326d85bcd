"""A company's turn takes few presses: hexes in the turn's message, runs with their dividend, one press to end it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from club import Club, buttons, selects, text
from decisions import card_of
from discord import ui
from player import answer, private_answer
from tables import Table as Laid
from tables import table

import engine
from bot.chat.screen import MAX_OPTION, Button, Screen, Select
from bot.core.moves import Move, Note, joins, read_note
from bot.core.orders import Orders
from bot.core.outcome import outcomes
from bot.core.position import Position
from bot.core.secrecy import public_choices, secret_kinds, unpaid
from bot.core.table import Table
from bot.core.undoing import turnback
from bot.core.work import Work
from bot.rooms.turn.controls import add_controls
from bot.rooms.turn.forms import form
from bot.rooms.turn.lay_tile import hex_screen, lays, preview_screen, tile_screen
from bot.rooms.turn.screen import add_more, places_marked, turn_screen
from bot.words.lexicon import lexicon
from bot.words.narration import lines_of
from engine import actions as a
from engine.board.routes import Route
from engine.errors import Refused
from engine.facts import TileLaid, TrainsRan
from engine.ids import BANK, RESERVED, CorpId, PlayerId
from engine.state import State
from engine.title import Title
from programs import Operate
from renderer.card import spoken

pytestmark = pytest.mark.usefixtures("plain_pictures")


def operating(step: str, *options: str) -> Laid:
    """AR runs a 2-train between Kotohira and the ferry; IR is next."""
    laid = table("1889", 3, *options).par("AR", 100, (0, 3)).shares("AR", p1=5, p2=2).phase("3", left_3=0)
    laid = laid.par("IR", 100, (0, 3)).shares("IR", president="p2", p2=5)
    return laid.operating("AR", step, then=("IR",)).tile("K8", "57", 1).trains("AR", "2").cash(AR=500)


def towards_water() -> Laid:
    """AR lays track, and one of the hexes it reaches has terrain to pay for."""
    return operating("track").tile("K8", "14", 0)


async def shown(position: Position) -> Screen:
    """The controls of the turn's message."""
    choices = await public_choices(position)
    screen = Screen("x", game="g", seq=position.seq)
    labels = await position.full_labels(choices[0].by)
    add_controls(screen, choices, labels, secret=secret_kinds(position))
    return screen


def at(t: Title, s: State, work: Work) -> Position:
    return Position(t, s, 5, dict(s.names), work)


def pressed(screen: Screen) -> dict[str, str]:
    """The buttons: label and code."""
    return {one.label: one.code for row in screen.rows if not isinstance(row, Select) for one in row}


def listed(screen: Screen, hint: str) -> list[str]:
    """The options of the list with this hint."""
    return [one.label for row in screen.rows if isinstance(row, Select) and row.hint == hint for one in row.options]


async def put(club: Club, t: Title, s: State, **settings: str) -> Table:
    """A game of the club that stands in this position."""
    here = await club.begin(t.players, t.id, options=",".join(sorted(t.options)), **settings)
    s.names = dict(here.names)
    here.beginning = s
    here._arrive(here.position.seq)
    await club.announces(here)
    return here


async def test_lists_in_the_message_of_a_turn_say_what_each_choice_leads_to(club: Club) -> None:
    laid = table("1888", 3).par("SSL", 95).shares("SSL", p1=4, p2=2).par("CDL", 90).shares("CDL", president="p2", p2=4)
    here = await put(club, *laid.stock().cash(p1=900).build())
    lists = {row.name: row for row in (await turn_screen(here)).rows if isinstance(row, Select)}
    notes = {name: [one.note for one in lists[name].options] for name in ("BuyShare", "SellShares")}
    assert "leaves ¥805; you hold 50 %" in notes["BuyShare"][0]
    assert "you then have ¥" in notes["SellShares"][0]


async def test_where_an_exchange_is_what_is_asked_passing_comes_last(work: Work) -> None:
    laid = table("1890", 3).phase("2").par("Kinki", 80).shares("Kinki", {"reserved": 5, "p2": 2}).private(M1="p1")
    t, s = laid.operating("Kinki", "track").pending("join", "p1", "M1").build()
    assert list(pressed(await shown(at(t, s, work)))) == ["Merge M1 into Kinki", "Stay out for now"]


async def test_a_turn_with_one_lay_the_best_run_and_a_payout_takes_four_presses(club: Club) -> None:
    here = await put(club, *operating("track").cash(AR=90).build())
    member, presses = club.who("p1", here), 0

    async def click(message: Any, label: str) -> Any:
        nonlocal presses
        presses += 1
        return private_answer(await member.click(message, label=next(x for x in buttons(message) if label in x)))

    packet = club.packet()
    custom_id, options = next(iter(selects(packet).items()))
    tiles = private_answer(await member.select(packet, [options[0]["value"]], custom_id=custom_id))
    await click(tiles, "1")
    assert type(here.moves[-1].action) is a.LayTile
    presses += 1
    await click(club.packet(), "Run, pay")
    while here.position.decision.subject == "AR":
        await click(club.packet(), "End the turn")
    assert presses <= 4
    kinds = [type(one.action) for one in here.moves if one.action.by == "p1"]
    assert [a.LayTile, a.RunTrains, a.Dividend] == [kind for kind in kinds if kind is not a.Pass]


@pytest.mark.parametrize("cost", [False, True])
async def test_a_tile_is_laid_by_its_number_where_it_is_told_what_each_costs(work: Work, cost: bool) -> None:
    t, s = (towards_water() if cost else operating("track")).cash(AR=900, IR=100).build()
    found: dict[str, list[a.LayTile]] = {}
    for one in engine.legal(t, s, "p1"):
        if isinstance(one, a.LayTile):
            found.setdefault(one.hex, []).append(one)
    compared = 0
    for hex_id, some in found.items():
        paid = [fact.cost for fact in engine.apply(t, s, some[0]).facts if isinstance(fact, TileLaid)]
        if len(some) > 1 and bool(sum(paid)) is cost:
            screen = await tile_screen(at(t, s, work), "GAME", "p1", a.LayTile, "AR", hex_id)
            numbers = [code for label, code in pressed(screen).items() if label.isdigit()]
            assert all(code.startswith("LayTile|") for code in numbers)
            assert (f"Each costs ¥{sum(paid)}." in screen.text) is cost
            lay = await preview_screen(at(t, s, work), "GAME", "p1", some[0])
            assert (f"It costs ¥{sum(paid)}." in lay.text) is cost
            compared += 1
    assert compared


def with_a_power(private: str) -> Laid:
    """JHR, which owns the private, lays track from Beijing."""
    laid = table("1888", 3).par("JHR", 90, (1, 2)).shares("JHR", p1=6).phase("3")
    return laid.operating("JHR", "track").private(**{private: "JHR"})


@pytest.mark.rule("1888-PRV-11")
async def test_a_private_s_free_tile_says_what_its_power_is_and_nothing_of_terrain(work: Work) -> None:
    t, s = with_a_power("CW").build()
    screen = await hex_screen(at(t, s, work), "GAME", "p1", a.LayPowerTile, "CW")
    assert "one yellow tile, or two that join" in screen.text
    (hexes,) = [row for row in screen.rows if isinstance(row, Select)]
    assert len(hexes.options) > 5
    assert not any("terrain" in one.note for one in hexes.options)


def ploughing(title: str, corp: str, hex_id: str, tile: str, rotation: int) -> Laid:
    """A company lays track, with mountains or a river in its way."""
    laid = table(title, 3).phase("2").par(corp, 80).shares(corp, p1=6).operating(corp, "track")
    return laid.tile(hex_id, tile, rotation).cash(**{corp: 500}).rounds(2, 1, 1)


@pytest.mark.rule("1889-PRV-08", "1890-COR-15")
@pytest.mark.parametrize("free", [False, True])
def test_the_list_of_hexes_tells_no_terrain_that_the_company_does_not_pay(work: Work, free: bool) -> None:
    mines = ploughing("1889", "IR", "E2", "57", 0).private(D="IR" if free else "p1").build()
    subway = ploughing("1890", "Subway", "E12", "57", 0).set(operated=frozenset(() if free else ("Subway",))).build()
    for (t, s), hex_id in ((mines, "E4"), (subway, "H11")):
        lays = [one for one in engine.legal(t, s, "p1") if isinstance(one, a.LayTile) and one.hex == hex_id]
        assert lays
        assert ("terrain ¥80" in at(t, s, work).labels("p1").place(hex_id, lays)) is not free


@pytest.mark.parametrize(
    ("private", "name", "does"),
    [("TA", "Terracotta Army", "red piece on Xi'an (H2)"), ("HS", "Heng Shan", "the mountain on Heng Shan (C5): each")],
)
async def test_the_tile_of_a_private_stands_among_the_hexes_with_what_it_does(
    private: str, name: str, does: str, work: Work
) -> None:
    """A button each, they made a message of 716 px, and nothing in it said what they are for."""
    t, s = with_a_power(private).tile("D10", "5", 1).build()
    screen = await shown(at(t, s, work))
    (hexes,) = [row for row in screen.rows if isinstance(row, Select)]
    (tile,) = [one for one in hexes.options if one.code == f"lay|LayPowerTile|{private}"]
    assert tile.label == f"The tile of {private} {name}…"
    assert does in tile.note[:MAX_OPTION]
    assert tile.code not in pressed(screen).values()


async def test_the_tile_of_a_private_is_not_what_a_stock_round_asks_for_first(work: Work) -> None:
    t, s = table("1889", 3).private(B="p1").stock().build()
    screen = await shown(at(t, s, work))
    (lay,) = [one for row in screen.rows if not isinstance(row, Select) for one in row if one.label.startswith("Lay")]
    assert listed(screen, "Start a company…")
    assert lay.style == "secondary"


async def test_where_the_tile_of_a_private_is_all_that_can_be_laid_the_map_marks_where_and_the_card_says_why(
    work: Work,
) -> None:
    t, s = with_a_power("TA").set(lays=("yellow", "yellow")).build()
    here = at(t, s, work)
    choices = await public_choices(here)
    assert {type(one) for one in choices} == {a.LayPowerTile, a.Pass}
    assert pressed(await shown(here))["Lay the tile of TA…"] == "lay|LayPowerTile|TA"
    assert places_marked(choices) == ("H2",)
    card = card_of(t, s)
    assert "No other tile can be laid: TA Terracotta Army, A company that owns it may put the red" in spoken(card)


@pytest.mark.parametrize(
    ("pool", "offered"),
    [
        (0, ["Exchange FC for a share of JHR"]),
        (2, [f"Exchange FC for a share of JHR from the {one}" for one in ("initial offering", "open market")]),
    ],
)
async def test_an_exchange_says_where_the_share_comes_from_if_there_is_a_choice(
    pool: int, offered: list[str], work: Work
) -> None:
    """Elsewhere it took two lines of a phone."""
    box = table("1888", 3).phase("3").par("JHR", 80).shares("JHR", p1=5, p2=2, pool=pool).private(FC="p1").stock()
    here = at(*box.build(), work)
    labels = here.labels()
    assert [labels.of(one) for one in await here.choices() if isinstance(one, a.ExchangePrivate)] == offered


@pytest.mark.rule("1889-SEC-03", "1890-SEC-02")
async def test_a_token_is_offered_to_rich_and_poor_of_whom_the_poor_are_told_what_it_costs(work: Work) -> None:
    """The button was missing where the company had too little: everybody could tell, and its president read nothing."""
    found = []
    for cash in (0, 900):
        laid = table("1889").par("IR", 100, (0, 3)).shares("IR", p1=5).par("AR", 100, (0, 3)).shares("AR", p2=5)
        laid = laid.tile("E2", "6", 5).tile("F3", "57", 2).tile("G4", "6", 2).operating("IR", "token")
        t, s = laid.cash(IR=cash, AR=1000 - cash).build()
        found.append(await public_choices(at(t, s, work)))
        missing = unpaid(t, s, a.PlaceToken)
        assert (missing is None) is (cash == 900)
        assert missing is None or "costs ¥40" in missing.text
    assert found[0] == found[1]
    assert a.PlaceToken in map(type, found[0])


@pytest.mark.parametrize(
    ("private", "offered"), [("CW", {"Other tile", "Other hex"}), ("HS", {"Other tile"}), ("TA", set())]
)
async def test_other_tiles_and_hexes_are_offered_where_there_are_any(
    private: str, offered: set[str], work: Work
) -> None:
    t, s = with_a_power(private).build()
    here = at(t, s, work)
    lay = (await lays(here, "p1", a.LayPowerTile, private))[0]
    assert pressed(await preview_screen(here, "GAME", "p1", lay)).keys() - {"Lay it"} == offered


@pytest.mark.rule("1889-SEC-03")
async def test_the_hexes_in_the_message_are_the_same_for_rich_and_poor(work: Work) -> None:
    """Whoever chooses a hex whose terrain the company cannot pay for is told so alone."""
    screens = []
    for cash in (0, 40, 900):
        t, s = towards_water().cash(AR=cash, IR=1000 - cash).build()
        screens.append(await shown(at(t, s, work)))
    assert screens[0].rows == screens[1].rows == screens[2].rows
    assert len(listed(screens[0], "Lay a tile on…")) > 1


@pytest.mark.rule("1889-TRK-19")
async def test_a_hex_that_costs_too_much_says_so_when_it_is_chosen(club: Club) -> None:
    here = await put(club, *towards_water().cash(AR=0).build())
    custom_id, options = next(iter(selects(club.packet()).items()))
    dear = next(one["value"] for one in options if "terrain" in one["description"])
    assert "AR has ¥0" in await answer(club.who("p1", here).select(club.packet(), [dear], custom_id=custom_id))


async def test_who_is_not_asked_cannot_open_the_hexes(club: Club) -> None:
    here = await put(club, *operating("track").build())
    custom_id, options = next(iter(selects(club.packet()).items()))
    told = await club.who("p2", here).select(club.packet(), [options[0]["value"]], custom_id=custom_id)
    assert "not your turn" in text(private_answer(told))


@pytest.mark.rule("1889-SEC-03")
async def test_money_that_only_one_company_can_have_is_no_secret(work: Work) -> None:
    alone = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=5, p2=2).operating("AR", "trains").cash(AR=500)
    assert secret_kinds(at(*alone.build(), work)) == frozenset()
    kinds = secret_kinds(at(*operating("trains").build(), work))
    assert kinds >= {a.BuyTrain, a.SellShares}, "what must be sold says what is missing"
    started = alone.par("IR", 100, (0, 3)).shares("IR", president="p2", p2=2)
    assert a.BuyTrain in secret_kinds(at(*started.build(), work))


async def test_credits_are_a_secret_though_only_one_company_has_any(work: Work) -> None:
    t, s = table("1860", 3).par("C&N", 74).shares("C&N", p1=5).operating("C&N", "trains").build()
    assert a.BuyTrain in secret_kinds(at(t, s, work))


async def test_a_form_for_a_private_s_price_says_between_which_it_lies(work: Work) -> None:
    made = form(at(*operating("trains").private(D="p2").build(), work), "g", ["CompanyBuysPrivate", "AR", "D"], [])
    assert [one.description for one in made.children if isinstance(one, ui.Label)] == ["¥25 to ¥100"]


@pytest.mark.rule("1889-SEC-03")
async def test_a_train_of_the_bank_is_bought_by_one_press_though_the_treasury_is_secret(
    club: Club,
) -> None:
    here = await put(
        club, *operating("trains").phase("3").cash(AR=299, IR=100).trains("AR", "2").trains("IR", "3").build()
    )
    president, other = club.who("p1", here), club.who("p2", here)
    shown = buttons(club.packet())
    assert {"Buy a 4-train: ¥300", "From another company…"} <= set(shown)
    told = [private_answer(await one.click(club.packet(), label="Buy a 4-train: ¥300")) for one in (president, other)]
    assert "AR has ¥299" in text(told[0])
    assert "¥299" not in text(told[1])
    here.position.state.cash["AR"] = 300
    await club.announces(here)
    assert buttons(club.packet()) == shown
    await president.click(club.packet(), label="Buy a 4-train: ¥300")
    assert here.position.state.trains["AR"] == ("4",)


async def test_an_only_choice_is_a_button(work: Work) -> None:
    laid = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=2).cash(p1=120)
    screen = await shown(at(*laid.build(), work))
    assert pressed(screen)["Buy a share of AR for ¥100"] == "BuyShare|AR|ipo"
    assert not listed(screen, "Buy a share…")


async def test_one_list_buys_shares_and_starts_companies(work: Work) -> None:
    laid = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=2, pool=2).cash(p1=150)
    screen = await shown(at(*laid.build(), work))
    bought = ["AR for ¥100", "AR for ¥100 from the open market"]
    offered = listed(screen, "Buy a share or start…")
    assert offered[:2] == bought
    assert offered[2:]
    assert all(one.startswith("Start ") for one in offered[2:])
    assert not {"Buy a share…", "Start a company…"} & {row.hint for row in screen.rows if isinstance(row, Select)}


async def test_privates_of_the_bank_stand_in_the_list_of_shares(work: Work) -> None:
    laid = table("1890", 3).par("Nankai", 100).shares("Nankai", p1=2, pool=2).phase("4").stock().cash(p1=900)
    t, s = laid.private(K1="reserved", K3="reserved").build()
    screen = await shown(at(t, s, work))
    offered = listed(screen, "Buy or start a company…")
    assert offered[0] == "Nankai for ¥100"
    assert [one for one in offered if one.startswith("Buy K")]
    assert not {"Choose a private…", "Buy a share…"} & {row.hint for row in screen.rows if isinstance(row, Select)}


@pytest.mark.parametrize(("pool", "list_"), [(2, True), (0, False)])
async def test_what_players_sell_stands_in_the_list_of_shares_that_there_is(work: Work, pool: int, list_: bool) -> None:
    laid = table("1890", 3).par("Nankai", 100).shares("Nankai", p1=2, p2=8 - pool, pool=pool).stock().cash(p1=900)
    t, s = laid.private(A="p2", B="p2", K1="reserved", K3="reserved").build()
    s.owner |= {one: RESERVED for one, owner in s.owner.items() if owner == BANK}
    screen = await shown(at(t, s, work))
    last = [row.options[-1] for row in screen.rows if isinstance(row, Select) and row.name == "BuyShare"]
    assert [(one.label, one.code) for one in last] == [("Buy from a player…", "menu|TradePrivate")] * list_
    assert ("Buy from a player…" in pressed(screen)) is not list_


async def test_a_single_share_stands_in_the_list_of_companies_to_start(work: Work) -> None:
    """It was a button in a row of its own beside that list."""
    laid = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=2).cash(p1=150)
    screen = await shown(at(*laid.build(), work))
    assert listed(screen, "Buy a share or start…")[:2] == ["AR for ¥100", "Start IR Iyo Railway"]
    assert "Buy a share of AR for ¥100" not in pressed(screen)


async def test_the_only_company_that_can_be_started_is_named_by_its_list(work: Work) -> None:
    laid = table("1889", 3, "by_the_book").cash(p1=500)
    for corp in ("AR", "IR", "SR", "KO", "TR", "KU"):
        laid = laid.par(corp, 100, (0, 3)).shares(corp, p2=2)
    screen = await shown(at(*laid.build(), work))
    assert "Start UR at ¥65" in listed(screen, "Buy a share or start…")
    bare = laid.set(sold={"p1": frozenset(map(CorpId, ("AR", "IR", "SR", "KO", "TR", "KU")))})
    assert listed(await shown(at(*bare.build(), work)), "Start UR…")[0] == "¥65"


@pytest.mark.parametrize("shares", [2, 1])
async def test_a_single_private_of_the_bank_stands_in_the_list_of_shares_that_there_is(work: Work, shares: int) -> None:
    """Beside a single share, too: their buttons took two rows."""
    laid = table("1860", 3, "by_the_book").private(YHC="bank").set(turn=3)
    for corp in ("C&N", "IOW")[:shares]:
        laid = laid.par(corp, 74).shares(corp, p2=5)
    screen = await shown(at(*laid.cash(p1=90).build(), work))
    assert "Buy YHC for £50" not in pressed(screen)
    assert any(one.startswith("Buy YHC") for one in listed(screen, "Buy a share or private…"))


async def test_what_can_be_done_with_privates_of_ones_own_is_one_list_that_names_the_company(work: Work) -> None:
    laid = table("1860", 3).par("C&N", 74).private(CMH="p1").set(turn=2)
    screen = await shown(at(*laid.build(), work))
    assert listed(screen, "Your privates…") == ["Sell CMH for £60", "Exchange CMH for a share of C&N"]
    assert not {"Exchange CMH for a share of C&N", "Sell CMH for £60"} & {*pressed(screen)}
    alone = await shown(at(*table("1860", 3).private(CMH="p1").set(turn=2).build(), work))
    assert pressed(alone)["Sell CMH for £60"] == "SellPrivate|CMH"


@pytest.mark.rule("1860-PRV-02")
async def test_the_sale_of_a_private_that_brings_nothing_is_in_a_list_and_no_button(work: Work) -> None:
    """It is legal, but stood there as if it were one of the few things to do."""
    screen = await shown(at(*table("1860", 3).private(BHC="p1").set(turn=2).build(), work))
    assert listed(screen, "Your privates…") == ["Sell BHC for £0"]
    assert "Sell BHC for £0" not in pressed(screen)


@pytest.mark.parametrize(("count", "rows"), [(4, [5]), (5, [4, 2]), (6, [5, 2])])
def test_more_does_not_stand_alone_below_a_full_row(count: int, rows: list[int]) -> None:
    screen = Screen()
    screen.buttons(*(Button(str(number), str(number)) for number in range(count)))
    add_more(screen)
    assert [len(row) for row in screen.rows if isinstance(row, tuple)] == rows


async def test_routes_of_ones_own_stand_in_the_list_of_runs_where_there_is_one(work: Work) -> None:
    screen = Screen()
    position = at(*operating("run", "open_treasuries").build(), work)
    labels = await position.full_labels("p1")
    (best,) = (one for one in labels.runs if isinstance(one, a.RunTrains))
    add_controls(screen, [best], labels)
    assert "Other routes…" in pressed(screen)
    several = Screen()
    add_controls(several, [best, replace(best, routes=())], labels)
    assert listed(several, "Run for…")[-1] == "Other routes…"
    assert "Other routes…" not in pressed(several)


async def test_a_choice_of_routes_names_the_ends_of_each(work: Work) -> None:
    position = at(*operating("run", "open_treasuries").build(), work)
    labels = await position.full_labels("p1")
    (best,) = (one for one in labels.runs if isinstance(one, a.RunTrains))
    assert labels.note(best) == "2: Tokushima to Naruto & Awaji (2 stops) ¥40"


async def test_a_token_can_be_declined_with_the_run_and_the_dividend(club: Club) -> None:
    here = await put(club, *operating("token", "open_treasuries").tile("I6", "57", 1).build())
    label = next(label for label in buttons(club.packet()) if label.startswith("No token: run, pay"))
    await club.who("p1", here).click(club.packet(), label=label)
    kinds = [type(one.action) for one in here.moves[:3]]
    assert kinds == [a.Pass, a.RunTrains, a.Dividend]
    assert [one.user for one in here.moves[:3]] == [club.aiko.id] * 3


def test_all_of_a_press_is_done_before_a_program_goes_on() -> None:
    t, s = operating("token", "open_treasuries").tile("I6", "57", 1).build()
    ann, corp = PlayerId("p1"), CorpId("AR")
    declined = a.Pass(ann)
    run = next(one for one in engine.legal(t, engine.apply(t, s, declined), ann) if isinstance(one, a.RunTrains))
    orders = Orders({}, {ann: 1})
    orders.desks[ann] = orders.desk(ann).having(Operate(corp=corp, rounds=0, pays="pay"))
    press = [declined, run, a.Dividend(ann, corp, "withhold")]
    moves = outcomes(t, s, press, 1, None, 1, orders)
    assert [one.action for one in moves[:3]] == press


async def test_a_press_that_did_several_decisions_is_taken_back_by_one(club: Club) -> None:
    here = await put(club, *operating("token", "open_treasuries").tile("I6", "57", 1).build())
    label = next(label for label in buttons(club.packet()) if label.startswith("No token: run, pay"))
    aiko = club.who("p1", here)
    await aiko.click(club.packet(), label=label)
    assert here.position.decision.step == "trains"
    rows = await here.store.log(here.game.id)
    assert [joins(row.note) for row in rows] == [one.joined for one in here.moves] == [False, True, True]
    await aiko.click(club.packet(), label="Undo")
    assert here.position.decision.step == "token"
    assert here.moves == []


async def test_a_decision_of_a_press_can_still_be_taken_back_on_its_own(club: Club) -> None:
    here = await put(club, *operating("run", "open_treasuries").build())
    await club.who("p1", here).click(club.packet(), label="Withhold")
    await here.undo(user=club.aiko.id, seq=here.moves[1].seq)
    assert here.position.decision.step == "dividend"
    await here.redo(user=club.aiko.id)
    await here.undo(user=club.aiko.id)
    assert here.position.decision.step == "run"


async def test_a_press_with_others_moves_after_it_is_taken_back_whole_if_they_agree(club: Club) -> None:
    here = await put(club, *operating("trains", "open_treasuries").private(A="p2").build())
    await club.who("p1", here).click(club.packet(), label="End the turn")
    assert here.position.decision.subject == "IR"
    back = turnback(here, club.aiko.id)
    assert back.kept == 0
    assert back.asked == ()
    await here.submit((await here.position.actions("p2"))[0], user=club.ben.id)
    back = turnback(here, club.aiko.id)
    assert (back.kept, back.asked) == (0, ("p2",))
    assert turnback(here, club.ben.id).kept == len(here.moves) - 1


async def test_ending_the_turn_declines_privates_too(club: Club) -> None:
    here = await put(club, *operating("trains", "open_treasuries").private(A="p2").build())
    await club.who("p1", here).click(club.packet(), label="End the turn")
    assert [one.action for one in here.moves[:2]] == [a.Pass("p1"), a.Pass("p1")]
    assert here.position.decision.subject == "IR"


async def test_a_turn_that_must_buy_a_train_cannot_be_ended(work: Work) -> None:
    t, s = operating("trains").trains("AR").build()
    assert "End the turn" not in pressed(await shown(at(t, s, work)))


async def test_what_later_steps_alone_offer_is_not_declined_before(work: Work) -> None:
    """At the track step there is more to come than passing declines."""
    t, s = operating("track").private(A="p2").build()
    buttons_there = pressed(await shown(at(t, s, work)))
    assert buttons_there["No track"] == "Pass"


async def test_a_press_that_is_refused_halfway_does_nothing(club: Club) -> None:
    here = await put(club, *operating("trains", "open_treasuries").build())
    with pytest.raises(Refused):
        await here.submit(a.Pass("p1"), a.Dividend("p1", "AR", "pay"), user=club.aiko.id)
    assert here.moves == []
    assert here.position.decision.step == "trains"


def test_a_long_line_is_told_without_its_brackets_but_with_its_mark() -> None:
    """It once ended in a lone asterisk: "C&N runs for £100*"."""
    routes = (Route("2", ("K8.0", 3, "I4.0")), 40), (Route("3", ("K4.0", 3, "K8.0")), 60)
    (told,) = lines_of([TrainsRan(CorpId("AR"), routes, 100)], lexicon({}, engine.build("1889", 3)))
    assert "(2-train Tokushima to Kotohira (2 stops) ¥40; " in told.text
    assert told.noted("after a suggestion").brief == "**AR** runs for ¥100. *(after a suggestion)*"
    (told,) = lines_of([TrainsRan(CorpId("AR"), routes[:1], 40)], lexicon({}, engine.build("1889", 3)))
    assert told.brief == "**AR** runs for ¥40 (2-train Tokushima to Kotohira (2 stops) ¥40)."


@pytest.mark.parametrize("note", [None, Note("host"), Note("suggested"), Note("offer", 12)])
def test_what_one_press_did_together_is_read_from_the_log_with_how_it_came_about(note: Note | None) -> None:
    _, s = operating("run").build()
    alone, joined = (Move(2, a.Pass("p1"), 1, note, s, joined=one) for one in (False, True))
    assert (read_note(alone.stored_note), joins(alone.stored_note)) == (note, False)
    assert (read_note(joined.stored_note), joins(joined.stored_note)) == (note, True)
