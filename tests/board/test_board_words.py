"""Words on the board, whatever makes them."""

from __future__ import annotations

import asyncio
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from boarding import Party, page, party
from browsing import IN_ONE_LOOP
from tables import offered, table
from walks import walk

import engine
from board.drawing import begin, drawn
from board.holdings import bank, companies, market, money
from board.map_parts import lying
from board.markup import Html, said, text
from board.page import plain
from board.past import rules
from board.place import runs
from board.questions import taken
from board.turn import SECTIONS, OnOffer, asked, panel, written
from bot.core import desks, outcome
from bot.core.hours import DAY
from bot.core.passing import ends_turn
from bot.core.position import Position, ProposedRun
from bot.core.undoing import Turnback
from bot.core.work import Work
from bot.rooms.seats import handing
from bot.rooms.turn import asking, deals
from bot.rooms.turn.asking import MOST_LISTED
from bot.words.labels import Labels, together
from bot.words.lexicon import lexicon
from engine import State, Title
from engine.actions import (
    Action,
    Bid,
    BidToChoose,
    BuyTrain,
    CompanyBuysPrivate,
    ExchangePrivate,
    LayPowerTile,
    LayTile,
    Pass,
    RunTrains,
)
from engine.ids import BANK, CorpId, PlayerId, PrivateId, Rank, StopId
from engine.router.case import Best
from engine.steps.run import proposals
from engine.viewing import board_view, market_view, route_views, table_view
from engine.views import RouteView
from programs import PassAhead

APART = re.compile(r"\d %")


@pytest.mark.long
@IN_ONE_LOOP
async def test_a_figure_and_its_sign_of_per_cent_stay_on_one_line(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "shares" and position.state.turn > 2)
        async with page(here, here.user_up()) as mine:
            parts = await mine.parts()
    shown = {name: re.sub(r"<[^>]*>", "", html) for name, html in parts.items()}
    assert [name for name, words in shown.items() if APART.search(words)] == []
    together = {name for name, words in shown.items() if "\N{NO-BREAK SPACE}%" in words}
    assert together >= {"turn", "log", "companies", "players"}


def test_a_name_may_end_in_a_space_and_the_sign() -> None:
    assert said("**Ann** buys 10 % of **A %**.") == "<b>Ann</b> buys 10\N{NO-BREAK SPACE}% of <b>A %</b>."
    assert text("40 % <") == "40\N{NO-BREAK SPACE}% &lt;"


def test_money_that_is_secret_is_said_to_be() -> None:
    t, s = table("1889", 3).build()
    html = text(money(lexicon(s.names, t), None))
    assert html == '<span aria-hidden="true">•••</span><span class="said">secret</span>'


def test_tiles_of_two_privates_on_the_map_are_said_to_be_of_either() -> None:
    """A company of 1888-N had both, and all marked hexes were said to be for the tile of the first."""
    begun = table("1888", 3).phase("3").par("JHR", 85).shares("JHR", {"p1": 6}).trains("JHR", "3")
    t, s = begun.private(CW="JHR", YRF="JHR").operating("JHR", "track").build()
    labels = Labels(lexicon(s.names, t), table_view(t, s), market_view(t, s), "track")
    lays = offered(t, s, LayPowerTile)
    hint = SECTIONS[LayTile](lays, OnOffer(s.players[0], lays, labels), {})
    assert "marked hexes to lay the tile of CW Great Wall or YRF Yanda Railway Ferry." in hint


async def turn_of(here: Party, user: int | None = None) -> str:
    """What the turn's panel says to a person, or to whoever is up, without marks."""
    async with page(here, here.user_up() if user is None else user) as mine:
        return re.sub(r"<[^>]*>", " ", (await mine.parts())["turn"])


@pytest.mark.broad
@IN_ONE_LOOP
async def test_one_button_ends_a_turn_in_which_no_other_step_is_to_come(tmp_path: Path) -> None:
    """Two stood there, "Done with trains" and "End the turn", and did the same."""
    async with party(tmp_path) as here:
        await here.play(lambda position: ends_turn(position.title, position.state))
        turn = await turn_of(here)
    assert "End the turn" in turn
    assert "Done with trains" not in turn


