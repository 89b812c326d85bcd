"""What the program would do, for whoever asks; and why its opponents did what they did."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, buttons, text
from decisions import position_of
from player import answer, more, private_answer, take_turn, tool
from tables import table as position
from tastes import eager
from test_opponents import begin
from walks import walk

import engine
from bot.core.errors import STALE
from bot.core.opponents import seed_of
from bot.core.position import Position
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.rooms.opponents.reasons import (
    BEST_RUN,
    CHEAPER,
    CLOSE,
    LATER,
    MUCH_WORSE,
    SPEAKS,
    TOO_LITTLE,
    WORSE,
    ahead,
    decided,
    in_common,
    rough,
    told,
)
from bot.rooms.trying.lines import TryOuts
from bot.words.labels import request
from bot.words.lexicon import Lexicon
from engine.actions import Bid, BidToChoose, BuyShare, BuyTrain, LayTile, Pass, SellShares
from engine.ids import BANK, CHANCE, IPO, POOL, CorpId, HexId, PlayerId, PrivateId, Rank, TileId
from engine.secrets import hidden_purses
from engine.state import State
from engine.stored import state_of
from opponents import Choice, Level, Reason, advise
from opponents.advice import Counsel
from opponents.choice import SENSELESS

NAMES = Lexicon("¥{}", {"p1": "Aiko"}, {}, {"AR": "Awa Railroad"}, {})
P1, AR = PlayerId("p1"), CorpId("AR")


async def suggested(club: Club, member: Any) -> Any:
    return private_answer(await tool(member, club.packet(), "Suggest"))


async def test_whoever_is_up_is_told_the_best_three_with_reasons_and_the_move_says_so(club: Club) -> None:
    table = await begin(club)
    answer = await suggested(club, club.aiko)
    lines = text(answer).splitlines()
    assert lines[0] == "### What the bot would do"
    assert [line[:3] for line in lines[1:4]] == ["1. ", "2. ", "3. "]
    assert "¥" in lines[1]
    assert "Aiko" not in text(answer), "whoever asks is told what to do, not what they do"
    assert list(buttons(answer)) == ["Do 1", "Do 2", "Do 3", "Try out 1", "Try out 2", "Try out 3"]
    await club.aiko.click(answer, label="Do 1")
    assert [one.note and one.note.how for one in table.moves if one.action.by == "p1"] == ["suggested"]
    assert "*(after a suggestion)*" in "\n".join(map(text, club.channel.history()))


async def test_a_suggestion_is_laid_out_with_what_follows_on_a_board_of_ones_own(club: Club) -> None:
    table = await begin(club)
    aiko, before = club.aiko, table.position.seq
    answer = await suggested(club, aiko)
    best = text(answer).splitlines()[1].removeprefix("1. **").partition(".**")[0]
    board = private_answer(await aiko.click(answer, label="Try out 1"))
    assert text(board).startswith(f"**{best}**, and what the bot expects after it.")
    assert "### Trying out: Line 1" in text(board)
    ((one,), _) = await club.bot.its(TryOuts).of(table, aiko.id)
    advice = advise(table.title, table.position.state, P1, "strong", seed_of(table.game.id, P1))
    assert one.ahead[0].action == advice[0].action
    assert len({move.action.by for move in one.ahead}) > 1
    assert one.position.up == (P1,)
    assert table.position.seq == before


async def test_a_suggestion_that_is_laid_out_too_late_says_that_the_game_has_moved_on(club: Club) -> None:
    table = await begin(club)
    suggestion = await suggested(club, club.aiko)
    await table.submit(Pass(P1), user=club.aiko.id)
    assert (await answer(club.aiko.click(suggestion, label="Try out 1"))).startswith(f"⚠️ {STALE}\n### Your lines")


async def test_what_holds_for_all_suggestions_is_told_once_below_them(club: Club) -> None:
    await begin(club, options="beginner")
    *lines, marked = text(await suggested(club, club.aiko)).splitlines()[1:]
    moves = [one for one in lines if one[:3] in ("1. ", "2. ", "3. ")]
    assert len(moves) == 3
    assert not any("operating rounds are left" in one for one in moves)
    (below,) = (one for one in lines if "rounds are left" in one)
    assert below[0].isupper()
    assert "marked" in marked


async def test_what_makes_no_sense_is_not_suggested(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(club)
    options = [Pass(P1), Bid(P1, PrivateId("B"), 35)]
    for scores, count in (((3.0, SENSELESS + 2), 1), ((SENSELESS, SENSELESS), 1), ((3.0, 1.0), 2)):
        thought = [Choice(action, score) for action, score in zip(options, scores, strict=True)]

        async def counsel(question: Thought, thought: list[Choice] = thought) -> Counsel:
            return Counsel(thought, [])

        monkeypatch.setattr(club.bot.thinkers, "counsel", counsel)
        lines = text(await suggested(club, club.aiko)).splitlines()
        assert len([line for line in lines if line[:2] in ("1.", "2.", "3.")]) == count


@pytest.mark.broad
async def test_a_suggestion_says_how_often_one_ends_first_and_what_is_expected_then(club: Club) -> None:
    await begin(club, options="beginner")
    said = text(await suggested(club, club.aiko))
    assert re.search(
        r"^Of 100 games from here you win about \d+; in half of them you end with ¥[\d,]+ to ¥[\d,]+",
        said,
        re.MULTILINE,
    )
    assert "you end with about" not in said
    assert re.search(r"^After the first it expects: .+", said, re.MULTILINE)


async def test_what_is_told_of_the_end_knows_the_opponents_who_sit_there(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, level="learner")

    async def counsel(question: Thought) -> Counsel:
        assert question.levels == {"p2": "learner", "p3": "learner"}
        return Counsel([Choice(Pass(P1), 3.0)], [], (Reason("firsts", 81), Reason("range", 5000, 3000)))

    monkeypatch.setattr(club.bot.thinkers, "counsel", counsel)
    assert "you win about 81" in text(await suggested(club, club.aiko))


async def test_what_all_suggestions_lead_to_alike_is_told_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(club)
    both = Reason("costs", 20), Reason("runs", 120, 100, "AR")
    thought = [
        Choice(move, 5 - at, (*both, Reason("outlook", 10 * at)))
        for at, move in enumerate((Bid(P1, PrivateId("C"), 45), Bid(P1, PrivateId("E"), 65)))
    ]
    monkeypatch.setattr(club.bot.thinkers, "counsel", AsyncMock(return_value=Counsel(thought, [])))
    first, second, _, each, *_ = text(await suggested(club, club.aiko)).splitlines()[1:]
    assert first.endswith("** Little between it and the next.")
    assert second.endswith("** Later runs could bring ¥10 more.")
    assert each == "With each, AR runs for ¥120 instead of ¥100; it costs ¥20."


async def test_suggestions_are_told_by_what_they_are_ranked_by(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """It put "of 100 games you win 9" above "14 of 100": the chances are another judge's than the ranking."""
    await begin(club, options="beginner")
    thought = [
        Choice(Pass(P1), score, (Reason("worth", 700), Reason("looked", looked)))
        for score, looked in ((300.4, 90), (299.5, 70), (212.6, 80))
    ]
    moves = [Pass(P1), Bid(P1, PrivateId("C"), 45), Bid(P1, PrivateId("E"), 65)]
    thought = [replace(one, action=move) for one, move in zip(thought, moves, strict=True)]
    counsel = AsyncMock(return_value=Counsel(thought, [], (Reason("firsts", 9), Reason("range", 5000, 3000))))
    monkeypatch.setattr(club.bot.thinkers, "counsel", counsel)
    first, second, third, _, whole, *_ = text(await suggested(club, club.aiko)).splitlines()[1:]
    assert first == f"1. **Pass.** {CLOSE}.".replace("little", "Little")
    assert second.endswith(".** About as good.")
    assert third.endswith(".** Much worse.")
    assert whole == "Of 100 games from here you win about 9; in half of them you end with ¥3,000 to ¥5,000."


