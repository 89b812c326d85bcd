"""18HS: shares are counted by what a company's charter says, in the rules and in what people read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tables import allows, refuses, table

from bot.words.narration import narrate
from cli.contract.texts import seen, undrawn
from engine import TITLES, State, Title, apply, decision, legal
from engine.actions import BuyShare, Dividend, Par, Pass, SellShares
from engine.facts import Floated, PriceMoved
from engine.ids import IPO
from engine.shares import certificates
from engine.stored import state_of
from engine.viewing import table_view
from half_shares.title import RECIPE
from opponents import advise
from opponents.advice import counsel
from opponents.forecast import NEVER, Course
from opponents.prospects import Valuation
from opponents.ruin import income
from opponents.sketch import Sketch
from opponents.sketch_stock import _starts
from renderer import table_picture


@pytest.fixture(autouse=True)
def half_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, RECIPE.id, RECIPE)


def begun(**held: int) -> tuple[Title, State]:
    """A stock round in which WL has par 23; who holds how much of its twenty half-shares is told."""
    box = table("18HS", 2).par("WL", 23).shares("WL", held, president="p1").cash(p1=500, p2=500, WL=100)
    box.tile("A4", "57", 0).tile("A6", "58", 3)
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
    for count in (3, 4):
        refuses(t, s, SellShares("p1", "WL", count), "18HS-SR-06")
    t, s = begun(p1=6, p2=4)
    assert allows(t, s, SellShares("p1", "WL", 3)).president["WL"] == "p2"


def test_the_presidents_certificate_counts_as_one() -> None:
    t, s = begun(p1=6, p2=5)
    assert (certificates(t, s, "p1"), certificates(t, s, "p2")) == (3, 5)


def test_no_sale_for_a_train_costs_a_presidency() -> None:
    box = table("18HS", 2).par("WL", 23).shares("WL", p1=10).operating("WL", "trains").cash(WL=0, p1=0)
    t, s = box.par("NL", 20).shares("NL", p1=6, p2=4).tile("A4", "57", 0).tile("A6", "58", 3).build()
    assert "would cost you the presidency of NL" in refuses(t, s, SellShares("p1", "NL", 3), "18HS-EMR-01")


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
    assert "45 % in the initial offering" in labels.note(BuyShare("p1", "WL", IPO))


def test_the_picture_of_the_table_counts_in_per_cent() -> None:
    t, s = begun(p1=7, p2=5, pool=1)
    words = table_picture(table_view(t, s)).alt
    assert "WL 35" in words
    assert "offer 35" in words
    assert "market 5" in words


def in_tenths(t: Title, s: State) -> tuple[Title, State]:
    """The same position, with whole shares in place of every two half-shares."""
    halved = {corp.id: replace(corp, shares=10, president_shares=2, float_shares=5) for corp in t.corporations.values()}
    whole = state_of(t, s.names, s.to_dict())  # with a board of its own, which remembers nothing
    whole.shares = {corp: {who: count // 2 for who, count in held.items()} for corp, held in s.shares.items()}
    return replace(t, id="18WS", corporations=halved), whole


def test_opponents_expect_as_much_of_a_company_however_it_is_divided() -> None:
    t, s = begun(p1=8, p2=6)
    s.trains["WL"] = ("3",)
    course = Course(6, (0,) * 6, (1,) * 6, (NEVER,) * len(t.trains))
    half, whole = (Valuation(*one, course).prospect("WL") for one in ((t, s), in_tenths(t, s)))
    assert half is not None
    assert whole is not None
    assert half.income == whole.income > 0
    assert half.left == whole.left
    assert 20 * half.paid == pytest.approx(10 * whole.paid)
    assert income(t, s, "p1", {"WL": half}) == pytest.approx(half.income * 8 / 20)


def test_opponents_start_companies_with_all_their_shares() -> None:
    t, s = begun(p1=8)
    sketch = Sketch(t, s)
    firm = next(firm for firm in sketch.firms if firm.corp == "NL")
    assert _starts(sketch, 0, 500.0)
    started = next(firm for firm in sketch.firms if firm.par and firm.corp != "WL")
    assert started.held[0] == 4
    assert started.needed == 10 - 4
    assert (firm.shares, firm.lead) == (20, 4)


def test_opponents_know_what_a_share_is() -> None:
    t, s = begun(p1=7, p2=5)
    assert decision(t, s).players == ("p1",)
    assert advise(t, s, "p1", "regular")[0].action in list(legal(t, s, "p1"))


@pytest.mark.long
def test_advice_tells_chances_in_a_title_of_which_nothing_was_learnt() -> None:
    t, s = begun(p1=4, p2=2)
    firsts, ends = counsel(t, s, decision(t, s).players[0]).end
    assert 0 <= firsts.amount <= 100
    assert ends.before is not None
    assert 0 <= ends.before < ends.amount
