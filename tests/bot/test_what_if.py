"""What follows a pass, for who is up."""

from __future__ import annotations

import pytest
from club import Club, text
from player import private_answer, tool
from tables import Table, table
from tastes import eager
from walks import walk

import engine
from bot.core.passing import if_all_passed, if_passed
from bot.core.table import Table as Played
from bot.rooms.turn.screen import more_screen
from bot.rooms.turn.shown import follows
from bot.words.lexicon import Lexicon, lexicon
from engine import actions as a
from engine.ids import PlayerId
from engine.secrets import treasury_visible
from engine.state import State
from engine.title import Title


def names_of(t: Title, s: State) -> Lexicon:
    return lexicon(s.names, t)


def lines(t: Title, s: State, seat: str = "p1", names: Lexicon | None = None) -> tuple[list[str], list[str]]:
    """What the seat reads of its own pass, and of everybody's."""
    player, names = PlayerId(seat), names or names_of(t, s)
    first = if_passed(t, s, player)
    then = if_all_passed(t, first, player)
    return follows(t, first, player, names), follows(t, then, player, names) if then else []


def stock_round() -> Table:
    box = table("1889", 3).par("AR", 90, (1, 3)).shares("AR", p1=5, p2=3, p3=2).phase("2")
    return box.cash(p1=500, p2=500, p3=500).set(floated=frozenset({"AR"}))


def test_a_pass_says_who_is_next_and_what_follows_if_all_pass() -> None:
    t, s = stock_round().build()
    first, then = lines(t, s)
    assert first == ["- Then it is **Ben**'s turn to buy, sell or pass."]
    assert then == [
        "- **AR** rises to ¥100 because it is sold out.",
        "- *Operating round 2.1*",
        "- Then **AR** operates, run by **Ann**.",
        "- The priority deal is yours.",
    ]


def test_whoever_has_acted_is_asked_again() -> None:
    t, s = stock_round().build()
    s = engine.apply(t, s, a.SellShares("p1", "AR", 1))
    assert lines(t, s)[1] == ["- It is your turn again: buy, sell or pass."]


def test_the_last_to_pass_reads_that_the_round_ends() -> None:
    t, s = stock_round().build()
    for seat in ("p1", "p2"):
        s = engine.apply(t, s, a.Pass(seat))
    first, then = lines(t, s, "p3")
    assert "- *Operating round 2.1*" in first
    assert then == []


@pytest.mark.rule("1888-TRN-17", "1888-TRN-18")
def test_an_export_at_the_end_of_the_set_is_told_with_the_phase_that_it_begins() -> None:
    box = table("1888", 3).par("LYR", 80).shares("LYR", p1=6).operating("LYR", "trains").trains("LYR", "2", "2")
    t, s = box.phase("3", left_3=0).rounds(2, 2, 2).cash(LYR=0).build()
    assert lines(t, s)[0][:3] == [
        "- A 4-train is exported: it leaves the game.",
        "- *Phase 4 begins: train limit 3.*",
        "- All 2-trains rust and leave the game (**LYR**).",
    ]


def test_who_must_not_pass_reads_why() -> None:
    box = stock_round().operating("AR", "trains").tile("K8", "57", 1).phase("3", left_3=0).cash(AR=500)
    t, s = box.build()
    with pytest.raises(engine.Refused, match="AR must own a train"):
        lines(t, s)


@pytest.mark.parametrize(
    ("title", "options"),
    [(one, []) for one in engine.TITLES] + [("1890", ["hidden_cash"]), ("1890", ["hidden_cash", "earthquake"])],
)
@pytest.mark.long
def test_nothing_told_depends_on_what_others_hide(title: str, options: list[str]) -> None:
    t = engine.build(title, 3, options)
    names, compared = names_of(t, engine.start(t, ["Ann", "Ben", "Cho"])), 0
    for s, _, _ in walk(t, 4, 150, eager):
        seat = engine.decision(t, s).players[0]
        if seat not in s.players or engine.judge(t, s, a.Pass(seat)) is not None:
            continue
        hidden = [corp for corp in s.floated if not treasury_visible(t, s, corp, seat)]
        if not t.policy.secrecy.open_cash:
            hidden += [one for one in s.players if one != seat]
        for change in (137, -10_000):
            other = s.copy()
            for purse in hidden:
                other.cash[purse] = max(0, other.cash[purse] + change)
            assert lines(t, s, seat, names) == lines(t, other, seat, names)
        compared += bool(hidden)
    assert compared > 10 or title == "1888"


async def test_who_is_up_reads_it_privately_and_can_pass_there(club: Club) -> None:
    here = await club.begin(3)
    up = club.who(here.position.up[0], here)
    answer = private_answer(await tool(up, club.packet(), "What if I pass?"))
    assert text(answer).startswith("### If you pass")
    assert "\n### If Ben and Chloe pass, too\n- " in text(answer)
    seq = here.position.seq
    await up.click(answer, label="Pass")
    assert here.position.seq == seq + 1


async def test_at_a_full_table_the_others_are_not_listed_in_a_heading(club: Club) -> None:
    here = await club.begin(5)
    up = club.who(here.position.up[0], here)
    told = text(private_answer(await tool(up, club.packet(), "What if I pass?")))
    assert "\n### If the others pass, too\n- " in told


async def offered(here: Played, user: int) -> list[str]:
    """The buttons behind *More…*."""
    return [one.label for row in (await more_screen(here, user)).rows if isinstance(row, tuple) for one in row]


@pytest.mark.usefixtures("plain_pictures")
async def test_what_somebody_would_be_refused_is_not_offered_to_them(club: Club) -> None:
    here = await club.begin(3)
    host, up, waiting, stranger = (member.id for member in club.members[:4])
    await here.submit(a.Pass(PlayerId("p1")), user=host)
    asked, played = {"What if I pass?", "Suggest"}, {"My hand", "Undo", "Try out"}
    assert asked | played <= {*await offered(here, up)}
    assert {*await offered(here, waiting)} & (asked | played) == played
    assert not {*await offered(here, stranger)} & (asked | played)


async def test_it_is_not_offered_where_nobody_may_pass(club: Club) -> None:
    here = await club.begin(3)
    must_buy = table("1889", 3).par("AR", 100).shares("AR", p1=5).cash(AR=500).tile("K8", "57", 1)
    here.title, here.beginning = must_buy.operating("AR", "trains").build()
    here._arrive(0)
    assert "Try out" in await offered(here, club.aiko.id)
    assert "What if I pass?" not in await offered(here, club.aiko.id)
