"""The end of a game, and another one with the same people."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from club import Club, buttons, said, selects, text
from player import answer, draw_move, private_answer
from tables import table
from walks import whole_game

import engine
from bot.core.moves import final_scores
from bot.core.position import Position
from bot.core.table import Table
from bot.rooms.past.history import _records, _story, _turning_points, final_screen, lines_only, place_of
from bot.words.lexicon import lexicon
from engine.actions import Bid, BuyPrivate, LayTile, Pass
from engine.facts import DividendDecided, Fact, RoundBegan, TrainsRan
from engine.highlights import largest_dividend, longest_route, swings
from engine.ids import PlayerId
from engine.shares import worth
from engine.state import State
from engine.title import Title


async def ended(club: Club, moves: int = 160, players: int = 3) -> Any:
    """A game that its players end after so many moves, or that ends by itself."""
    table = await club.begin(players, options="beginner")
    chance = random.Random(8)
    for number in range(moves):
        if table.position.over:
            break
        if number % 20 == 0:
            await club.says()
        await draw_move(club, table, chance)
    if not table.position.over:
        await table.end_here()
    await club.says()
    return table


async def records(club: Club) -> str:
    """What *Worth and records* says below the end."""
    over = club.packet()
    return text(private_answer(await club.aiko.select(over, ["records"], custom_id=next(iter(selects(over))))))


async def test_the_end_says_who_went_bankrupt(club: Club) -> None:
    table = await club.begin(3)
    state = table.position.state.copy()
    state.over, state.bankrupt = "bankrupt", frozenset({"p2"})
    position = Position(table.title, state, 5, table.names, table.position.work)
    here: Any = SimpleNamespace(position=position, title=table.title, states=lambda: [])
    said = lines_only(_story(here, ()))
    assert said == [f"**{table.names['p2']}** is bankrupt, which ends the game."]


async def test_that_a_game_is_over_is_no_rule_to_look_up(club: Club) -> None:
    await ended(club, 0)
    refused = private_answer(await club.aiko.slash(club.channel, "pass"))
    assert text(refused) == "The game is over."
    assert not buttons(refused)


async def test_the_end_of_a_game_tells_how_it_went(club: Club) -> None:
    table = await ended(club)
    said = await records(club)
    worth_is_made_of_its_parts(table, said)
    await points_and_records_link_to_their_turns(table, text(club.packet()) + said)
    await moves_open_at_the_last(club, len(table.moves))
    points_name_their_players_in_full(table)


def worth_is_made_of_its_parts(table: Table, said: str) -> None:
    scores = final_scores(table.title, table.position.state)
    assert scores is not None
    for seat, amount in scores.items():
        (line,) = re.findall(rf"{table.names[seat]}.. ¥{amount:,}: (.*)", said)
        parts = [
            int(part.replace(",", "").replace("‑¥", "-").replace("¥", "")) for part in re.findall(r"‑?¥[\d,]+", line)
        ]
        assert sum(parts) == amount


async def points_and_records_link_to_their_turns(table: Table, said: str) -> None:
    states = table.states()
    posted = {one.message_id for one in await table.store.messages.of_game(table.game.id)}
    links = {int(one) for one in re.findall(r"channels/\d+/\d+/(\d+)", said)}
    assert links
    assert links <= posted
    for swing in swings(table.title, states):
        amount = f"¥{abs(swing.amount):,}"
        what = f"gains {amount} on the others" if swing.amount > 0 else f"drops back {amount}"
        assert f"**{table.names[swing.player]}** {what}" in said
    dividend, route = largest_dividend(table.title, states), longest_route(states)
    assert dividend is None or f"dividend: ¥{dividend.amount} by **{dividend.corp}**" in said
    assert route is None or re.search(rf"Longest route: .* by \*\*{route.corp}\*\*", said)
    assert not re.search(r"\b[A-N]\d{1,2}-[A-N]\d{1,2}\b", said), "places by name"


def points_name_their_players_in_full(table: Table) -> None:
    """Of one called "Ben (x)" it said "**Ben", since its sentence ended before the first bracket."""
    bracketed = {seat: f"{name} (x)" for seat, name in table.names.items()}
    table.position = Position(table.title, table.position.state, 5, bracketed, table.position.work)
    points = [line for line in lines_only(_story(table, ())) if line.startswith("-# ")]
    assert points
    for line in points:
        assert line.count("**") % 2 == 0, line
        assert line.count("(x)") == sum(line.count(name) for name in table.names.values()), line


async def moves_open_at_the_last(club: Club, count: int) -> None:
    over = club.packet()
    assert len(over.attachments) == 1, "one picture: the rest is in the list"
    ((name, options),) = selects(over).items()
    (moves,) = [one["value"] for one in options if one["label"] == "Move by move"]
    shown = private_answer(await club.aiko.select(over, [moves], custom_id=name))
    assert text(shown).startswith(f"### Move {count} of {count}")
    for wanted in ("All holdings", "Whole map", "Prices"):
        (code,) = [one["value"] for one in options if one["label"] == wanted]
        answer = private_answer(await club.aiko.select(over, [code], custom_id=next(iter(selects(over)))))
        assert "incident" not in text(answer).lower()


async def test_a_game_that_ends_before_its_first_move_has_an_end_too(club: Club) -> None:
    table = await club.begin(2)
    await table.end_here()
    screen = await final_screen(table)
    assert "1st **Aiko** ¥420" in screen.text
    assert "1st **Ben** ¥420" in screen.text
    assert "Turning points" not in screen.text


def test_equal_worth_shares_a_place() -> None:
    assert [place_of({"p1": 5, "p2": 5, "p3": 1}, seat) for seat in ("p1", "p2", "p3")] == [0, 0, 2]


def test_a_swing_is_what_one_move_changed_against_the_mean_of_the_others() -> None:
    title, states, _ = whole_game("1889")
    for swing in swings(title, states, most=99):
        gains = {
            seat: worth(title, states[swing.index], seat) - worth(title, states[swing.index - 1], seat)
            for seat in states[0].players
        }
        others = [gain for seat, gain in gains.items() if seat != swing.player]
        assert swing.amount == round(gains[swing.player] - sum(others) / len(others))


def test_a_companys_dividends_are_one_turning_point_for_a_player() -> None:
    title, states, _ = whole_game("1889")
    paid = [
        (one.player, fact.corp, abs(one.amount))
        for one in swings(title, states, most=999)
        for fact in states[one.index].facts
        if isinstance(fact, DividendDecided)
    ]
    dividends = [fact for state in states for fact in state.facts if isinstance(fact, DividendDecided)]
    assert len({(player, corp) for player, corp, _ in paid}) == len(paid) < len(dividends)
    assert paid


@pytest.mark.parametrize(
    ("when", "told"), [(1, ["Largest run and dividend"]), (2, ["Largest run", "Largest dividend"])]
)
def test_a_run_that_was_withheld_is_not_the_largest_dividend(when: int, told: list[str]) -> None:
    """“Largest run and dividend: £450 by IWNJ, 19.2.”, but it paid its £450 in 19.3 alone."""
    t, s = table("1889").operating("AR").build()
    began, ran = RoundBegan("OR", 2, 1), TrainsRan("AR", (), 100)
    paid, kept = DividendDecided("AR", "pay", 100, 10), DividendDecided("AR", "withhold", 100, 0)
    told_of: list[list[Fact]] = [[began, ran, paid if when == 1 else kept], [RoundBegan("OR", 2, 2)], [ran, paid]]
    states = [s]
    for facts in told_of:
        states.append(s.copy())
        states[-1].facts = facts
    moves = [SimpleNamespace(seq=number) for number in range(1, 4)]
    names = lexicon(s.names, t)
    here: Any = SimpleNamespace(title=t, moves=moves, states=lambda: states)
    here.position = SimpleNamespace(lexicon=lambda: names)
    assert [line.partition(":")[0] for line in lines_only(_records(here, ()))] == told


def test_a_pass_that_ends_a_stock_round_is_no_turning_point_but_what_follows_is() -> None:
    """“Cho drops back ¥25: Ann passes.”, and “P4 gains ¥12 on the others: Operating round 1.1.”"""
    sold_out = table("1889").par("AR", 75).shares("AR", p1=6, p2=4).stock().build()
    assert " drops back ¥25: **AR** rises to ¥80 " in told_when_all_have_passed(*sold_out)
    pays = table("1889").par("AR", 75).shares("AR", p1=6).private(A="p1").stock().build()
    assert told_when_all_have_passed(*pays) == (
        "SR 2: **Ann** gains ¥5 on the others: Private companies pay **Ann** ¥5."
    )


def test_a_tile_is_no_reason_to_drop_back_but_that_nothing_is_paid_after_it_is() -> None:
    """“Ann drops back ¥60: **AR** lays tile 5 on K8 Tokushima.”, of a company without a train."""
    t, s = table("1889").par("AR", 75).shares("AR", p1=6).operating("AR", "track").build()
    lay = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, LayTile))
    assert told_of(t, [s, engine.apply(t, s, lay)]) == "2.1: **Ann** drops back ¥30: **AR** pays nothing."


def test_a_bid_that_wins_with_anothers_purchase_is_told_as_what_it_cost_its_bidder() -> None:
    """“Ben drops back ¥45: Cho buys A for ¥20.”"""
    t, s = table("1889", 3).opening().build()
    s = engine.apply(t, engine.apply(t, s, Pass("p1")), Bid("p2", "B", 75))
    told = told_of(t, [s, engine.apply(t, s, BuyPrivate("p3", "A"))])
    assert told.partition(": **Ben** drops back ¥45: ")[2].startswith("**Ben** buys B")


def told_when_all_have_passed(t: Title, s: State) -> str:
    """The only turning point of a stock round in which nothing is done."""
    states = [s]
    while s.round == "SR":
        s = engine.apply(t, s, Pass(engine.decision(t, s).players[0]))
        states.append(s)
    return told_of(t, states)


def told_of(t: Title, states: Sequence[State]) -> str:
    """The only turning point of these positions."""
    moves = [SimpleNamespace(seq=number, state=state, company=None) for number, state in enumerate(states[1:], 1)]
    names = lexicon(states[0].names, t)
    here: Any = SimpleNamespace(title=t, moves=moves, states=lambda: states, lexicon_at=lambda seq: names)
    here.position = SimpleNamespace(lexicon=lambda: names)
    ((told, _),) = _turning_points(here, ())
    return told


def test_of_two_players_one_gains_on_the_other_by_name() -> None:
    t, s = table("1889", 2).par("AR", 75).shares("AR", p1=6, p2=4).stock().build()
    after = s.copy()
    after.cash["p2"] += 50
    names = lexicon(s.names, t)
    move = SimpleNamespace(seq=1, state=after, company=None)
    here: Any = SimpleNamespace(title=t, moves=[move], states=lambda: [s, after], lexicon_at=lambda seq: names)
    here.position = SimpleNamespace(lexicon=lambda: names)
    ((told, _),) = _turning_points(here, ())
    assert told == "SR 2: **Ben** gains ¥50 on **Ann**."


async def test_a_rematch_has_the_same_game_and_people_seated_one_place_further(club: Club) -> None:
    table = await ended(club, 3)
    over = club.packet()
    assert "Rematch" in buttons(over)
    assert "no seat" in await answer(club.fumi.click(over, label="Rematch"))
    await club.ben.click(over, label="Rematch")
    lobby = club.packet()
    assert f"Hosted by <@{club.ben.id}>" in text(lobby)
    assert "Players (1)" in text(lobby)
    assert "All move up one seat, and whoever sat first sits last." in text(lobby)
    assert {club.aiko.id, club.chloe.id} <= set(club.pinged()[-2:])
    assert "`/game join`" in await answer(club.aiko.click(over, label="Rematch"))
    for member in (club.chloe, club.aiko):
        await member.slash(club.channel, "game join")
    await club.ben.slash(club.channel, "game start")
    again = await club.table()
    assert again.game.id != table.game.id
    assert (again.game.title, again.game.options) == (table.game.title, table.game.options)
    assert again.people == [*table.people[1:], table.people[0]]
    assert any("begins.** Everybody has moved up one seat: 1. Ben, " in one for one in said(club))
