"""What is foreseen of a game holds for a round: it is asked once, and the card says the same in all its turns."""

import pytest
from club import Club
from tables import keep, table
from walks import whole_game

import engine
from bot.core.position import Stretch
from engine import State
from engine.actions import Pass
from engine.ids import OR
from engine.secrets import hidden_purses, with_purses


def played(title_id: str) -> tuple[engine.Title, list[State]]:
    title, states, _ = whole_game(title_id)
    return title, [*states[:300]]


def whereabouts(s: State) -> tuple[str, int, int, int, bool]:
    return s.round, s.turn, s.or_number, s.phase, bool(s.par)


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_rounds_to_go_are_foreseen_once_in_each_round_and_phase(title_id: str) -> None:
    title, states = played(title_id)
    stretch, last = Stretch(title, states[0]), whereabouts(states[0])
    assert stretch.rounds == 0  # nothing is known before a company is started
    for count in range(1, len(states) + 1):
        then, now = stretch.reached(states[:count]), whereabouts(states[count - 1])
        assert (then is stretch) == (now == last)
        stretch, last = then, now
    assert states[-1].par
    assert stretch.rounds > 0


def test_what_was_taken_back_leaves_the_stretch_of_what_is_in_force() -> None:
    title, states = played("1889")
    first = next(number for number, state in enumerate(states) if state.round == OR)
    before = Stretch(title, states[0]).reached(states[:first])
    in_it = before.reached(states[: first + 1])
    assert in_it.first is states[first]
    assert in_it.reached(states[:first]).first is before.first


@pytest.mark.rule("1860-END-11")
def test_once_the_bank_never_runs_out_nothing_is_told_of_rounds_to_go() -> None:
    """The card called a round the last that two others followed: what is foreseen knows no British Rail."""
    t, s = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").phase("9").build()
    assert Stretch(t, s).rounds > 0
    keep(s, southern="over", british=True)
    assert Stretch(t, s).rounds == 0


@pytest.mark.rule("1860-END-07")
def test_nothing_is_told_of_rounds_to_go_while_british_rail_may_form() -> None:
    """Three or four rounds follow on it, so that the card counted half of what was left."""
    t, s = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").phase("9").build()
    for southern in ("formed", "over"):
        keep(s, southern=southern)
        assert Stretch(t, s).rounds == 0
    s.broken = True
    assert Stretch(t, s).rounds == 1


def test_rounds_to_go_do_not_depend_on_hidden_money() -> None:
    title, states = played("1889")
    known = next(state for state in states if state.par and state.round == OR)
    hidden = hidden_purses(title, known, None)
    assert hidden
    assert Stretch(title, known).rounds == Stretch(title, with_purses(known, hidden, 7)).rounds


@pytest.mark.pictures
async def test_the_turns_of_a_round_share_their_stretch(club: Club) -> None:
    table = await club.begin(3, "1889")
    here = table.position.stretch
    assert here.first is table.beginning
    for seat in table.position.up:
        await table.submit(Pass(seat), user=club.who(seat, table).id)
    assert table.position.stretch is here
    assert table.position.state is not here.first