@IN_ONE_LOOP
async def test_whoever_may_bid_on_a_private_reads_who_bids_how_much(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        seat = here.table.position.up[0]
        await here.table.submit(Bid(seat, PrivateId("E"), 65), user=here.user_up())
        assert f"Dougo Railway · {here.table.names[seat]} bids ¥65 · ¥70" in await turn_of(here)


@IN_ONE_LOOP
async def test_whoever_may_bid_for_the_right_to_choose_reads_what_stands_and_what_for(tmp_path: Path) -> None:
    async with party(tmp_path, "1860") as here:
        seat = here.table.position.up[0]
        await here.table.submit(BidToChoose(seat, 15), user=here.user_up())
        turn = await turn_of(here)
    assert f"{here.table.names[seat]} bids £15" in turn
    for certificate in ("Ryde Pier &amp; Ferry Company", "£130, pays £30", "Cowes &amp; Newport", "2 × 74–100"):
        assert certificate in turn


def test_what_is_on_sale_and_in_which_zone_a_company_stands_is_not_told_by_colour_alone() -> None:
    t, s = table("1889").build()
    with ThreadPoolExecutor(1) as pool:
        here = Position(t, s, 0, {"p1": "Ann"}, Work(pool))
        assert re.findall(
            r"<li[^>]*><span[^>]*>(\w+)</span>[^<]*on sale", bank(here, here.table(), here.lexicon())
        ) == ["2"]
        view = here.market()
        zone, meaning = view.zones[0]
        rows = [
            tuple(replace(cell, tokens=(CorpId("AR"),)) if cell and cell.zone == zone else cell for cell in row)
            for row in view.rows
        ]
        shown = market(replace(view, rows=tuple(rows)), here.lexicon())
        assert shown.count(f'<span class="said">, {meaning}</span>') == shown.count('<span class="said">AR</span>') > 0
        assert f'class="said">, {meaning}' not in market(view, here.lexicon()), "no token stands there"


def test_a_private_that_pays_nothing_is_not_said_to_pay_0() -> None:
    t, s = table("1890", 3).private(A="p1", M1="p1").build()
    with ThreadPoolExecutor(1) as pool:
        here = Position(t, s, 0, {"p1": "Ann"}, Work(pool))
        shown = bank(here, here.table(), here.lexicon())
    assert "¥20, pays ¥5 · Ann" in shown
    assert "¥100 · Ann" in shown
    assert "¥0" not in shown


@pytest.mark.long
@IN_ONE_LOOP
async def test_to_pass_is_the_last_choice(tmp_path: Path) -> None:
    def exchanges(position: Position) -> bool:
        kinds = {type(one) for one in engine.legal(position.title, position.state, PlayerId(position.up[0]))}
        return {Pass, ExchangePrivate} <= kinds

    async with party(tmp_path, "1860") as here:
        await here.play(exchanges)
        turn = await turn_of(here)
    assert turn.index("Exchange") < turn.index(" Pass ")


@pytest.mark.long
@IN_ONE_LOOP
async def test_marked_hexes_are_counted_once_though_a_private_has_a_tile_for_some(tmp_path: Path) -> None:
    def ferry(position: Position) -> bool:
        kinds = {type(one) for one in engine.legal(position.title, position.state, PlayerId(position.up[0]))}
        return {LayTile, LayPowerTile} <= kinds

    async with party(tmp_path) as here:
        await here.play(ferry, seed=4)
        async with page(here, here.user_up()) as mine:
            parts = await mine.parts()
    assert parts["turn"].count("marked hexes") == 1
    assert f"one of the {parts['marks'].count('mark lay')} marked hexes to lay a tile or the tile of B" in parts["turn"]


@pytest.mark.long
@IN_ONE_LOOP
async def test_the_best_routes_are_run_by_the_buttons_that_pay_which_say_the_price(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "run", seed=3)
        seat = here.table.position.up[0]
        payouts = await here.table.position.payouts(seat)
        async with page(here, here.user_up()) as mine:
            turn = (await mine.parts())["turn"]
    assert len(payouts) == 2
    assert turn.count("choice success") == 1
    assert len(re.findall(r"<small>price ¥\d+; ", turn)) == 2


def panel_of(t: Title, s: State, reader: str | None = None) -> str:
    """What the turn's panel says to whoever is up, or to the `reader` who plays for them, without marks."""
    with ThreadPoolExecutor(1) as executor:
        position = Position(t, s, 0, dict(s.names), Work(executor), reader=reader)
        seat = PlayerId(position.up[0])
        scene: Any = SimpleNamespace(position=position, seat_for=lambda user: seat, viewer_for=lambda user: seat)
        found = asyncio.run(asked(scene, 1))
        return re.sub(r"<[^>]*>", " ", panel(scene, found, Html(""), 1))


def test_what_it_means_to_be_insolvent_is_told_above_the_choices() -> None:
    box = table("1860").par("IOW").shares("IOW", p1=5).operating("IOW", "track").cash(IOW=0)
    told = panel_of(*box.own(layer=1, insolvent=("IOW",), paid={}).build())
    assert "IOW is insolvent: it keeps what a leased train earns (£40, and £20 a stop) until it can buy one" in told


def test_whoever_starts_a_company_reads_where_its_home_and_destination_are() -> None:
    told = panel_of(*table("1888", 3).par("SSL", 80).shares("SSL", p1=2).stock().build())
    assert "home F16 Yantai · destination H14 Qingdao +\N{WORD JOINER}¥20" in told


def test_a_companys_card_tells_its_destinations_and_which_it_has_reached() -> None:
    t, s = table("1860", 3, "destinations").par("C&N").own(destinations=("C&N G5",)).build()
    told = re.sub(r"<[^>]*>", " ", companies(table_view(t, s), lexicon(dict(s.names), t)))
    assert "Destination  G5 Newport reached" in told
    assert "Destination  I3 Ryde Esplanade +£50 once" in told
    t, s = table("1888", 3).par("HJR", 80, (1, 1)).build()
    assert "G9 Jinan +¥20" in companies(table_view(t, s), lexicon(dict(s.names), t))


@pytest.mark.rule("1890-VAR-16")
def test_who_runs_reads_what_is_thrown_for_afterwards() -> None:
    found = table("1890", 3, "tigers_die").phase("4").par("Hanshin", 80).shares("Hanshin", p1=6)
    found = found.operating("Hanshin", "run").trains("Hanshin", "3").rounds(2, 1, 3)
    told = panel_of(*found.tile("F9", "465N", 3).tile("F7", "57", 1).build())
    assert "Then roll the die for brown Nishinomiya (100, 60, 50 or 40)." in told


def test_for_a_company_without_a_director_each_reads_that_any_of_them_may_act() -> None:
    box = table("1860", 3, "online").par("IOW").shares("IOW", president="pool", p2=1, pool=4).trains("IOW", "2+1")
    told = panel_of(*box.tile("J4", "6", 0).tile("J6", "746", 0).operating("IOW", "run").build())
    assert " IOW  has no director: any of you may act for it." in told


def test_whoever_must_discard_a_train_reads_why() -> None:
    t, s = table("1860", 3).par("IOW").shares("IOW", p1=5).trains("IOW", "5+3", "5+3", "5+3").phase("6").build()
    s.round, s.step, s.operating = "OR", "excess", CorpId("IOW")
    assert "IOW has 3 trains and may keep 2." in panel_of(t, s)


def test_that_companies_build_for_the_last_time_is_told_above_the_choices() -> None:
    box = table("1860").par("IOW").shares("IOW", p1=5).operating("IOW", "track").cash(IOW=100)
    assert "has formed: companies build only until the next stock round" in panel_of(
        *box.own(layer=1, southern="formed", paid={}).build()
    )


@pytest.mark.second
def test_what_each_has_to_pay_for_the_earthquake_is_told_above_the_choices() -> None:
    box = table("1890", 3, "earthquake").phase("6").par("Sanyo", 100).shares("Sanyo", p1=3).stock()
    t, s = box.own(quake=True, quaked=True, damages={"p1": 600}).build()
    assert "The earthquake: you pay ¥600 at the end of this stock round" in panel_of(t, s)
    assert "“You” is Ann here." not in panel_of(t, s)
    assert "No price moves until then. “You” is Ann here." in panel_of(t, s, reader="p2")


def test_who_goes_bankrupt_is_not_the_company() -> None:
    box = (
        table("1889")
        .par("AR", 100, (0, 3))
        .shares("AR", p1=2, p2=2, p3=1)
        .operating("AR", "trains")
        .phase("3", left_3=0)
    )
    told = panel_of(*box.tile("K8", "57", 1).cash(AR=20, p1=150).build())
    assert " Declare bankruptcy " in told
    assert "AR: Declare" not in told


def test_whoever_buys_a_train_of_anothers_company_reads_who_must_agree() -> None:
    box = table("1889").par("AR", 75).par("KO", 75).par("TR", 75).cash(AR=300)
    box = box.shares("AR", p1=5).shares("KO", p1=5).shares("TR", p2=5).trains("KO", "2").trains("TR", "2")
    t, s = box.operating("AR", "trains").build()
    told = panel_of(t, s)
    assert f"2-train  {s.names[PlayerId('p2')]} must agree · ¥1: leaves AR ¥299" in told
    assert told.count("must agree") == 1


@pytest.mark.broad
@IN_ONE_LOOP
async def test_whoever_made_an_offer_reads_whose_answer_it_waits_for(tmp_path: Path) -> None:
    def deal(position: Position) -> BuyTrain | None:
        t, s = position.title, position.state
        buys = (one for one in engine.legal(t, s, PlayerId(position.up[0])) if isinstance(one, BuyTrain))
        return next((one for one in buys if engine.consent(t, s, one)), None)

    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "trains" and deal(position) is not None)
        position, user = here.table.position, here.user_up()
        wanted = deal(position)
        assert wanted is not None
        async with page(here, user) as mine:
            await mine.act(wanted)
        seller = engine.consent(position.title, position.state, wanted)
        assert f"It is waiting for {here.table.names[str(seller)]}'s answer." in unescape(await turn_of(here, user))
        (offer,) = await here.table.store.offers.open(here.table.id)
        await deals.answer(here.table, offer.id, user=here.user_of(str(seller)), accept=False, interaction=None)
        declined = f"{here.table.names[str(seller)]}  declines the offer: "
        assert declined in unescape(await turn_of(here, user)), "whoever made it saw it vanish"
        assert declined not in unescape(await turn_of(here, here.user_of(str(seller))))


