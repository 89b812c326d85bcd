"""What an action leads to, said before it is chosen."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest
from decisions import card_of
from tables import Table, table
from tastes import eager
from walks import walk

import engine
from bot.words.consequences import Trial, consequences
from bot.words.labels import UNEXPLAINED, Labels, telling
from bot.words.lexicon import lexicon
from engine import actions as a
from engine.actions import Action
from engine.ids import PlayerId, PrivateId
from engine.money import free_cash
from engine.state import State
from engine.title import Title
from engine.viewing import Rows, board_view, market_view, table_view


def foreseen(t: Title, s: State, action: Action, viewer: str | None = None, reader: str | None = None) -> str:
    """What the viewer, or everybody, is told of the action; the `reader`, if that is not whoever acts."""
    seat = None if viewer is None else PlayerId(viewer)
    before = table_view(t, s, seat)
    names = replace(lexicon(s.names, t), reader=reader)
    after = engine.apply(t, s, action)
    return consequences(Trial(action, before, Rows(t, after, seat), after.facts, names))


def stock_round(*options: str) -> Table:
    """Ann presides over AR with 40 %, Ben holds 30 %; everybody has 500."""
    box = table("1889", 3, *options).par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3).phase("2")
    return box.cash(p1=500, p2=500, p3=500)


def test_a_sale_says_what_it_brings_and_who_presides_then() -> None:
    t, s = stock_round().build()
    told = foreseen(t, s, a.SellShares("p1", "AR", 2))
    assert told == "you then have ¥700; you keep 20 %; Ben becomes president of AR; price falls to ¥80"


def test_of_what_another_does_the_reader_alone_is_you() -> None:
    """In a line that somebody tries out, whoever moves was."""
    t, s = stock_round().build()
    sale, purchase = a.SellShares("p1", "AR", 2), a.BuyShare("p1", "AR", "ipo")
    assert foreseen(t, s, sale, reader="p2").startswith("Ann then has ¥700; Ann keeps 20 %; you become president of AR")
    assert foreseen(t, s, sale, reader="p1").startswith("you then have ¥700; you keep 20 %; Ben becomes president")
    assert foreseen(t, s, purchase, reader="") == "leaves ¥400; Ann holds 50 %"
    assert foreseen(t, s, a.SellShares("p1", "AR", 4), reader="p3").startswith("Ann then has ¥900; Ann keeps none; Ben")


@pytest.mark.rule("1890-MKT-06")
def test_a_sale_that_closes_the_company_says_so() -> None:
    t, s = table("1890", 3).par("Hankyu", 65, (8, 0)).shares("Hankyu", p1=3, p2=2).cash(p1=100).build()
    told = foreseen(t, s, a.SellShares("p1", "Hankyu", 1))
    assert told == "you then have ¥130; you keep none; price falls to ¥0; Hankyu is then closed"


def test_a_bankruptcy_says_who_is_left_with_nothing_and_whose_price_falls() -> None:
    box = table("1889", 3, "open_treasuries").par("AR", 100, (0, 3)).shares("AR", p1=4, p2=2)
    box = box.par("IR", 90, (1, 3)).shares("IR", p2=5, p1=1)
    t, s = box.phase("6").operating("AR", "trains").tile("K8", "57", 1).cash(AR=10, p1=5).build()
    told = foreseen(t, s, a.GoBankrupt("p1", "AR"), reader="p1")
    assert told == "you then have ¥0; AR falls to ¥80; IR falls to ¥80; the game ends"
    assert foreseen(t, s, a.GoBankrupt("p1", "AR"), reader="p2").startswith("Ann then has ¥0; ")


def test_a_purchase_says_what_is_left_and_held() -> None:
    t, s = stock_round().build()
    assert foreseen(t, s, a.BuyShare("p1", "AR", "ipo")) == "leaves ¥400; you hold 50 %"


def test_starting_a_company_says_what_the_presidents_certificate_costs() -> None:
    t, s = stock_round().build()
    par = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.Par) and one.corp == "IR")
    price = engine.apply(t, s, par).par["IR"]
    assert foreseen(t, s, par) == f"costs ¥{2 * price}; leaves ¥{500 - 2 * price}"


def test_what_the_players_own_bid_then_buys_is_no_part_of_what_the_certificate_costs() -> None:
    box = table("1890", 3).opening().private(A="p2", B="p2", C="p2", D="p2", E="p2").cash(p1=600)
    t, s = box.set(up=PlayerId("p1"), bids={PrivateId("M1"): {PlayerId("p1"): 105}}).build()
    s = engine.apply(t, s, a.BuyPrivate(PlayerId("p1"), PrivateId("F")))
    par = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.Par))
    assert foreseen(t, s, par) == "M1 floats; you get M1 for ¥105"


def test_a_purchase_that_floats_the_company_says_so() -> None:
    t, s = stock_round().par("IR", 100, (0, 3)).shares("IR", p1=4).set(floated=frozenset()).build()
    assert "IR floats" in foreseen(t, s, a.BuyShare("p1", "IR", "ipo"))


def test_the_pass_that_ends_the_round_says_so_and_who_has_the_priority_deal() -> None:
    t, s = stock_round().build()
    for seat in ("p1", "p2"):
        assert "the round ends" not in foreseen(t, s, a.Pass(seat))
        s = engine.apply(t, s, a.Pass(seat))
    assert "the round ends" in foreseen(t, s, a.Pass("p3"))


def operating(**kept: int) -> Table:
    box = (
        stock_round("open_treasuries").par("IR", 100, (0, 3)).shares("IR", p2=5).operating("AR", "trains", then=("IR",))
    )
    return box.trains("IR", "2").phase("3", left_3=0).cash(**kept)


@pytest.mark.parametrize(
    ("title", "private", "lost"),
    [
        ("1889", "B", "in a company's hands it can no longer lay its tile; "),
        ("1889", "C", ""),
        ("1889", "D", ""),
        ("1889", "E", "in a company's hands it can no longer be exchanged for a share; "),
        ("1889", "G", "in a company's hands it closes with the others; "),
        ("1888", "FC", "in a company's hands it can no longer be exchanged for a share; "),
        ("1888", "HS", ""),
        ("1890", "A", ""),
        ("1890", "C", ""),
    ],
)
def test_the_sale_of_a_private_says_what_power_it_ends(title: str, private: str, lost: str) -> None:
    corp = {"1889": "AR", "1888": "CDL", "1890": "Hankyu"}[title]
    box = table(title, 4).par(corp, 100, (0, 3)).shares(corp, p1=5).operating(corp, "privates").phase("3")
    t, s = box.private(**{private: "p1"}).cash(**{corp: 500}).build()
    price = t.privates[PrivateId(private)].value
    told = foreseen(t, s, a.CompanyBuysPrivate("p1", corp, private, price), "p1")
    assert told.startswith(lost)
    assert ("hands" in told) == bool(lost)


@pytest.mark.parametrize("price", ["", "¥80"])
def test_an_exchange_says_what_the_share_is_worth_if_it_has_a_price_and_that_the_private_closes(price: str) -> None:
    box = table("1889", 3).private(E="p1").phase("3")
    t, s = (box.par("IR", 80).shares("IR", p2=2) if price else box).build()
    worth = f", worth {price} a share" if price else ""
    assert foreseen(t, s, a.ExchangePrivate("p1", "E")) == f"you hold 10 % of IR{worth}; E closes"


def test_who_may_choose_the_company_of_an_exchange_reads_what_a_share_of_it_is_worth() -> None:
    box = table("1888", 3).phase("3").par("JHR", 80).shares("JHR", p1=5, p2=2).private(FC="p1").stock()
    t, s = box.build()
    told = foreseen(t, s, a.ExchangePrivate("p1", "FC", "JHR", "ipo"))
    assert told.startswith("you hold 60 % of JHR, worth ¥80 a share; FC closes")


def test_a_train_says_what_it_leaves_and_rusts() -> None:
    t, s = operating(AR=500).build()
    buy = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.BuyTrain) and one.rank == "4")
    assert foreseen(t, s, buy) == "leaves AR ¥200; phase 4 begins; rusts the 2-trains of IR"


def test_a_train_that_the_president_helps_to_buy_says_what_it_costs_whom() -> None:
    t, s = operating(AR=120).tile("K8", "57", 1).build()
    buy = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.BuyTrain) and one.rank == "4")
    assert "leaves AR ¥0; you add ¥180 and have ¥320 left" in foreseen(t, s, buy)


def test_a_dividend_says_who_gets_what() -> None:
    box = stock_round("open_treasuries").operating("AR", "dividend").trains("AR", "2").cash(AR=0)
    t, s = box.set(income=90).build()
    assert foreseen(t, s, a.Dividend("p1", "AR", "pay")).startswith("pays Ann ¥36 and Ben ¥27")
    assert foreseen(t, s, a.Dividend("p1", "AR", "withhold")).startswith("AR keeps ¥90")


def test_a_dividend_says_what_of_it_is_subsidy() -> None:
    """It was "Withhold £80", and "C&N keeps £120"."""
    box = table("1860").par("C&N", 74).shares("C&N", p1=5).operating("C&N", "dividend").trains("C&N", "2+1")
    t, s = box.set(income=80, last_run={"C&N": 80}).own(subsidy=40).build()
    assert foreseen(t, s, a.Dividend("p1", "C&N", "pay")).startswith("pays Ann £40; C&N keeps £40 subsidy")
    assert foreseen(t, s, a.Dividend("p1", "C&N", "withhold")).startswith("C&N keeps £120, £40 of it subsidy")
    card = card_of(t, s)
    assert card.title == "C&N: revenue £80 and £40 subsidy"


@pytest.mark.parametrize("title", engine.TITLES)
@pytest.mark.long
def test_what_is_said_to_be_left_is_left(title: str) -> None:
    """In random games: the sums told are those of the position that the move leads to."""
    t = engine.build(title, max(engine.TITLES[title].players))
    checked = 0
    for before, action, after in walk(t, 3, 300, eager):
        if type(action) in UNEXPLAINED:
            continue
        told = foreseen(t, before, action, action.by)
        left = re.match(r"(?:costs \D[\d,]+; )?(?:leaves|you then have) \D([\d,]+)(?:;|$)", told)
        if left is None:
            continue
        assert int(left[1].replace(",", "")) == free_cash(after, action.by), told
        checked += 1
    assert checked > 15


@pytest.mark.parametrize(("title", "options"), [("1889", []), ("1860", []), ("1890", []), ("1890", ["hidden_cash"])])
@pytest.mark.long
def test_nothing_told_to_all_depends_on_hidden_money(title: str, options: list[str]) -> None:
    """Positions that differ in money that is hidden alone: the same words for every choice that all may see."""
    t = engine.build(title, 3, options)
    compared = 0
    for s, _, _ in islice(walk(t, 4, 120, eager), 0, None, 2):
        rows = table_view(t, s).companies
        hidden = [row.company.id for row in rows if row.floated and row.treasury is None]
        purses = [one for one in s.players if not t.policy.secrecy.open_cash]
        if not (hidden or purses):
            continue
        richer = s.copy()
        for purse in (*hidden, *purses):
            richer.cash[purse] += 137
        kept = telling("company", "sale", "player") if purses else telling("company", "sale")
        shown = [one for one in engine.legal(t, s, engine.decision(t, s).players[0]) if type(one) not in UNEXPLAINED]
        for action in shown:
            if type(action) not in kept and engine.judge(t, richer, action) is None:
                assert foreseen(t, s, action) == foreseen(t, richer, action), action
                compared += 1
    assert compared > 30


def test_a_note_in_a_list_begins_with_what_the_choice_leads_to() -> None:
    t, s = stock_round().build()
    view, buy = table_view(t, s), a.BuyShare("p1", "AR", "ipo")
    names = lexicon(s.names, t)
    labels = Labels(names, view, market_view(t, s, ()), "shares")
    assert replace(labels, foreseen={buy: "leaves ¥400"}).note(buy).startswith("leaves ¥400 · ")


def test_a_hex_of_a_list_says_what_lies_there() -> None:
    t, s = table("1860").build()
    labels = Labels(lexicon(s.names, t), table_view(t, s), market_view(t, s, ()), "track", board_view(t, s))
    lies = {hex_id: labels.place(hex_id, []).split(" · ")[0] for hex_id in ("G5", "H6")}
    assert lies == {"G5": "printed track", "H6": "no tile yet"}


@pytest.mark.second
@pytest.mark.parametrize("title", engine.TITLES)
def test_rows_asked_for_are_those_of_the_whole_table(title: str) -> None:
    t = engine.build(title, 3)
    for _, _, s in islice(walk(t, 4, 120, eager), 0, None, 5):
        for viewer in (None, PlayerId("p1")):
            whole, rows = table_view(t, s, viewer), Rows(t, s, viewer)
            assert [rows.player(one.id) for one in whole.players] == list(whole.players)
            assert [rows.company(one.company.id) for one in whole.companies] == list(whole.companies)
