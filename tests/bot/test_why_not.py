"""Why something cannot be done, for who asks."""

from __future__ import annotations

import pytest
from club import Club, buttons
from player import answer, more, tool
from tables import Table, table
from tastes import eager
from walks import walk

import engine
from bot.rooms.turn.why_not import reasons
from bot.words.labels import CONTROLS, UNEXPLAINED, Labels
from bot.words.lexicon import lexicon
from engine import actions as a
from engine.actions import PHRASES
from engine.ids import PlayerId
from engine.secrets import treasury_visible
from engine.state import State
from engine.title import Title
from engine.viewing import market_view, table_view


def lines(t: Title, s: State, seat: str = "p1") -> list[str]:
    player = PlayerId(seat)
    view = table_view(t, s, player)
    names = lexicon(s.names, t)
    labels = Labels(names, view, market_view(t, s, ()), engine.decision(t, s).step)
    refusals = engine.refusals(t, s, player, without=UNEXPLAINED)
    return reasons(engine.legal(t, s, player), refusals, labels)


def stock_round() -> Table:
    return table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3).phase("2").cash(p1=500, p2=500, p3=500)


def test_a_company_that_was_sold_this_round_says_so() -> None:
    t, s = stock_round().build()
    after = engine.apply(t, s, a.SellShares("p1", "AR", 1))
    assert [line for line in lines(t, after) if "Buy a share" in line] == [
        "- **Buy a share**: You sold AR this stock round and cannot buy it again until the next one. [1889-SR-10]"
    ]


def test_money_that_is_missing_is_named_with_the_cheapest_choice() -> None:
    t, s = stock_round().cash(p1=70).build()
    assert "- **Start a company**: The president's certificate would cost ¥130; you have ¥70. [1889-SR-26]" in lines(
        t, s
    )


@pytest.mark.rule("1890-COR-02")
def test_where_there_is_one_par_alone_its_price_is_what_is_missing() -> None:
    t, s = table("1890", 3).phase("2").cash(p1=150).build()
    (line,) = (one for one in lines(t, s) if "Start a company" in one)
    assert line.startswith("- **Start a company**: The president's certificate would cost ¥200; you have ¥150 (JR).")


def test_companies_that_cost_different_amounts_are_named_with_them() -> None:
    t, s = table("1890", 3).phase("2").cash(p1=50).build()
    only, others = (one for one in lines(t, s) if "Start a company" in one)
    assert "¥200; you have ¥50 (JR)." in only
    assert "¥130; you have ¥50 (Subway, Keihan, " in others


def test_only_reasons_that_are_alike_share_a_sentence() -> None:
    t, s = table("1860", 3).private(FFC=engine.BANK).cash(p1=20).build()
    assert [one for one in lines(t, s) if "Buy a private" in one] == [
        "- **Buy a private**: The bank does not offer BHC. Likewise YHC, CMH and RPSC. [1860-PRV-03]",
        "- **Buy a private**: FFC costs £200; you have £20. [1860-PRV-03]",
    ]


def test_a_company_that_is_named_already_is_not_named_again() -> None:
    t, s = table("1860", 3).par("C&N").shares("C&N", p1=2).cash(p1=500).build()
    (line,) = (one for one in lines(t, s) if "IWNJ" in one)
    assert line.startswith("- **Start a company**: IWNJ belongs to layer 2; no layer above 1 is open yet. Likewise FYN")


def test_what_one_sentence_explains_is_named_together() -> None:
    """Whoever had to sell read four times, one below the other, that they are over the limit."""
    box = table("1890", 3).par("JR", 100).shares("JR", p1=2).private(A="p2")
    for corp in ("Keihan", "Nankai", "Sanyo", "Hanshin", "Hankyu"):
        box = box.par(corp, 100).shares(corp, p1=5)
    over = [one for one in lines(*box.build()) if "You must first sell down to the limits" in one]
    kinds = "- **Buy a share**, **Start a company**, **Buy a private from another player**, **Pass**"
    assert [one.split(":")[0] for one in over] == [kinds]


def test_whoever_runs_a_company_is_called_as_in_this_title() -> None:
    """In 1888-N, where directors run companies, the rules objected with presidents and presidencies."""
    box = table("1888", 3).par("ZDR", 80).shares("ZDR", p1=2, p2=2).par("HJR", 80).shares("HJR", p2=5, p1=2)
    box = box.operating("ZDR", "trains").cash(p1=10, ZDR=10).phase("5")
    assert "would cost you the directorship of ZDR" in "\n".join(lines(*box.build()))
    assert "a director may help only when a train must be bought" in "\n".join(lines(*box.trains("ZDR", "5").build()))


def test_a_train_that_must_be_bought_is_why_the_turn_cannot_end() -> None:
    box = stock_round().operating("AR", "trains").tile("K8", "57", 1).phase("3", left_3=0).cash(AR=500)
    t, s = box.build()
    assert any(line.startswith("- **Pass**: AR must own a train") for line in lines(t, s))


def test_what_is_on_offer_is_not_explained_away() -> None:
    t, s = stock_round().build()
    assert not any("Buy a share" in line for line in lines(t, s))  # AR can be bought, and the others started


def test_every_kind_that_is_offered_has_words() -> None:
    assert set(CONTROLS) - UNEXPLAINED <= set(PHRASES)


@pytest.mark.parametrize(("title", "options"), [(one, []) for one in engine.TITLES] + [("1890", ["hidden_cash"])])
@pytest.mark.long
@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (20, 21))])
def test_no_reason_tells_what_others_hide(title: str, options: list[str], seed: int) -> None:
    """Positions that differ in money that the seat may not know: the same reasons."""
    t = engine.build(title, 3, options)
    compared = 0
    for s, _, _ in walk(t, seed, 180, eager):
        seat = engine.decision(t, s).players[0]
        if seat not in s.players:
            continue
        hidden = [corp for corp in s.floated if not treasury_visible(t, s, corp, seat)]
        if not t.policy.secrecy.open_cash:
            hidden += [one for one in s.players if one != seat]
        if not hidden:
            continue
        richer = s.copy()
        for purse in hidden:
            richer.cash[purse] += 137
        assert lines(t, s, seat) == lines(t, richer, seat)
        compared += 1
    assert compared > 10 or title == "1888"


async def test_it_is_there_for_whoever_is_up_and_misses_something(club: Club) -> None:
    here = await club.begin(3, options="beginner")
    up = club.who(here.position.up[0], here)
    assert "Why not?" not in buttons(await more(up, club.packet())), "all that there is can be done"
    await up.slash(club.channel, "do", move="Start AR at a par of ¥65")
    for _ in range(2):
        await club.who(here.position.up[0], here).slash(club.channel, "pass")
    assert (await answer(tool(up, club.packet(), "Why not?"))).startswith("### Why not?")
    other = next(club.who(seat, here) for seat in here.seats if seat not in here.position.up)
    assert "Why not?" not in buttons(await more(other, club.packet())), "who is not asked misses nothing"
