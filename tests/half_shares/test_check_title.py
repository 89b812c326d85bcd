"""`tetsudo check-title` on 18HS: it keeps every promise; what is broken on purpose is told so as to be mended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.contract import rules
from cli.main import main
from engine import TITLES, State, Title, build
from engine.actions import Action, Lay, LayTile, Pass
from engine.facts import Announced
from engine.ids import OR, PlayerId
from engine.steps import track
from engine.title import Step
from half_shares import title as half
from half_shares.title import RECIPE

Spoil = Callable[[Title], Title]


@pytest.fixture(autouse=True)
def half_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, RECIPE.id, RECIPE)
    monkeypatch.setattr(rules, "LEDGERS", Path(__file__).parent)


@pytest.fixture
def spoil(monkeypatch: pytest.MonkeyPatch) -> Callable[[Spoil], None]:
    """Has the title built with a fault."""

    def spoil_with(fault: Spoil) -> None:
        monkeypatch.setitem(
            TITLES, RECIPE.id, replace(RECIPE, build=lambda players, options: fault(half.build(players, options)))
        )

    return spoil_with


def with_step(t: Title, step: Step) -> Title:
    """The title with another step of company turns of that name."""
    turn = t.rounds[OR]
    steps = tuple(step if part.name == step.name else part for part in turn.steps)
    return replace(t, rounds={**t.rounds, OR: replace(turn, steps=steps)})


def with_lay(t: Title, **changes: Any) -> Title:
    step = t.own_step(track.TRACK)
    old = step.by_action[LayTile]
    return with_step(t, step.swap(old, replace(old, **changes)))


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    assert main(["check-title", "18HS", *arguments]) == code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "setups",
    [
        pytest.param((), id="every setup", marks=pytest.mark.slow),
        pytest.param(("--players", "3", "--option", "hidden_cash"), id="one setup"),
    ],
)
@pytest.mark.long
def test_the_title_keeps_every_promise(setups: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    report = told(capsys, *setups, code=0)
    for name in ("rules", "box", "turns", "games", "legal", "nonsense", "texts", "pictures", "opponents", "begin"):
        assert f"\n{name}" in report
    assert "BROKEN" not in report
    assert "Every promise was kept." in report


@pytest.mark.long
def test_money_that_appears_is_told_with_its_move_and_the_way_to_see_it_again(
    spoil: Callable[[Spoil], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def paid_for_nothing(t: Title, s: State, a: LayTile) -> None:
        track.lay(t, s, a)
        s.cash[a.corp] += 1

    spoil(lambda t: with_lay(t, perform=paid_for_nothing))
    report = told(capsys, "--check", "games", "--out", str(tmp_path))
    assert "games      2 BROKEN" in report
    assert "There are £4,001, not £4,000." in report
    again = next(line for line in report.splitlines() if "again:" in line).split("tetsudo ")[1].split()
    assert again[:4] == ["check-title", "18HS", "--check", "games"]
    file = next(tmp_path.iterdir())
    last = json.loads(file.read_text())["log"][-1]["action"]
    assert last["do"] == "LayTile"
    assert f", move {len(json.loads(file.read_text())['log'])}: LayTile(" in report
    assert again[-3:] == ["--plain", "--seed", "1"]
    assert main(again) == 1
    assert "There are £4,001, not £4,000." in capsys.readouterr().out


def _citing_amiss(t: Title) -> Title:
    return replace(t, turn_rules={**t.turn_rules, OR: "18HS-OR-99"})


def _without_candidates(t: Title) -> Title:
    def yellow_on_water(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
        yield from (one for one in half.lays(t, s, player) if isinstance(one, LayTile) and one.rotation == 0)

    return with_lay(t, candidates=yellow_on_water)


def _mumbling(t: Title) -> Title:
    def mumbles(t: Title, s: State, a: Lay) -> str | None:
        return "no" if track.right_colour(t, s, a) else None

    lay = t.own_step(track.TRACK).by_action[LayTile]
    spoilt = replace(t, cites={**t.cites, mumbles: "18HS-TRK-01"})
    return with_lay(spoilt, guards=(mumbles, *lay.guards))


def _crashing(t: Title) -> Title:
    def crashes(t: Title, s: State, a: LayTile) -> None:
        raise KeyError(a.hex)

    return with_lay(t, perform=crashes)


def _unworded(t: Title) -> Title:
    def announces(t: Title, s: State, a: LayTile) -> None:
        track.lay(t, s, a)
        s.facts.append(Announced("lake drained"))

    return with_lay(t, perform=announces)


def _stuck(t: Title) -> Title:
    def never_passes(t: Title, s: State, player: PlayerId) -> list[Action]:
        return []

    step = t.own_step(track.TRACK)
    old = step.by_action[Pass]
    return with_step(t, step.swap(old, replace(old, candidates=never_passes)))


def _restless(t: Title) -> Title:
    def counts(t: Title, s: State, a: Lay) -> str | None:
        s.tickets += 1
        return None

    lay = t.own_step(track.TRACK).by_action[LayTile]
    return with_lay(replace(t, cites={**t.cites, counts: "18HS-TRK-01"}), guards=(*lay.guards, counts))


@pytest.mark.parametrize(
    ("check", "fault", "text"),
    [
        ("rules", _citing_amiss, "18HS-OR-99 is no rule of the ledger; it is cited for whoever acts"),
        ("legal", _without_candidates, "but not among the candidates: "),
        ("nonsense", _mumbling, "A refusal is no sentence: 'no'."),
        ("turns", _crashing, "KeyError: "),
        ("texts", _unworded, "`Wording.announcements` has no 'lake drained'."),
        ("games", _stuck, "nobody can do anything"),
        ("turns", _restless, "Asking what is possible changed the position: `tickets`."),
        ("pictures", lambda t: replace(t, currency="{0}{1}"), "IndexError: "),
        ("opponents", _crashing, "KeyError: "),
    ],
)  # fmt: skip
@pytest.mark.long
def test_a_fault_is_found_and_told(
    check: str, fault: Spoil, text: str, spoil: Callable[[Spoil], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(fault)
    report = told(capsys, "--check", check, "--players", "2", "--option", "hidden_cash")
    assert "BROKEN" in report
    assert text in report
    assert f"again:  tetsudo check-title 18HS --check {check} --players 2 --option hidden_cash --seed 1" in report


def test_a_title_that_cannot_be_built_is_no_riddle(
    spoil: Callable[[Spoil], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(lambda t: replace(t, supply={**t.supply, "no such tile": 1}))
    assert main(["check-title", "18HS"]) == 1
    assert (
        "It cannot be built for 2 players. ValueError: 18HS: tiles without a face: ['no such tile']"
        in capsys.readouterr().err
    )


def test_numbers_of_players_without_a_line_in_a_table_are_named(
    spoil: Callable[[Spoil], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(lambda t: replace(t, cash={2: 360, 4: 240}[t.players]))
    assert main(["check-title", "18HS"]) == 1
    assert "It cannot be built for 3 players. KeyError: 3 (" in capsys.readouterr().err


@pytest.mark.long
def test_one_setup_alone_may_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    report = told(capsys, "--check", "turns", "--players", "3", "--option", "one_lay", "--seed", "5", code=0)
    assert "1 games, 200 moves" in report
    assert main(["check-title", "18HS", "--check", "tunes"]) == 1
    assert "There is no check tunes; there are rules, " in capsys.readouterr().err


@pytest.mark.long
def test_a_setup_that_does_not_exist_breaks_no_promise(capsys: pytest.CaptureFixture[str]) -> None:
    """It was told ten times over, as what the title had broken."""
    assert main(["check-title", "1890", "--option", "scenario_a", "--players", "6"]) == 1
    told = capsys.readouterr()
    assert "is for 2 to 4 players, not 6" in told.err
    assert "BROKEN" not in told.out


def test_two_lays_are_offered_unless_one_is_chosen() -> None:
    assert half.two_lays in build("18HS", 2).cites
    for options, guard in (([], half.two_lays), (["one_lay"], track.one_lay)):
        t = build("18HS", 2, options)
        assert guard in t.own_step(track.TRACK).by_action[LayTile].guards