@pytest.mark.long
@IN_ONE_LOOP
async def test_what_was_done_last_begins_with_the_move_that_chance_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcome, "RANDOM", random.Random(1))  # which draws no earthquake: that would be told first
    box = table("1890", 3, "earthquake").phase("5").par("Hankyu", 80).shares("Hankyu", p1=6)
    box = box.operating("Hankyu", "trains").cash(Hankyu=1200).rounds(2, 1, 3)
    box.state.depot.update({"6": 0, "D": 6})
    async with party(tmp_path, "1890", options='["earthquake"]') as here:
        _, here.table.beginning = box.build()
        here.table._arrive(here.table.position.seq)
        await here.table.submit(BuyTrain(PlayerId("p1"), CorpId("Hankyu"), Rank("D"), BANK, 1100), user=1)
        async with page(here, 1) as mine:
            told = (await mine.parts())["head"].partition('class="last"')[2]
    assert re.match(r"><b>Hankyu</b> buys a D-train from the bank for ¥1,100.*draw", unescape(told))


@pytest.mark.long
@IN_ONE_LOOP
async def test_everybody_reads_which_programs_of_theirs_are_on_and_nobody_elses(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        assert "Your programs" not in await turn_of(here, here.user_of("p2"))
        await desks.enable(here.table, PlayerId("p2"), PassAhead())
        assert "Your programs" in await turn_of(here, here.user_of("p2"))
        assert "Passes for the rest of this stock round or auction" in await turn_of(here, here.user_of("p2"))
        for user in (0, here.user_of("p1")):
            assert "rograms" not in await turn_of(here, user)
        await here.table.submit(Pass(PlayerId("p1")), user=here.user_of("p1"))
        await here.table.undo(user=here.user_of("p2"), seq=here.table.moves[-1].seq)
        told = await turn_of(here, here.user_of("p2"))
        assert "Programs of yours that stopped" in told
        assert "Your programs" not in told


@pytest.mark.long
@IN_ONE_LOOP
async def test_of_more_moves_than_are_listed_to_be_taken_back_it_is_said(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.seq > MOST_LISTED + 5)
        told = taken(here.table, Turnback(0, tuple(here.table.moves)))
    assert re.search(r"<li>… \d+ more in <code>/game history</code></li>", told)


def test_commands_in_a_page_that_only_says_something_stand_without_their_marks() -> None:
    assert "or use <code>/game start</code> once" in plain(
        "Tetsudo", "Press Start or use `/game start` once all are in."
    )


@pytest.mark.long
@IN_ONE_LOOP
async def test_whoever_waits_reads_what_the_other_is_to_decide_and_for_whom_but_once(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        name = here.table.names[here.table.position.up[0]]
        for user in (0, 2):
            async with page(here, user) as mine:
                parts = await mine.parts()
            assert f"Waiting for {name}" in parts["head"]
            assert "Waiting for" not in parts["turn"]
            assert f"{name} is to buy, bid or pass." in parts["turn"]
        await here.table.end_here()
        async with page(here, 1) as mine:
            assert (await mine.parts())["head"].count("The game is over") == 1


@IN_ONE_LOOP
async def test_whoever_waits_reads_that_the_seat_of_whoever_is_up_is_open(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        up = here.table.position.up[0]
        name, user = here.table.names[up], here.table.seats[up].user_id
        assert "open" not in await turn_of(here, 2)
        await handing.leave(here.table, user, 901)
        async with page(here, 2) as mine:
            parts = await mine.parts()
        assert f"Waiting for {name}&#x27;s open seat" in parts["head"]
        assert f"The seat of {name} is open: buy, bid or pass. It can be taken in the channel." in parts["turn"]
        assert f"{name} is to" not in parts["turn"], "nobody sits there"


@IN_ONE_LOOP
async def test_that_the_game_is_over_is_said_above_its_result_alone(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.table.end_here()
        turn = await turn_of(here, 1)
        async with page(here, 1) as mine:
            head = (await mine.parts())["head"]
    assert "1st" in turn
    assert "The game is over." not in turn
    assert "The game is over" in head


def test_a_price_stands_apart_from_what_the_purchase_leads_to() -> None:
    """It was "¥30 in a company's hands it can no longer be exchanged for a share"."""
    begun = table("1889", 3).phase("3").par("AR", 75).shares("AR", p1=4).private(E="p2").cash(AR=750)
    t, s = begun.operating("AR", "track").build()
    least = CompanyBuysPrivate(s.players[0], CorpId("AR"), PrivateId("E"), 30)
    foreseen: dict[Action, str] = {
        least: "in a company's hands it can no longer be exchanged for a share; leaves AR ¥720"
    }
    labels = Labels(lexicon(s.names, t), table_view(t, s), market_view(t, s), "track", foreseen=foreseen)
    shown = SECTIONS[CompanyBuysPrivate]([least], OnOffer(s.players[0], [least], labels), {})
    assert "Dougo Railway · ¥30: in a company" in shown


def test_a_route_names_a_hex_with_several_stops_once() -> None:
    t, s = table("1860", 3).par("C&N", 100).operating("C&N", "run").build()
    labels = Labels(lexicon(s.names, t), table_view(t, s), market_view(t, s), "run")
    stops = tuple((StopId(one), 10) for one in ("F2.0", "F2.1", "F4.0", "F2.2"))
    run = RunTrains(s.players[0], CorpId("C&N"), ())
    proposed = ProposedRun(run, (RouteView(Rank("2+1"), stops, (), 30),), Best((), 30, True, 30), legal=True)
    shown = SECTIONS[RunTrains]([run], OnOffer(s.players[0], [run], labels, [proposed]), {})
    assert " F2–F4–F2 " in shown


@IN_ONE_LOOP
@pytest.mark.broad
async def test_who_must_have_a_train_reads_so_beside_what_is_left_to_do(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(held_to_buy)
        async with page(here, here.user_up()) as mine:
            shown = (await mine.parts())["turn"]
        async with page(here, 0) as watching:
            assert "must" not in (await watching.parts())["turn"]
    assert f"{here.table.position.state.operating} must own a train" in shown


def held_to_buy(position: Position) -> bool:
    """A company may not be done before it has bought a train."""
    t, s = position.title, position.state
    return position.decision.step == "trains" and engine.judge(t, s, Pass(PlayerId(position.up[0]))) is not None


@pytest.mark.second
@IN_ONE_LOOP
async def test_whoever_may_do_something_in_anothers_turn_is_not_asked_for_the_others_decision(tmp_path: Path) -> None:
    """“Buy or bid.” stood above what a private allows at any time."""
    async with party(tmp_path) as here:
        await here.play(lambda position: bool(meanwhile(position)))
        seat = meanwhile(here.table.position)[0]
        async with page(here, here.user_of(seat)) as mine:
            shown = (await mine.parts())["turn"]
    assert "to lay the tile of B Mitsubishi Ferry" in shown
    assert 'class="task"' not in shown
    assert " is to buy, bid or pass" in shown


def meanwhile(position: Position) -> list[PlayerId]:
    """Who may do something though another is up."""
    t, s = position.title, position.state
    return [one for one in s.players if one not in position.up and any(engine.legal(t, s, one))]


@pytest.mark.long
@IN_ONE_LOOP
async def test_a_turn_that_only_ends_tells_nothing(tmp_path: Path) -> None:
    """“End turn” stood there, as if that were still to be pressed."""
    async with party(tmp_path) as here:
        await here.play(lambda position: position.labels().of(Pass(PlayerId(position.up[0]))) == "End turn")
        async with page(here, here.user_up()) as mine:
            status, told = await mine.act(Pass(here.table.position.up[0]))
        assert (status, told["said"]) == (200, "")


async def at_a_run(here: Party) -> tuple[Position, str, CorpId]:
    """Where a company runs, who decides, and the company."""
    await here.play(lambda position: position.decision.step == "run", seed=3)
    position = here.table.position
    assert position.state.operating is not None
    return position, position.up[0], position.state.operating


@pytest.mark.long
@IN_ONE_LOOP
async def test_the_first_hex_of_a_route_is_no_fault_yet(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        position, seat, corp = await at_a_run(here)
        best = (await position.proposals(seat))[0].action.routes
        routes = begin(position, best, position.state.trains[corp])
        train, hexes = routes[0]
        first = drawn(position, seat, corp, [(train, hexes[:1]), *routes[1:]])
        assert (first["problem"], first["said"][0], first["hexes"][0]) == ("", "", hexes[:1])
        assert (first["action"] is not None) == any(some for _, some in routes[1:])
        assert drawn(position, seat, corp, routes)["action"] is not None


@pytest.mark.second
@IN_ONE_LOOP
async def test_each_button_of_an_amount_says_what_the_amount_is_for(tmp_path: Path) -> None:
    """A screen reader came to “Less” and “More” six times."""
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        labels = re.findall(r'<button[^>]* aria-label="([^"]*)"', (await mine.parts())["turn"])
    assert len(labels) > 3
    assert len(set(labels)) == len(labels)


@pytest.mark.long
@IN_ONE_LOOP
async def test_what_is_wrong_with_a_route_is_said_once(tmp_path: Path) -> None:
    """The button of the train said it, too, and on a phone pushed the other trains off the screen."""
    async with party(tmp_path) as here:
        position, seat, corp = await at_a_run(here)
        wrong = drawn(position, seat, corp, [(position.state.trains[corp][0], ["B3", "J1"])])
        assert wrong["problem"].startswith("B3 and J1 are not neighbours")
        assert wrong["said"] == ["no route"]


def test_one_token_on_a_hex_is_said_to_be_one() -> None:
    t, s = table("1889", 3).par("AR", 75).operating("AR", "track").build()
    here = {one.id: lying(one, lexicon(s.names, t)) for one in board_view(t, s).hexes}
    assert here["K8"].endswith("token of AR")


def test_of_a_hex_is_said_what_is_drawn_there() -> None:
    t, s = table("1889", 3).private(A="p1").build()
    here = {one.id: lying(one, lexicon(s.names, t)) for one in board_view(t, s).hexes}
    assert here["J1"] == "red hex, worth 20, later 40 and 80"
    assert here["K4"] == "yellow hex, worth 30, home of KO, blocked by A"


def test_of_a_hex_is_said_whose_destination_it_is_and_whose_token_waits_beside_it() -> None:
    t, s = table("1888", 3).build()
    here = next(one for one in board_view(t, s).hexes if one.id == "H14")
    assert lying(here, lexicon(s.names, t)) == "white hex, destination of LYR"
    t, s = table("1860", 3, "destinations").own(destinations=("C&N G5",)).build()
    newport = next(one for one in board_view(t, s).hexes if one.id == "G5")
    assert lying(newport, lexicon(s.names, t)).endswith("destination of IWNJ, FYN and NGStL")
    waits = replace(here, icons=("token:LYR",))
    assert lying(waits, lexicon(s.names, t)) == "white hex, waiting beside it: token of LYR"


@pytest.mark.second
def test_a_rule_that_an_option_changes_is_said_to_be_changed() -> None:
    assert "<b>Changed in this game:</b> 1888-VAR-02." in rules(engine.build("1888", 3, ["prototype"]), "1888-FLT-01")
    assert "this game:" not in rules(engine.build("1888", 3), "1888-FLT-01")


@IN_ONE_LOOP
@pytest.mark.broad
async def test_what_a_hex_says_of_the_run_is_what_running_then_says() -> None:
    """Of 1860 it left out what halts bring, and called a run that brings more of it “as now”."""
    t, told = engine.build("1860", 3), 0
    with ThreadPoolExecutor(1) as executor:
        for s, _, _ in walk(t, 2):
            if LayTile not in engine.present_step(t, s).by_action or not s.operating or not s.trains[s.operating]:
                continue
            seat = engine.decision(t, s).players[0]
            lays = [one for one in engine.legal(t, s, seat) if isinstance(one, LayTile)][:3]
            now = Position(t, s, 0, dict(s.names), Work(executor))
            found = OnOffer(seat, lays, now.labels(seat))
            for one in lays:
                said = (await runs(now, found, one.hex)).get(written([one]), "")
                before, after = proposed(t, s, seat), proposed(t, engine.apply(t, s, one), seat)
                if "subsidy" in before and said:
                    assert said == f"run {before}{', as now' if after == before else f' → {after}'}"
                    told += 1
            if told > 12:
                return
    raise AssertionError("no run brought a subsidy")


def proposed(t: Title, s: State, seat: PlayerId) -> str:
    """What the run brings that is proposed once no more track is laid and no token placed; "" for none."""
    while RunTrains not in engine.present_step(t, s).by_action:
        if s.pending or s.over or engine.judge(t, s, Pass(seat)) is not None:
            return ""
        s = engine.apply(t, s, Pass(seat))
    best = next(proposals(t, s, seat), None)
    return "" if best is None else together(lexicon(s.names, t), route_views(t, s, best[0].corp, best[0].routes))


@pytest.mark.long
async def test_a_request_to_take_back_leaves_the_page_once_it_has_lapsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with party(tmp_path) as here, page(here, 2) as one:
        await here.play(lambda position: len(here.table.moves) == 4)
        asks = next(move.user for move in here.table.moves if move.user not in (None, 2))
        assert asks is not None
        await asking.ask(here.table, asks, here.table.moves[0].seq, 1)
        assert "to take this back" in (await one.parts())["turn"]
        later = here.table.store.clock() + 2 * DAY
        monkeypatch.setattr(here.table.store._db, "clock", lambda: later)
        assert "to take this back" not in (await one.parts())["turn"]


@pytest.mark.long
async def test_whoever_asked_to_take_moves_back_reads_that_it_was_declined(tmp_path: Path) -> None:
    """The request vanished from the page without a word."""
    async with party(tmp_path) as here:
        await here.play(lambda position: len(here.table.moves) == 4)
        row = here.table.moves[0].seq
        asks = next(move.user for move in here.table.moves if move.user not in (None, 2))
        assert asks is not None
        declined = f"{here.table.names[str(here.table.viewer_for(2))]}  has declined your request to take moves back."
        await asking.ask(here.table, asks, row, 1)
        await asking.refuse(here.table, 2, row)
        assert declined in await turn_of(here, asks)
        assert declined not in await turn_of(here, 2)
        await asking.ask(here.table, asks, row, 2)
        assert declined not in await turn_of(here, asks)
        await here.play(lambda position: len(here.table.moves) == 5)
        assert declined not in await turn_of(here, asks)
