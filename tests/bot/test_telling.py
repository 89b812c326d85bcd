"""What the history says of passes that nobody made: those of the bot, and those of the rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tables import table

import engine
from bot.core.moves import STORED, read_note, tell
from bot.core.orders import Orders
from bot.core.outcome import following, outcomes
from bot.core.position import Position
from bot.core.work import Work
from bot.words.lexicon import Lexicon, lexicon
from bot.words.narration import HOW
from engine import actions as a
from engine.state import State
from engine.title import Title


def told(t: Title, s: State, action: a.Action) -> list[str]:
    """What the history says of the action and what follows it."""
    moves = outcomes(t, s, [action], 1, None, 1, Orders())
    return [line for one in moves for line in tell(one, names(t, s))]


def names(t: Title, s: State) -> Lexicon:
    return lexicon(s.names, t)


def test_players_who_can_do_nothing_in_a_stock_round_are_told_to_pass() -> None:
    t, s = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=4).cash(p1=500, p2=0, p3=10).build()
    lines = told(t, s, a.Pass("p1"))
    assert lines[:3] == [
        "**Ann** passes.",
        "**Ben** passes. *(nothing else to do)*",
        "**Cho** passes. *(nothing else to do)*",
    ]


def test_a_player_who_has_acted_and_can_do_nothing_more_passes_nothing() -> None:
    t, s = table("1889", 2).par("AR", 100, (0, 3)).shares("AR", p1=4, p2=2).cash(p1=500, p2=500).build()
    after = engine.apply(t, s, a.BuyShare("p1", "AR", "ipo"))
    lines = told(t, after, a.Pass("p1"))
    assert not any("Ann" in line for line in lines)


@pytest.mark.rule("1890-VAR-05")
def test_where_cash_is_secret_nobody_reads_that_it_was_wanting() -> None:
    t, s = table("1890", 3, "hidden_cash").cash(p1=500, p2=0, p3=0).build()
    lines = told(t, s, a.Pass("p1"))
    assert not any("nothing else" in line for line in lines)


def test_a_pass_that_the_bot_makes_in_a_companys_turn_says_why() -> None:
    """A company without a token reaches nothing, so it can lay no track."""
    laid = table("1889", 3, "beginner").par("AR", 100, (0, 3)).shares("AR", p1=5).no_homes()
    t, s = laid.operating("AR", "track").build()
    moves = list(following(t, s, 1, Orders()))
    assert tell(moves[0], names(t, s))[0] == "**AR** lays no track. *(nothing else to do)*"


def test_who_has_laid_a_tile_and_could_lay_a_private_s_besides_lays_no_more() -> None:
    laid = table("1889", 3, "online").par("AR", 100, (0, 3)).shares("AR", p1=5).private(B="p1")
    t, s = laid.operating("AR", "track").build()
    lay = next(one for one in engine.legal(t, s, "p1") if isinstance(one, a.LayTile))
    after = engine.apply(t, s, lay)
    with ThreadPoolExecutor(1) as pool:
        labels = [Position(t, one, 1, dict(s.names), Work(pool)).labels().of(a.Pass("p1")) for one in (s, after)]
    assert labels == ["No track", "No more track"]
    assert told(t, s, a.Pass("p1"))[0] == "**AR** lays no track."
    assert told(t, after, a.Pass("p1"))[0] == "**AR** lays no more track."


@pytest.mark.parametrize(
    ("stored", "how"),
    [
        ("by the host", "host"),
        ("passed by the others", "voted"),
        ("auto: drawn by chance", "drawn"),
        ("auto: standing pass", "standing"),
        ("offer 7 accepted", "offer"),
        ("drawn by chance", None),
        ("of a later version", None),
        (None, None),
    ],
)
def test_notes_in_the_log_mean_what_they_meant_when_they_were_written(stored: str | None, how: str | None) -> None:
    note = read_note(stored)
    assert (note and note.how) == how
    assert note is None or str(note) == stored


def test_every_note_is_told_but_for_an_accepted_offer() -> None:
    assert HOW.keys() == STORED.keys()