def test_what_is_told_once_is_said_of_all_and_of_the_game() -> None:
    game = (Reason("worth", 700), Reason("rounds", 8), Reason("rust", 1, what="2"))
    share = Choice(BuyShare(P1, AR, IPO), 0, (*game, Reason("looked", 10)))
    later = Choice(Pass(P1), 0, (Reason("worth", 700), Reason("rounds", 8), Reason("rust", 2, what="2")))
    common = in_common([share, later], NAMES)
    assert common == ["about 8 operating rounds are left"]
    assert told(share, NAMES, besides=common) == "The 2-trains rust in about one round."
    only = Choice(Pass(P1), 0, (Reason("rounds", 8),))
    assert told(only, NAMES, besides=common) == ""
    ends = Reason("range", 5000, 3000)
    for count, won in ((9, "about 9"), (0, "hardly any")):
        said = [f"of 100 games from here you win {won}", "in half of them you end with ¥3,000 to ¥5,000"]
        assert ahead((Reason("firsts", count), ends), NAMES) == said
    assert in_common([share], NAMES) == ["the 2-trains rust in about one round", "about 8 operating rounds are left"]


async def test_a_move_without_a_suggestion_says_nothing_of_one(club: Club) -> None:
    table = await begin(club)
    await suggested(club, club.aiko)
    await club.aiko.click(club.packet(), label="Pass")
    await club.aiko.click(club.packet(), label="Pass")
    notes = [one.note and one.note.how for one in table.moves if one.action.by == "p1"]
    assert notes == ["suggested", None]


