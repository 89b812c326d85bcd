"""A company's turn: laying in three presses, running with one, and routes that a player writes."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from club import Club, buttons, selects, text
from decisions import position_of
from player import answer, begin_at, draw_move, private_answer
from tables import table
from tastes import eager

import engine
from bot.core.errors import TableError
from bot.core.orders import Orders
from bot.core.outcome import cautious_turn
from bot.core.passing import ends_turn, to_end_of_turn
from bot.core.position import Position
from bot.core.table import Table
from bot.rooms.turn.run_trains import read_routes, write_routes
from engine.actions import BuyTrain, Dividend, LayTile, Route, RunTrains
from engine.errors import Refused
from engine.ids import CorpId, PlayerId, Rank
from engine.viewing import route_views
from engine.views import RouteView
from records.simulate import steps


async def play_until(club: Club, step: str, seed: int = 10) -> Table:
    """A game in which a company is asked for a step: the moves up to there are drawn, none is pressed."""
    chance = random.Random(seed)
    table = await club.begin(2)
    for _ in range(500):
        if table.position.decision.step == step:
            await club.announces(table)
            return table
        await draw_move(club, table, chance)
    raise AssertionError(step)


async def test_a_tile_is_laid_in_two_presses_and_seen_before(club: Club) -> None:
    table = await play_until(club, "track")
    member = club.who(table.position.up[0], table)
    custom_id, options = next(iter(selects(club.packet()).items()))
    shown = private_answer(await member.select(club.packet(), [options[0]["value"]], custom_id=custom_id))
    assert shown.attachments
    await member.click(shown, label="1")
    assert isinstance(table.moves[-1].action, LayTile)


async def test_the_best_routes_run_and_pay_with_one_press(club: Club) -> None:
    table = await play_until(club, "run")
    before = len(table.moves)
    label = next(label for label in buttons(club.packet()) if label.startswith("Run, pay"))
    await club.who(table.position.up[0], table).click(club.packet(), label=label)
    assert [type(one.action) for one in table.moves[before : before + 2]] == [RunTrains, Dividend]


async def test_routes_can_be_written_by_their_hexes(club: Club) -> None:
    table = await play_until(club, "run")
    seat = table.position.up[0]
    best = next(one for one in await table.position.actions(seat) if isinstance(one, RunTrains))
    lines = [f"{view.train}: {' '.join(along(view))}" for view in traced(table.position, best)]
    again = read_routes("\n".join(lines), table.position, seat, best.corp)
    assert worth(table, again) == worth(table, best)
    for wrong in ("", "no colon", "2: Z1 Z2", "2: A8 L7", "9: A10 A8"):
        with pytest.raises((TableError, Refused)):
            read_routes(wrong, table.position, seat, best.corp)
    assert "runs for" in await answer(club.who(seat, table).slash(club.channel, "run", routes="; ".join(lines)))


async def test_the_form_for_routes_begins_with_the_best_ones_on_this_board(club: Club) -> None:
    table = await play_until(club, "run")
    seat = table.position.up[0]
    member = club.who(seat, table)
    routes = private_answer(await member.click(club.packet(), label="Other routes…"))
    form = await member.click(routes, label="Type other routes…")
    (filled,) = [one["component"]["value"] for one in form.modal["components"]]
    assert f"such as `{filled.splitlines()[0]}`" in text(routes)
    best = next(one for one in await table.position.actions(seat) if isinstance(one, RunTrains))
    assert worth(table, read_routes(filled, table.position, seat, best.corp)) == worth(table, best)
    refused = private_answer(await member.submit_modal(form, {"routes": "2: Z1 Z2"}))
    assert "There is no hex Z1" in text(refused)
    again = await member.click(refused, label="Correct it…")
    assert "2: Z1 Z2" in str(again.modal)
    await member.submit_modal(again, {"routes": filled})
    assert isinstance(table.moves[-1].action, RunTrains)


async def test_a_price_between_companies_can_be_typed(club: Club) -> None:
    game = await club.begin(2)
    both = table("1889", 2).phase("3").par("AR").par("TR").shares("AR", p1=6).shares("TR", p1=6).trains("TR", "3", "2")
    begin_at(game, *both.cash(AR=700).operating("AR", "trains").build())
    await club.announces(game)
    sellers = private_answer(await club.aiko.click(club.packet(), label="From another company…"))
    custom_id, (_, other) = next(one for one in selects(sellers).items() if "Another price for" in one[1][0]["label"])
    assert other["label"] == "Another price for TR's 2-train…"
    form = await club.aiko.select(sellers, [other["value"]], custom_id=custom_id)
    assert form.modal["title"] == "Price for TR's 2-train"
    refused = private_answer(await club.aiko.submit_modal(form, {"amount": "9,999"}))
    assert "The train costs ¥9,999; AR has ¥700" in text(refused)
    await club.aiko.submit_modal(await club.aiko.click(refused, label="Correct it…"), {"amount": "77"})
    assert game.moves[-1].action == BuyTrain(PlayerId("p1"), CorpId("AR"), Rank("2"), CorpId("TR"), 77)


def traced(position: Position, run: RunTrains) -> tuple[RouteView, ...]:
    return route_views(position.title, position.state, run.corp, run.routes)


def along(view: RouteView) -> list[str]:
    """The hexes of a route in order."""
    return list(dict.fromkeys(str(hex_id) for hex_id, _, _ in view.segments))


def worth(table: Table, action: RunTrains) -> int:
    return sum(view.value for view in traced(table.position, action))


async def test_a_command_out_of_step_says_what_is_asked_now(club: Club) -> None:
    table = await play_until(club, "track")
    corp, seat = table.position.decision.subject, table.position.up[0]
    up = club.who(seat, table)
    other = next(one for one in club.members[:2] if one is not up)
    asked = f"{table.position.table().round}: it is up to {{}} to lay track (**{corp}**)."
    for name, options, what in (
        ("stock buy", {"share": "AR"}, "buy a share"),
        ("stock par", {"company": "AR", "par": 80}, "start a company"),
        ("train buy", {"train": "2"}, "buy a train"),
        ("token", {"city": "K4"}, "place a token"),
        ("run", {}, "run the trains"),
    ):
        for member, who in ((up, "you"), (other, f"**{table.names[seat]}**")):
            answer = text(private_answer(await member.slash(club.channel, name, **options)))
            assert answer == f"You cannot {what} now. {asked.format(who)}"


async def test_track_in_a_stock_round_is_answered_with_the_round(club: Club) -> None:
    await play_until(club, "shares")
    for name, options in (
        ("lay", {"hex": "C4"}),
        ("lay", {"hex": "C4", "tile": "5", "rotation": 0}),
        ("private acquire", {"private": "A", "price": 5}),
    ):
        assert "now. Stock round 1: it is up to" in await answer(club.aiko.slash(club.channel, name, **options))


async def test_a_company_that_is_not_there_is_called_a_company(club: Club) -> None:
    await club.begin(2)
    answer = await club.aiko.slash(club.channel, "stock sell", company="Z", shares=1)
    assert text(private_answer(answer)).startswith("There is no company “Z”. ")


async def test_a_hex_where_nothing_fits_is_told_from_one_that_is_not_there(club: Club) -> None:
    table = await play_until(club, "track")
    up = club.who(table.position.up[0], table)
    assert "There is no hex Z99" in text(private_answer(await up.slash(club.channel, "lay", hex="Z99")))
    laid = {one.hex for one in await table.position.actions(table.position.up[0]) if isinstance(one, LayTile)}
    bare = next(one for one in table.title.hexes if one not in laid)
    assert f"can lay no tile on {bare}" in text(private_answer(await up.slash(club.channel, "lay", hex=bare)))


@pytest.mark.broad
async def test_what_privates_are_is_a_press_away_where_a_company_buys_them(club: Club) -> None:
    await play_until(club, "privates")
    assert "What they are" in buttons(club.packet())


def test_whoever_ends_a_turn_declines_nothing_of_the_companys_next_one() -> None:
    """The last to operate may be the first in the next round: its track was declined, and a run cannot be."""
    names = ("Ann", "Ben", "Cho", "Dee")
    title = engine.build("1888", 4, [])
    *_, (_, state) = islice(steps(title, names, 34, eager), 115)
    seat, company = engine.decision(title, state).players[0], state.operating
    assert ends_turn(title, state)
    after = state
    for action in to_end_of_turn(title, state, seat):
        after = engine.apply(title, after, action)
    played = cautious_turn(title, state, seat, 1, Orders())[-1].state
    for end in (after, played):
        assert (end.operating, end.step, end.or_number) == (company, "track", state.or_number + 1)


def test_a_route_through_three_joined_stops_of_one_hex_can_be_typed() -> None:
    """Cowes: a city, a town and a halt on one line of track."""
    laid = table("1860", 3).operating("C&N", "run").par("C&N", 74, (0, 20)).shares("C&N", p1=5).trains("C&N", "3+2")
    t, s = laid.tile("F2", "787").tile("F4", "742", 3).build()
    route = Route(Rank("3+2"), ("F2.0", "F2.1", "F2.2", 0, "F4.0", 5, "G5.0"), 1)
    assert engine.judge(t, s, RunTrains(PlayerId("p1"), CorpId("C&N"), (route,))) is None
    position = position_of(t, s)
    written = write_routes(position.board(), [route])
    assert written == "3+2: F2 F4 G5 halts 1"
    assert read_routes(written, position, "p1", "C&N").routes[0].path == route.path
