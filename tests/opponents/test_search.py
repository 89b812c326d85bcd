"""The search of the strong: playouts by the engine itself, raced until one choice is clearly the best."""

from __future__ import annotations

from itertools import islice, pairwise
from random import Random

import pytest

from cli.matches import moves
from engine import State, Title, apply, build, decision, start
from engine.actions import Pass, SellShares
from engine.ids import OR, SR, CorpId, PlayerId
from opponents import Choice, advise, choose, quick, search
from opponents.figures import Figures
from opponents.playout import Playouts
from opponents.prospects import Valuation
from opponents.question import ask
from opponents.quick import Quick
from opponents.weights import STANDARD

TITLES = ("1888", "1889", "1890")
"""Where presidents pay for trains."""


def in_stock_round(title: Title, turn: int, seed: int = 2) -> State:
    """The start of a stock round of a learners' game."""
    return next(
        state
        for _, state in moves(title, ("learner",) * title.players, seed)
        if state.round == SR and state.turn == turn and not state.pending
    )


def playouts(title: Title, state: State) -> Playouts:
    return Playouts(ask(title, state, decision(title, state).players[0]), "seed")


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.long
def test_a_playout_is_a_game_of_the_engine(title_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the operating round every position is what `apply` makes of the one before."""
    title = build(title_id, 3)
    state, made = in_stock_round(title, 2), []

    def noted(t: Title, before: State, action: object) -> State:
        after = apply(t, before, action)  # type: ignore[arg-type]
        made.append((before, after))
        return after

    monkeypatch.setattr(quick, "apply", noted)
    ahead = playouts(title, state)
    end = ahead.played(ahead.q.s, ahead.draw(0))
    assert end.over or end.round == OR
    assert all(after is before for (_, after), (before, _) in pairwise(made))
    assert end == made[-1][1]


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.long
def test_figures_worked_out_once_are_those_of_the_position(title_id: str) -> None:
    """What is kept of one position is right for the next: of each share, after each move of a stock round."""
    title = build(title_id, 3)
    state = in_stock_round(title, 3)
    ahead = playouts(title, state)
    draw = ahead.draw(0)
    player = Quick(draw.world.figures, draw.tastes)
    compared = 0
    for _ in range(25):
        if state.round != SR or state.over:
            break
        fresh = Figures(title, draw.world.course, STANDARD)
        for corp in title.corporations:
            known, now = draw.world.figures.share(state, corp), fresh.share(state, corp)
            prospect = Valuation(title, state, draw.world.course, STANDARD).prospect(corp) if now else None
            if corp in state.floated and now is not None and known is not None and prospect is not None:
                assert known == now
                assert now.worth == prospect.paid + prospect.price
                compared += 1
        state = player.move(state)
    assert compared > 5


def test_the_same_budget_and_seed_give_the_same_scores() -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    again = State.from_dict(title, state.to_dict())
    first = advise(title, state, state.up, "strong", 5, budget=24)
    assert first == advise(title, again, again.up, "strong", 5, budget=24)
    assert any(reason.why == "looked" for reason in first[0].reasons)


@pytest.mark.long
def test_no_more_playouts_are_made_than_the_budget_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    made = []
    monkeypatch.setattr(Playouts, "ends", lambda *given, **named: made.append(1) or [1.0, 1.0, 1.0])
    for budget in (0, 5, 30, 70):
        made.clear()
        advise(title, state, state.up, "strong", 5, budget=budget)
        assert len(made) <= budget
    assert made


def test_a_choice_that_is_clearly_behind_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    q = ask(title, state, state.up, budget=600)
    choices = search._near(advise(title, state, state.up, "strong", 5, budget=0))
    assert len(choices) > 2
    luck = Random(3)

    def ends(self: Playouts, s: State, draw: object, *, done: bool = False) -> list[float]:
        worth = luck.random() + (0.0 if done else 5.0)
        return [worth if seat == q.seat else 1.0 for seat in s.players]

    monkeypatch.setattr(Playouts, "ends", ends)
    runners = search.raced(q, Playouts(q, "seed"), choices)
    passes = [runner for runner in runners if isinstance(runner.choice.action, Pass)]
    others = [runner for runner in runners if runner not in passes]
    assert [len(runner.found) for runner in passes] == [search.BATCH]
    assert max(len(runner.found) for runner in others) > search.BATCH


def test_where_there_is_one_sensible_choice_nothing_is_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    state.cash |= dict.fromkeys(state.players, 0)
    state.shares = {corp: {"ipo": title.corporations[corp].shares} for corp in state.shares}
    monkeypatch.setattr(Playouts, "ends", lambda *given, **named: pytest.fail("played out"))
    assert isinstance(choose(title, state, state.up, "strong", 5).action, Pass)


def test_whoever_passes_in_a_stock_round_is_taken_to_be_done() -> None:
    """Otherwise to put off a purchase looks as good as to make it, in turn after turn."""
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    seat = state.up
    state.cash |= dict.fromkeys(state.players, 400)
    ahead = playouts(title, state)
    draw = ahead.draw(0)
    after = apply(title, state, Pass(seat))

    def shares(position: State) -> int:
        return sum(position.held(corp, seat) for corp in title.corporations)

    assert shares(ahead.played(after, draw, done=True)) == shares(state)
    assert shares(ahead.played(after, draw, done=False)) > shares(state)


@pytest.mark.long
@pytest.mark.parametrize(
    "title_id", [pytest.param(one, marks=() if one == "1889" else pytest.mark.slow) for one in TITLES]
)
def test_quick_players_play_stock_rounds_to_their_end(title_id: str) -> None:
    """Within what a playout looks ahead, and without leaving much money idle while shares are for sale."""
    title = build(title_id, 3)
    for state in islice(
        (s for _, s in moves(title, ("learner",) * 3, 4) if s.round == SR and not s.pending), 0, 200, 9
    ):
        ahead = playouts(title, state)
        for number in range(2):
            end = ahead.played(ahead.q.s, ahead.draw(number))
            assert end.over or end.round != SR


@pytest.mark.parametrize("budget", [5, 13, 30])
def test_with_few_playouts_fewer_choices_are_raced_and_none_is_left_to_chance(budget: int) -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    found = advise(title, state, state.up, "strong", 5, budget=budget)
    if budget < 2 * search.BATCH:
        assert found == advise(title, state, state.up, "strong", 5, budget=0)
        return
    looked = [choice for choice in found if any(one.why == "looked" for one in choice.reasons)]
    assert found[0] in looked
    assert 2 <= len(looked) <= budget // search.BATCH
    assert any(isinstance(choice.action, Pass) for choice in looked)


def sale_against(gap: float, noise: float) -> list[search.Runner]:
    """A sale that came to so much more than a pass in the mean of four playouts, and so much more or less in each."""
    state = start(build("1889", 3), ["Ann", "Ben", "Cho"])
    sale, other = Choice(SellShares(PlayerId("p1"), CorpId("AR"), 1), 0.0), Choice(Pass(PlayerId("p1")), 0.0)
    sold = [100 + gap + noise, 100 + gap - noise] * 2
    return [search.Runner(sale, state, sold), search.Runner(other, state, [100.0] * 4)]


@pytest.mark.parametrize(("gap", "noise", "sold"), [(20, 5, True), (20, 60, False), (-20, 5, False)])
def test_shares_are_sold_only_where_that_is_clearly_better(gap: float, noise: float, sold: bool) -> None:
    runners = sale_against(gap, noise)
    search._hold_sales(runners)
    sale, other = (runner.scored().score for runner in runners)
    assert (sale > other) == sold


def test_what_is_drawn_is_the_same_in_all_turns_of_a_round() -> None:
    title = build("1889", 3)
    state = in_stock_round(title, 2)
    later = apply(title, state, Pass(state.up))
    lucks = []
    for position in (state, later, state):
        q = ask(title, position, PlayerId("p1"), budget=48, seed=5)
        lucks.append([world.luck for world in Playouts(q, search.beliefs(q)).worlds])
    assert lucks[0] == lucks[1] == lucks[2]
    other = ask(title, state, PlayerId("p1"), budget=48, seed=6)
    assert [world.luck for world in Playouts(other, search.beliefs(other)).worlds] != lucks[0]


def test_stock_rounds_are_not_searched_where_no_president_pays() -> None:
    title = build("1860", 3)
    assert not search.searches(ask(title, in_stock_round(title, 2), PlayerId("p1"), budget=48))
    title = build("1889", 3)
    assert search.searches(ask(title, in_stock_round(title, 2), PlayerId("p1"), budget=48))