async def test_taking_a_move_back_does_not_take_back_the_suggestion(club: Club) -> None:
    table = await begin(club)
    await suggested(club, club.aiko)
    await club.aiko.click(club.packet(), label="Pass")
    await club.undo(club.aiko)
    await club.aiko.click(club.packet(), label="Pass")
    assert table.moves[0].note is not None
    assert table.moves[0].note.how == "suggested"


async def test_what_was_thought_of_a_position_that_has_passed_is_not_told(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begin(club)
    aiko, think = club.aiko, club.bot.thinkers.counsel

    async def long(question: Thought) -> Counsel:
        advice = await think(question)
        await table.submit(Pass(P1), user=aiko.id)
        return advice

    monkeypatch.setattr(club.bot.thinkers, "counsel", long)
    answer = await suggested(club, aiko)
    assert "moved on" in text(answer)
    assert "would do" not in text(answer)


async def test_who_is_not_up_is_offered_nothing(club: Club) -> None:
    await begin(club, people=2)
    for member in (club.ben, club.emma):
        assert "Suggest" not in buttons(await more(member, club.packet()))


async def test_a_table_may_want_no_suggestions(club: Club) -> None:
    await begin(club, suggest=False)
    assert "bot gives nobody suggestions" in text(club.channel.history()[0])
    assert "Suggest" not in buttons(await more(club.aiko, club.packet()))
    await club.aiko.slash(club.channel, "game settings", suggest=True)
    await club.aiko.click(club.packet(), label="Pass")
    old = club.packet()
    old = await more(club.aiko, old)
    assert "Suggest" in buttons(old)
    table = await club.table()
    await table.store.change_game(table.game.id, settings=replace(table.settings, suggest=False).text())
    assert "Suggestions are off at this table" in await answer(tool(club.aiko, old, "Suggest"))


def shifted(table: Table, seat: str) -> State:
    """The position with money moved between purses that the seat may not look into."""
    title, state = table.title, table.position.state
    other = state_of(title, state.names, state.to_dict())
    source, target = [one for one in hidden_purses(title, state, PlayerId(seat)) if one in state.names][:2]
    other.cash[source] -= 60
    other.cash[target] += 60
    return other


async def test_a_suggestion_and_an_opponents_move_tell_nothing_of_hidden_cash(club: Club) -> None:
    table = await begin(club, title="1890", options="hidden_cash", opponents=3)
    told_of = []
    opponent = next(seat for seat in table.seats if table.opponent(seat))
    level = table.opponent(opponent)
    assert level is not None
    for state in (table.position.state, shifted(table, "p1")):
        position = table.position
        table.position = Position(table.title, state, position.seq, dict(position.names), position.work)
        told_of.append(text(await suggested(club, club.aiko)))
    assert "¥" in told_of[0]
    assert told_of[0] == told_of[1]
    await club.aiko.click(club.packet(), label="Pass")
    while table.position.up != ("p1",):
        await club.env.settle()
    first = await club.bot.thinkers.choice(table.asks(PlayerId("p1"), level))
    assert first == await club.bot.thinkers.choice(table.asks(PlayerId("p1"), level, shifted(table, "p1")))


@pytest.mark.broad
async def test_why_an_opponent_moved_is_told_once_the_game_is_over(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begin(club)
    aiko, chance = club.aiko, random.Random(7)
    for _ in range(4):
        await take_turn(club, chance)
    number = next(n for n, one in enumerate(table.moves, 1) if table.opponent(one.action.by))
    before = private_answer(await aiko.slash(club.channel, "game history", move=number))
    assert "Why?" not in buttons(before)
    await aiko.slash(club.channel, "game end")
    assert table.position.over
    shown = private_answer(await aiko.slash(club.channel, "game history", move=number))
    answer = private_answer(await aiko.click(shown, label="Why?"))
    assert text(answer).startswith("### Why: ")
    assert "played by the bot, regular" in text(answer)
    assert "differently now" not in text(answer)
    course = (Reason("worth", 700), Reason("rounds", 8))

    async def advice(question: Thought) -> list[Choice]:
        made, *others = await thought(question)
        return [replace(one, reasons=course) for one in (made, *others)]

    thought = club.bot.thinkers.advice
    monkeypatch.setattr(club.bot.thinkers, "advice", advice)
    shown = private_answer(await aiko.slash(club.channel, "game history", move=number))
    lines = text(private_answer(await aiko.click(shown, label="Why?")))
    assert "What it might have done instead" in lines
    assert lines.count("ends with about ¥700") == lines.count("operating rounds are left") == 1
    instead = lines.count("\n- **")
    assert 0 < instead == lines.count("About as good.") + lines.count("orse")
    own = next(n for n, one in enumerate(table.moves, 1) if one.action.by == "p1")
    assert "Why?" not in buttons(private_answer(await aiko.slash(club.channel, "game history", move=own)))


def test_a_share_from_the_market_is_told_apart_from_one_of_the_offering() -> None:
    title, state = position("1889", 3).par("AR", 80).shares("AR", {"p1": 4, POOL: 2}).build()
    labels = position_of(title, state).labels("p1")
    assert [request(labels, BuyShare(P1, AR, source)) for source in (IPO, POOL)] == [
        "Buy a share of AR for ¥80",
        "Buy a share of AR for ¥80 from the open market",
    ]


def test_reasons_are_sentences_of_figures() -> None:
    lay = LayTile(P1, AR, HexId("K4"), TileId("57"), 0)
    runs = (Reason("runs", 180, 120, "AR"), Reason("outlook", 121), Reason("costs", 80))
    assert told(Choice(lay, 0, runs), NAMES) == (
        "AR runs for ¥180 instead of ¥120; later runs could bring ¥120 more; it costs ¥80."
    )
    first = (Reason("runs", 50, 0, "AR"), Reason("later", 40), Reason("trainless", 1))
    assert told(Choice(lay, 0, first), NAMES) == "With its first train AR runs for ¥50."
    buy = BuyTrain(P1, AR, Rank("3"), BANK, 180)
    course = (
        *(Reason("worth", 6780), Reason("rivals", 5770), Reason("rounds", 8), Reason("rust", 1, what="2")),
        *(Reason("rust", 4, what="3"), Reason("leaves", 40, 220, "AR"), Reason("contribution", 200)),
    )
    assert told(Choice(buy, 0, course), NAMES) == (
        "It leaves AR ¥40; you will probably have to add about ¥200 for trains; the 3-trains rust in about 4 rounds; "
        "about 8 operating rounds are left."
    )
    said = told(Choice(buy, 0, course), NAMES, named=True)
    assert said.startswith("**Aiko** ends with about ¥6,800, the best rival with ¥5,800; ")
    passed = told(Choice(Pass(P1), 0, (Reason("worth", 6780), Reason("rounds", 1), Reason("rust", 0, what="2"))), NAMES)
    assert passed == "The 2-trains rust any turn now; one operating round is left."
    sale = SellShares(P1, AR, 1)
    swap = Choice(sale, 0, (Reason("buys", 75, what="IR"), Reason("worth", 6780)))
    assert told(swap, NAMES) == "It lets you buy a share of IR for ¥75 instead."
    for gap, word in ((13, "About as good"), (130, "A little worse"), (670, "Worse"), (680, "Much worse")):
        assert (
            told(swap, NAMES, best=replace(swap, score=gap))
            == f"{word}; it lets you buy a share of IR for ¥75 instead."
        )
    assert told(Choice(sale, 0, (Reason("starts", 65, what="IR"),)), NAMES) == "It lets you start IR at ¥65."
    assert told(Choice(sale, 0, (Reason("gets", 120, what="F"),)), NAMES) == "It lets you buy F for ¥120 instead."
    bid = Bid(P1, PrivateId("F"), 85)
    gains = (Reason("value", 99, what="F"), Reason("price", 85, what="F"))
    assert told(Choice(bid, 0, gains), NAMES) == "It gains you about ¥99 beyond its price of ¥85."
    loses = (Reason("value", -12, what="F"), Reason("price", 85, what="F"))
    assert told(Choice(bid, 0, loses), NAMES, named=True) == "At ¥85, it loses **Aiko** about ¥12."
    choose = BidToChoose(P1, 20)
    assert told(Choice(choose, 0, (Reason("value", 30), Reason("price", 20))), NAMES) == (
        "The right to choose is worth about ¥30 and costs ¥20."
    )
    assert told(Choice(Pass(P1), 0, (Reason("only", 1),)), NAMES) == "There is nothing else to do."
    assert told(Choice(Pass(P1), 0), NAMES) == "It costs nothing."


def _ends(worth: int, rivals: int, *others: Reason) -> Choice:
    return Choice(Pass(P1), 0, (Reason("worth", worth), Reason("rivals", rivals), *others))


def test_what_decided_is_said_where_the_figures_say_otherwise() -> None:
    seen_better = _ends(2825, 3031, Reason("looked", -500))
    second = replace(seen_better, score=-50.0)
    assert decided([_ends(2695, 3437, Reason("looked", -100)), second]) == [SPEAKS["looked"], ""]
    assert decided([_ends(3000, 3500), second]) == [SPEAKS["worth"], ""]
    assert decided([_ends(2830, 2900), second]) == [SPEAKS["rivals"], ""]
    assert decided([_ends(2825, 3031, Reason("habit", 90)), second]) == [SPEAKS["habit"], ""]
    assert decided([_ends(3000, 3500), _ends(2900, 3000)]) == [CLOSE, ""]
    assert decided([]) == []
    lay = LayTile(P1, AR, HexId("K4"), TileId("57"), 0)
    small = Choice(lay, 0, (Reason("runs", 100, 80), Reason("later", 40)))
    large = Choice(lay, 0, (Reason("runs", 120, 80), Reason("later", 0)))
    assert decided([small, large]) == [LATER, ""]
    assert decided([large, small]) == [BEST_RUN, ""]
    alike = replace(large, reasons=(Reason("runs", 100, 80), Reason("later", 0)))
    assert decided([small, alike]) == [LATER, ""]


def test_estimates_are_told_to_two_figures() -> None:
    assert [rough(one) for one in (2695, 3437, 12_345, 99, 0, -1523)] == [2700, 3400, 12_000, 99, 0, -1500]


@pytest.mark.long
@pytest.mark.parametrize("level", ["regular", "strong"])
@pytest.mark.parametrize("title", engine.TITLES)
@pytest.mark.parametrize("every", [12, pytest.param(5, marks=pytest.mark.slow)])
def test_the_order_of_suggestions_never_contradicts_what_is_shown_without_a_word_why(
    title: str, level: Level, every: int
) -> None:
    t, pairs = engine.build(title, 3), 0
    for number, (s, action, _) in enumerate(walk(t, 4, 240, eager)):
        if number % every or action.by == CHANCE:
            continue
        best = [one for one in advise(t, s, action.by, level) if one.sensible][:3]
        why = decided(best)
        shown = [told(best[0], NAMES, first=why[0])]
        shown += [told(one, NAMES, first=first, best=best[0]) for one, first in zip(best[1:], why[1:], strict=True)]
        for place, line in enumerate(shown):
            for below in shown[place + 1 :]:
                pairs += 1
                if _looks_better(below, line):
                    assert why[place] in (CLOSE, LATER, CHEAPER, TOO_LITTLE), (s.round, s.step, shown)
    assert pairs > 10


def _looks_better(one: str, other: str) -> bool:
    """Whether one text promises more than the other: that it is less bad, or a greater run."""
    for figures in (_rank_in, _run_in):
        mine, theirs = figures(one), figures(other)
        if mine is not None and theirs is not None and mine > theirs:
            return True
    return False


def _rank_in(text: str) -> int | None:
    ways = [MUCH_WORSE, *(words for _, words in WORSE[::-1])]
    return next(
        (at for at, words in enumerate(ways) if f"{text[:1].lower()}{text[1:-1]};".startswith(f"{words};")), None
    )


def _run_in(text: str) -> int | None:
    found = re.search(r"runs for (‑?)¥([\d,]+)", text)
    return None if found is None else (-1 if found[1] else 1) * int(found[2].replace(",", ""))
