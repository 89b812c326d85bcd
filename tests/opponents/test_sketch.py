"""The sketch of the rest of a game: it starts from what is on the table, and luck changes only what companies earn."""

from __future__ import annotations

from random import Random

import pytest

from cli.matches import moves
from engine import BANK, State, Title, build, scores, start
from engine.ids import SR, CorpId, Rank
from opponents import earning
from opponents.earning import HOME_LEAST, outlook, standing, stop_values, surroundings
from opponents.forecast import NEVER, Course, sketched
from opponents.growth import PLAIN
from opponents.scene import Scene
from opponents.sketch_operating import buy_trains
from opponents.sketch_stock import trade
from opponents.strong import end_of
from opponents.weights import STANDARD


def stock_rounds(title: Title, count: int) -> list[State]:
    """The first positions of the first so many stock rounds of a game among learners."""
    found: dict[int, State] = {}
    for _, state in moves(title, ("learner",) * title.players, seed=2):
        if state.round == SR and not state.over:
            found.setdefault(state.turn, state)
        if len(found) == count:
            break
    return list(found.values())


@pytest.mark.parametrize("title_id", ["1889", "1888"])
def test_before_anything_is_played_seats_are_worth_what_the_rules_say(title_id: str) -> None:
    title = build(title_id, 3)
    for state in stock_rounds(title, 4):
        known = dict(scores(title, state))
        assert Scene(title, state).worth() == [known[seat] for seat in state.players]


@pytest.mark.parametrize("title_id", ["1889", "1860"])
def test_a_scene_with_other_luck_leaves_the_first_as_it_was(title_id: str) -> None:
    title = build(title_id, 3)
    state = stock_rounds(title, 3)[-1]
    table = Scene(title, state)
    before = table.worth()
    random = Random(1)
    courses = []
    for spread in (0.0, 0.25):
        scene = table.another({corp: random.uniform(1 - spread, 1 + spread) for corp in title.corporations})
        courses.append((sketched(scene), scene.worth()))
        assert table.worth() == before
    plain = Scene(title, state)
    assert courses[0] == (sketched(plain), plain.worth())
    assert courses[1] != courses[0]


def test_who_owns_more_ends_better() -> None:
    """The last stock round, but with money that was a rival's."""
    title = build("1889", 3)
    state = stock_rounds(title, 99)[-1]
    seat, rival, _ = state.players
    richer = state.copy()
    moved = min(200, state.cash[rival])
    assert moved
    richer.cash[seat] += moved
    richer.cash[rival] -= moved
    luck = [dict.fromkeys(title.corporations, 1.0)]
    assert end_of(title, richer, seat, luck, STANDARD) > end_of(title, state, seat, luck, STANDARD)


def test_a_company_without_track_is_judged_by_what_is_near_its_home() -> None:
    """In 1889, IR begins next to a rich edge of the map; UR has a printed city, but nothing next to it."""
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    rich, poor = CorpId("IR"), CorpId("UR")
    assert stop_values(title, state, poor) > stop_values(title, state, rich)
    assert standing(title, state, poor) == ((), PLAIN * surroundings(title, poor))
    assert surroundings(title, rich) > 1 > surroundings(title, poor)
    assert min(surroundings(title, corp) for corp in title.corporations) >= HOME_LEAST


def test_a_city_that_a_company_reaches_is_not_promised_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 1889 UR has a printed city of 40, and nothing next to its track."""
    monkeypatch.setattr(earning, "NEAR", (1.0,))
    title = build("1889", 3)
    assert outlook(title, start(title, ["Ann", "Ben", "Cho"]), CorpId("UR")) == 40


def test_a_hurried_course_has_all_a_round_earlier() -> None:
    course = Course(3, (1, 2, 3), (1, 1, 2), (-1, 0, 2, NEVER))
    assert course.hurried() == Course(3, (2, 3, 3), (1, 2, 2), (-1, -1, 1, NEVER))


def test_who_can_float_another_company_alone_starts_it() -> None:
    """Even where shares of others promise more: people do, and the new companies' money buys the next trains."""
    title = build("1889", 3)
    state = stock_rounds(title, 3)[-1]
    head = next(player for player in state.players if player in state.president.values())
    for cash, more in ((324, False), (325, True)):
        rich = state.copy()
        rich.cash[BANK] -= cash - rich.cash[head]
        rich.cash[head] = cash
        scene = Scene(title, rich)
        seat = scene.seats.index(head)
        before = sum(firm.head == seat for firm in scene.firms)
        trade(scene, first=True)
        assert (sum(firm.head == seat for firm in scene.firms) > before) == more


def test_a_company_with_money_buys_a_train_that_lasts() -> None:
    """A used 2-train is cheaper, but the next new train makes it rust."""
    title = build("1889", 3)
    scene = Scene(title, stock_rounds(title, 3)[-1])
    firm = next(firm for firm in scene.firms if firm.floated)
    scene.depot = [0, 0, 1, *scene.depot[3:]]
    scene.pool = [0]
    for cash, bought in ((title.trains[Rank("4")].price, 2), (title.trains[Rank("2")].price, 0)):
        scene.pool, firm.trains, firm.cash = [0], [], cash
        buy_trains(scene, firm)
        assert firm.trains == [bought]
