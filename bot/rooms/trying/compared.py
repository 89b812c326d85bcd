"""A line beside the game: what everybody has now and would have then, as a card."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.words.lexicon import Lexicon
from engine.ids import CorpId
from engine.state import State
from engine.steps.run import bests_of
from engine.title import Title
from engine.views import CompanyRow, PlayerRow, TableView
from renderer.card import Card, Cell, Column, Fact, Row, Section

SECONDS = 1.5
"""After which no further company is looked at."""


@dataclass(frozen=True, slots=True)
class CouldRun:
    """The revenue of a company's best routes; at least that where it is not proved best."""

    revenue: int
    proved: bool


Runs = Mapping[CorpId, CouldRun]


def could_run(
    title: Title, states: Sequence[State], first: Iterable[CorpId] = (), seconds: float | None = None
) -> list[Runs]:
    """For each position what companies with trains could run for in it, those named in `first` before the others.

    A company is in all the answers or in none: none if the time was up before, or in positions where it has no train.
    """
    until = time.monotonic() + (SECONDS if seconds is None else seconds)
    found: list[dict[CorpId, CouldRun]] = [{} for _ in states]
    for corp in dict.fromkeys((*first, *title.corporations)):
        if time.monotonic() >= until:
            break
        for state, runs in zip(states, found, strict=True):
            best = _best(title, state, corp)
            if best is not None:
                runs[corp] = best
    return list(found)


def _best(title: Title, state: State, corp: CorpId) -> CouldRun | None:
    """The highest revenue among what the router finds; None for a company without a train, owned or leased."""
    if corp not in state.floated:
        return None
    top = max(bests_of(title, state, corp), key=lambda one: one.total, default=None)
    if top is not None and top.total:
        return CouldRun(top.total, top.proved)
    return CouldRun(0, True) if state.trains[corp] else None


PLAYERS = (Column("", "l", elastic=True), *map(Column, ("cash", "then", "worth", "then", "gains")))
COMPANIES = ("price", "then", "{}", "then", "best run", "then")
SAME, NONE = "=", "–"
BEST_RUN = "-# Best run: the most that a company's trains could earn, now and then."
UNPROVED = "≥ {}"


def compared_card(name: str, now: TableView, then: TableView, runs: Sequence[Runs], names: Lexicon) -> Card:
    """Cash and worth of players; prices, money, runs and trains of companies: now, and at the end of the line.

    `runs` says what companies could run for, now and then.
    """
    players = tuple(_player(row, then.player(row.id), names) for row in now.players)
    companies = tuple(
        _company(row, after, [found.get(row.company.id) for found in runs], names)
        for row in now.companies
        if (after := then.company(row.company.id)) is not None and (after.par is not None or after.floated)
    )
    sections = [Section(players, columns=PLAYERS)]
    columns = tuple(Column(heading.format(now.company_money)) for heading in COMPANIES)
    sections += [Section(companies, "Companies", columns)] if companies else []
    facts = tuple(_of_all(now, then, names))
    sections += [Section((Row(facts=facts),), "The bank and the trains")] if facts else []
    views = tuple(row.company for row in now.companies)
    return Card(f"Now and then: {name}", then.phase, tuple(sections), views)


def _player(now: PlayerRow, then: PlayerRow | None, names: Lexicon) -> Row:
    assert then is not None
    gains = (then.worth or 0) - (now.worth or 0)
    sign = "+" if gains > 0 else "−" if gains < 0 else ""
    change = Cell(f"{sign}{names.money(abs(gains))}" if gains else SAME, "strong" if gains > 0 else "soft")
    cells = (Cell(now.name), *_pair(now.cash, then.cash, names), *_pair(now.worth, then.worth, names), change)
    before, after = dict(now.shares), dict(then.shares)
    moved = [
        Fact(str(corp), f"{names.percent(corp, before.get(corp, 0))} → {names.percent(corp, after.get(corp, 0))}")
        for corp in {**before, **after}
        if before.get(corp) != after.get(corp)
    ]
    return Row(cells, tuple(moved))


def _company(now: CompanyRow, then: CompanyRow, runs: Sequence[CouldRun | None], names: Lexicon) -> Row:
    cells = (
        *_pair(now.price, then.price, names),
        *_pair(now.treasury, then.treasury, names),
        *_runs(runs, names),
    )
    facts: list[Fact] = []
    if now.trains != then.trains:
        facts += [Fact("trains", "none" if not now.trains else "", trains=now.trains)]
        facts += [Fact("then", "none" if not then.trains else "", trains=then.trains, tone="strong")]
    elif now.trains:
        facts.append(Fact("trains", trains=now.trains))
    if now.last_run != then.last_run:
        ran = (NONE if one is None else names.money(one) for one in (now.last_run, then.last_run))
        facts.append(Fact("last run", " → ".join(ran)))
    if now.president != then.president and then.president is not None:
        facts.append(Fact("president then", names.plain_player(then.president), tone="alert"))
    return Row(cells, tuple(facts), now.company.id)


def _runs(runs: Sequence[CouldRun | None], names: Lexicon) -> tuple[Cell, Cell]:
    now, then = (_run(one, names) for one in runs)
    return Cell(now), Cell(SAME, "soft") if now == then else Cell(then, "strong")


def _run(one: CouldRun | None, names: Lexicon) -> str:
    if one is None:
        return NONE
    revenue = names.money(one.revenue)
    return revenue if one.proved else UNPROVED.format(revenue)


def _of_all(now: TableView, then: TableView, names: Lexicon) -> Iterator[Fact]:
    if now.bank != then.bank:
        yield Fact("bank", f"{names.money(now.bank)} → {names.money(then.bank)}")
    if now.phase != then.phase:
        yield Fact("phase", f"{now.phase} → {then.phase}", tone="alert")
    for row in now.depot:
        after = next((one for one in then.depot if one.rank == row.rank), row)
        if after.left != row.left:
            yield Fact(figure=f"{row.left} → {after.left}", behind="left", trains=(row.rank,))


def _pair(now: int | None, then: int | None, names: Lexicon) -> tuple[Cell, Cell]:
    """Both figures; the second only where it differs."""
    first = Cell(NONE if now is None else names.money(now))
    if now == then:
        return first, Cell(SAME, "soft")
    return first, Cell(NONE if then is None else names.money(then), "strong")
