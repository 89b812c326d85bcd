"""18HS: shares are counted by what a company's charter says, in the rules and in what people read."""

from __future__ import annotations

import pytest
from tables import allows, refuses, table

from bot.text.narration import narrate
from cli.contract.texts import seen, undrawn
from engine import TITLES, State, Title, apply, decision, legal
from engine.actions import BuyShare, Dividend, Par, Pass, SellShares
from engine.facts import Floated, PriceMoved
from engine.ids import IPO
from engine.viewing import table_view
from half_shares.title import RECIPE
from opponents import advise
from renderer import table_picture


@pytest.fixture(autouse=True)
def half_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, RECIPE.id, RECIPE)


def begun(**held: int) -> tuple[Title, State]:
    """A stock round in which WL has par 23; who holds how much of its twenty half-shares is told."""
    box = table("18HS", 2).par("WL", 23).shares("WL", held, president="p1").cash(p1=500, p2=500, WL=100)
    return box.set(floated=frozenset({"WL"})).build()


def test_the_presidents_certificate_is_four_of_twenty() -> None:
    t, s = table("18HS", 2).cash(p1=360).build()
    after = allows(t, s, Par("p1", "WL", 0, 2))
    assert after.shares["WL"] == {"ipo": 16, "p1": 4}
    assert after.cash["p1"] == 360 - 4 * 26
    refuses(t, table("18HS", 2).cash(p1=103).build()[1], Par("p1", "WL", 0, 2), "18HS-SR-02")


def test_a_company_floats_with_half_of_its_shares_and_gets_par_for_all() -> None:
    t, s = table("18HS", 2).par("WL", 26).shares("WL", p1=9).cash(p1=100, WL=0).build()
    after = allows(t, s, BuyShare("p1", "WL", IPO))
    assert [fact.capital for fact in after.facts if isinstance(fact, Floated)] == [20 * 26]


def test_a_half_share_gets_a_twentieth_of_the_revenue() -> None:
    t, s = table("18HS", 2).par("WL", 26).operating("WL", "dividend").shares("WL", p1=10).build()
    s.income = 90
    before = dict(s.cash)
    after = apply(t, s, Dividend("p1", "WL", "pay"))
    assert after.cash["p1"] - before["p1"] == 10 * 4
    assert after.cash["WL"] - before["WL"] == 90 - 20 * 4


def test_a_company_is_sold_out_when_players_have_all_twenty() -> None:
    for others, moves in ((8, ["sold out"]), (7, [])):
        t, s = begun(p1=12, p2=others)
        after = apply(t, apply(t, s, Pass("p1")), Pass("p2"))
        assert [fact.why for fact in after.facts if isinstance(fact, PriceMoved)] == moves


def test_the_presidency_goes_to_nobody_with_fewer_than_its_certificate() -> None:
    t, s = begun(p1=6, p2=3)
    refuses(t, s, SellShares("p1", "WL", 3), "18HS-SR-06")
    t, s = begun(p1=6, p2=4)
    assert allows(t, s, SellShares("p1", "WL", 3)).president["WL"] == "p2"


def test_limits_are_told_in_per_cent_of_twentieths() -> None:
    t, s = begun(p1=12)
    text = refuses(t, s, BuyShare("p1", "WL", IPO), "18HS-SR-05")
    assert text == "You hold 60 % of WL; the limit is 60 %."
    assert "Nobody else has 20 % of WL" in refuses(*begun(p1=6), SellShares("p1", "WL", 3), "18HS-SR-06")


def test_people_read_of_five_per_cent() -> None:
    t, s = begun(p1=6, p2=5)
    names = seen(t, s, undrawn()).lexicon()
    sold = apply(t, s, SellShares("p1", "WL", 1))
    assert narrate(sold.facts, names)[0].startswith("**Ann** sells 5 % of **WL**")
    labels = seen(t, s, undrawn()).labels("p1")
    assert labels.of(SellShares("p1", "WL", 1)).startswith("5 % of WL")
    assert "45 % left in the initial offering" in labels.note(BuyShare("p1", "WL", IPO))


def test_the_picture_of_the_table_counts_in_per_cent() -> None:
    t, s = begun(p1=7, p2=5, pool=1)
    words = table_picture(table_view(t, s)).alt
    assert "WL 35" in words
    assert "offer 35" in words
    assert "market 5" in words


def test_opponents_know_what_a_share_is() -> None:
    t, s = begun(p1=7, p2=5)
    assert decision(t, s).players == ("p1",)
    assert advise(t, s, "p1", "regular")[0].action in list(legal(t, s, "p1"))
