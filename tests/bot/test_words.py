"""Facts in sentences."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from decisions import position_of
from tables import table
from tastes import eager
from walks import walk

import engine
from board.holdings import players
from bot.core.hours import NIGHTS
from bot.core.person import Person
from bot.rooms.mine.room import mine_screen
from bot.rooms.seats.options import option_name
from bot.rooms.turn.cards import company_lines, privates_screen
from bot.words.labels import CONTROLS
from bot.words.lexicon import Lexicon, beside, lexicon
from bot.words.narration import clause, gathered, lines_of, narrate, tour
from engine import facts as f
from engine.actions import BuyPrivate, ExchangePrivate, LayTile, Par
from engine.board.routes import Route
from engine.ids import CorpId, HexId, PlayerId, PrivateId, TileId
from engine.titles.t1860.wording import wording
from engine.viewing import table_view
from engine.views import StopView
from renderer.tokens import short_letters

NAMES = Lexicon(
    "£{}", {"p1": "Ann_1"}, {"BHC": "Brading"}, {"IOW": "Isle of Wight"}, {"F2": "Cowes"}, wording("stations")
)
ANN = r"**Ann\_1**"


def test_the_sign_of_money_stays_with_it() -> None:
    assert NAMES.money(-2775) == "‑£2,775"
    assert NAMES.money(2775) == "£2,775"


def test_a_name_with_the_letters_of_its_company_says_them_once() -> None:
    names = replace(NAMES, companies={"IOW": "Isle of Wight", "JR": "Japanese Railways", "Nankai": "Nankai Electric"})
    assert [names.company(one) for one in names.companies] == [
        "IOW Isle of Wight",
        "JR Japanese Railways",
        "Nankai Electric",
    ]


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        (
            [f.ParSet("IOW", "p1", 74), f.SharesMoved("IOW", "ipo", "p1", 2, 148)],
            f"{ANN} starts **IOW** at a par of £74 and takes 20 % for £148.",
        ),
        (
            [f.ParSet("IOW", "p1", 74), f.SharesMoved("IOW", "ipo", "p1", 2, 0)],
            f"{ANN} starts **IOW** at a par of £74 and takes 20 %.",
        ),
        ([f.SharesMoved("IOW", "p1", "ipo", 3, 0)], f"30 % of **IOW** goes from {ANN} back to the initial offering."),
        (
            [f.SharesMoved("IOW", "pool", "ipo", 3, 0)],
            "30 % of **IOW** goes from the open market back to the initial offering.",
        ),
        ([f.PrivateSold("BHC", "p1", "bank", 0)], f"{ANN} sells BHC Brading to the bank for £0."),
        ([f.PrivateSold("BHC", "bank", "p1", 30)], f"{ANN} buys BHC Brading for £30."),
        ([f.RightBid("p1", 15)], f"{ANN} bids £15 for the right to choose."),
        ([f.CashMoved("p1", "bank", 15, "bid")], f"{ANN} wins the auction with £15."),
        ([f.CashMoved("credits", "IOW", 30, "subsidy")], "**IOW** receives a subsidy of £30."),
        (
            [f.CompanyChanged("IOW", "insolvent", True)],
            "**IOW** is now insolvent: it keeps what a leased train earns (£40, and £20 a stop) until it can buy one, "
            "and builds nothing that costs money.",
        ),
        (
            [f.CompanyChanged("IOW", "closed", True)],
            "**IOW** is now closed: British Rail has taken it over; it keeps its price and never runs again.",
        ),
        ([f.CompanyChanged("IOW", "insolvent", False)], "**IOW** is no longer insolvent."),
        (
            [f.PresidentChanged("IOW", "p1", "pool")],
            "**IOW** has no director: the director's certificate is in the open market; "
            "without one a floated company acts on its own, builds nothing and pays nothing.",
        ),
        ([f.PresidentChanged("IOW", "pool", "p1")], f"{ANN} becomes director of **IOW**."),
        ([f.PriceMoved("IOW", (0, 5), (0, 3), 54, "sold")], "**IOW** falls to £54 because shares were sold."),
        ([f.PriceMoved("IOW", (0, 5), (0, 3), 54, "no dividend")], "**IOW** falls to £54 because it paid no dividend."),
        ([f.PriceMoved("IOW", (0, 3), (0, 5), 62, "dividend")], "**IOW** rises to £62 after the dividend."),
        ([f.PriceMoved("IOW", (0, 5), (0, 5), 62, "sold out")], "**IOW** stays at £62 although it is sold out."),
        (
            [f.TrainsRan("IOW", ((Route("4", ("F2.0", 3, "F2.1", "G5.0", "B4.0")), 200),), 200)],
            "**IOW** runs for £200 (4-train Cowes to B4 (4 places) £200).",
        ),
        (
            [f.TrainsRan("IOW", ((Route("2+1", ("F2.0", "F2.1", 3, "B4.0")), 100),), 100, leased=True)],
            "**IOW** runs a leased train for £100 (2+1-train Cowes to B4 (3 places) £100).",
        ),
        ([f.CashMoved("bank", "C&N", 50, "destination")], "**C&N** receives £50 for reaching a destination."),  # of two
        ([f.TrainsRan("IOW", (), 60, leased=True)], "**IOW** runs a leased train for £60."),
        ([f.DividendDecided("IOW", "pay", 190, 19)], "**IOW** pays £19 a share."),
        ([f.DividendDecided("IOW", "pay", 190, 9)], "**IOW** pays £9 a share and keeps £100."),  # as JR does in 1890
        ([f.Announced("layer 3")], "*Companies of the third layer can be started.*"),
        ([f.PrivateClosed("BHC"), f.CompanyChanged("BHC", "closed", True)], "BHC Brading closes."),
        ([f.TrainDiscarded("IOW", "8+4")], "**IOW** discards an 8+4-train."),
        ([f.TrainExported("3")], "A 3-train is exported: it leaves the game."),
        (
            [f.BankBroke()],
            "**The bank is broken:** payments go on, and the game ends with this operating round or, "
            "in a stock round, with the next.",
        ),
    ],
)
def test_what_happened_is_one_sentence(facts: list[Any], line: str) -> None:
    assert narrate(facts, NAMES) == [line]


@pytest.mark.rule("1890-VAR-14a")
def test_a_company_that_lives_on_its_shares_is_not_said_to_float_with_nothing() -> None:
    """“**Subway** floats with ¥0”, of one that the bank had just paid ¥200 for the shares that went with F."""
    t, s = table("1890", 3, "incremental_float").opening().build()
    for private in ("A", "B", "C", "D", "E", "F"):
        seat = engine.decision(t, s).players[0]
        s = engine.apply(t, s, BuyPrivate(seat, PrivateId(private)))
    par = next(one for one in engine.legal(t, s, seat) if isinstance(one, Par))
    after = engine.apply(t, s, par)
    assert after.cash[CorpId("Subway")]
    assert [line for line in narrate(after.facts, lexicon(after.names, t)) if "Subway" in line] == [
        "**Cho** starts **Subway** at a par of ¥65 and takes 20 %."
    ]
    assert narrate([f.Floated(CorpId("Kinki"), 0)], NAMES) == ["**Kinki** floats."]


@pytest.mark.rule("1860-VAR-15")
def test_a_company_for_which_the_table_acts_is_not_said_to_act_on_its_own() -> None:
    names = lexicon({}, engine.build("1860", 3, ["online"]))
    (told,) = narrate([f.PresidentChanged(CorpId("IOW"), PlayerId("p1"), "pool")], names)
    assert told.endswith("; without one any player acts for a floated company, which builds nothing and pays nothing.")


def test_who_has_just_chosen_is_not_told_from_which_pile_but_from_which_player() -> None:
    bought: list[Any] = [f.SharesMoved("IOW", source, "p1", 1, 54) for source in ("ipo", "pool", "BHC")]
    assert [line.text for line in lines_of(bought, NAMES, chosen=True)] == [
        f"{ANN} buys 10 % of **IOW** for £54.",
        f"{ANN} buys 10 % of **IOW** for £54.",
        f"10 % of **IOW** goes from **BHC** to {ANN} for £54.",
    ]
    assert narrate(bought, NAMES)[1] == f"{ANN} buys 10 % of **IOW** from the open market for £54."


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (f.SharesMoved("IOW", "p1", "pool", 1, 54), "sold"),
        (f.DividendDecided("IOW", "pay", 100, 10), "dividend"),
        (f.DividendDecided("IOW", "withhold", 100, 0), "no dividend"),
    ],
)
def test_a_reason_that_stands_beside_a_price_is_not_told_twice(told: Any, why: Any) -> None:
    moved: Any = f.PriceMoved("IOW", (0, 5), (0, 4), 62, why)
    assert re.fullmatch(r"\*\*IOW\*\* (rises|falls) to £62\.", narrate([told, moved], NAMES)[1])
    assert narrate([replace(moved, target=(0, 5)), told], NAMES)[0] == "**IOW** stays at £62."
    assert len(narrate([moved], NAMES)[0]) > 30


def test_privates_that_close_together_are_one_sentence() -> None:
    closed = [f.PrivateClosed(PrivateId(one)) for one in ("BHC", "FFC")]
    assert re.fullmatch(r"BHC Brading and .* close\.", narrate(closed, NAMES)[0])


@pytest.mark.parametrize("title", engine.TITLES)
@pytest.mark.long
def test_a_price_is_said_to_rise_or_fall_as_it_does(title: str) -> None:
    t = engine.build(title, 3)
    seen = set()
    for before, _, after in walk(t, 4, 500, eager):
        moved = [one for one in after.facts if isinstance(one, f.PriceMoved) and one.source != one.target]
        for one in moved:
            was = t.market.cell(*one.source)
            assert was is not None
            seen.add(one.why)
            assert (one.price > was.price) == ("rises" in narrate([one], NAMES)[0]), (before.round, one)
    assert seen


def test_income_is_told_where_it_was_paid() -> None:
    facts: list[Any] = [
        f.RoundBegan("OR", 1, 1),
        f.CashMoved("bank", "p1", 5, "private income"),
        f.TrainExported("2"),
    ]
    assert narrate(facts, NAMES) == [
        "*Operating round 1.1*",
        f"Private companies pay {ANN} £5.",
        "A 2-train is exported: it leaves the game.",
    ]


def test_what_is_told_several_times_in_a_row_is_one_line() -> None:
    bought, passed = "**IR** buys a 2-train from the bank for ¥80.", "**Ann** passes."
    assert gathered([passed, bought, bought, bought, passed]) == [passed, f"{bought} *(3 times)*", passed]


def test_a_round_has_one_name_in_news_and_titles() -> None:
    for title in engine.TITLES:
        t, s = table(title).rounds(2, 1, 1).build()
        for name in ("ISR", "SR", "OR") if title == "1890" else ("SR", "OR"):  # elsewhere the opening is not told
            assert narrate([f.RoundBegan(name, 2, 1)], NAMES) == [f"*{t.rounds[name].label(t, s)}*"]


def test_a_round_alone_in_its_set_is_not_counted() -> None:
    t, s = table("1889").rounds(11, 1, 1).build()
    assert t.rounds["OR"].label(t, s) == "Operating round 11.1"
    t, s = table("1889").rounds(11, 1, 2).build()
    assert t.rounds["OR"].label(t, s) == "Operating round 11.1 (of 2)"


def test_no_option_says_its_name_twice() -> None:
    for recipe in engine.TITLES.values():
        for option, about in recipe.options.items():
            assert not about.casefold().startswith(option_name(recipe, option).casefold()), option


def test_one_token_is_one_token() -> None:
    t, s = table("1889").par("AR", 100, (0, 3)).shares("AR", p1=5).build()
    row = next(one for one in table_view(t, s).companies if one.company.id == "AR")
    for count, words in ((1, "1 token left"), (2, "2 tokens left"), (0, "0 tokens left")):
        assert words in "\n".join(company_lines(replace(row, tokens_left=count), NAMES))


def test_a_private_that_pays_nothing_is_not_said_to_pay_0() -> None:
    t, s = table("1890", 3).private(A="p1", M1="p1").build()
    here: Any = SimpleNamespace(position=position_of(t, s), id="abc123")
    said = privates_screen(here).text
    assert "value ¥20, pays ¥5" in said
    assert "value ¥100\n" in said
    assert "¥0" not in said


def test_of_a_closed_private_neither_value_nor_income_is_told() -> None:
    t, s = table("1889", 3).private(A="closed", B="p1").build()
    here: Any = SimpleNamespace(position=position_of(t, s), id="abc123")
    said = privates_screen(here).text.splitlines()
    assert "- **A Takamatsu E-Railroad** · closed" in said
    assert any(line.startswith("- **B Mitsubishi Ferry** · **Ann** · value ¥30, pays ¥5") for line in said)


def test_what_becomes_of_a_minor_is_told_before_it_is_declared() -> None:
    t, s = table("1890", 3).phase("2").par("Kinki", 80).private(M2="p1", M5="p1").build()
    labels = position_of(t, s).labels("p1")
    told = {one: ExchangePrivate(PlayerId("p1"), PrivateId(one)) for one in ("M2", "M5")}
    assert labels.note(told["M2"]).startswith("Kinki gets all that M2 and M3 have")
    assert labels.note(told["M5"]).startswith("Its money and trains go back to the bank")
    assert labels.said(CONTROLS[ExchangePrivate].warning, told["M2"]).endswith("20 % of Kinki. This is final.")


@pytest.mark.rule("1890-MIN-18")
def test_that_kobe_electric_becomes_a_late_private_is_told_and_has_its_rule() -> None:
    """No private closes with it, as one does with other minors; nothing was told of what somebody had chosen."""
    t, s = table("1890", 3).phase("1").private(M5="p1").operating("M5", "trains").rounds(2, 1, 1).build()
    after = engine.apply(t, s, ExchangePrivate(PlayerId("p1"), PrivateId("M5")))
    said = narrate(after.facts, lexicon(dict(s.names), t))
    assert said[0].startswith("**M5** is now a late private: its money and trains go back to the bank, and it is worth")
    assert "1890-MIN-18" in {t.event_rules.get(f.event(one)) for one in after.facts}
    for now, told in ((s, "A minor company: "), (after, "A late private: it is worth nothing, ")):
        row = table_view(t, now, None).private("M5")
        assert row.note.startswith(told)
    company = table_view(t, after, None).company("M5")
    assert company_lines(company, lexicon(dict(s.names), t))[1] == "a late private"


@pytest.mark.rule("1860-VAR-05", "1888-REV-03")
def test_a_companys_card_names_its_destinations() -> None:
    t, s = table("1860", 3, "destinations").par("IWNJ").own(destinations=("IWNJ J8",)).build()
    company = table_view(t, s, None).company("IWNJ")
    told = company_lines(company, lexicon(dict(s.names), t))[1]
    assert told.endswith("destination G5 Shide +£100 once · destination J8 Sandown reached")
    t, s = table("1888", 3).par("HJR", 80, (1, 1)).build()
    company = table_view(t, s, None).company("HJR")
    assert "destination G9 Jinan +¥20" in company_lines(company, lexicon(dict(s.names), t))[1]


def test_a_tile_is_called_by_what_is_printed_on_it() -> None:
    t, s = table("1890", 3).build()
    names = lexicon(dict(s.names), t)
    assert narrate([f.TileLaid("Hanshin", HexId("F9"), TileId("465N"), 3, 0)], names) == [
        "**Hanshin** lays tile 465 on F9 Nishinomiya."
    ]
    labels = position_of(t, s).labels()
    lay = LayTile(PlayerId("p1"), CorpId("Hanshin"), HexId("F9"), TileId("465N"), 3)
    assert labels.of(lay).startswith("Tile 465 on F9 Nishinomiya, joining ")


def test_whoever_heads_a_company_is_marked_by_the_letter_of_the_titles_own_word() -> None:
    for title, corp, word in (("1889", "AR", "president"), ("1860", "C&N", "director")):
        t, s = table(title).par(corp).shares(corp, p1=5).build()
        assert f'<abbr title="{word}">{word[0].upper()}</abbr>' in str(
            players(table_view(t, s), lexicon(s.names, t), None)
        )


def test_a_company_is_written_alike_on_its_tokens() -> None:
    t, s = table("1860").build()
    companies = [row.company for row in table_view(t, s).companies]
    assert [short_letters(one, companies) for one in companies if one.id in ("C&N", "BHI&R", "NGStL")] == [
        *("C&N", "NGStL", "BHI&R"),
    ]


def test_a_city_is_told_by_its_neighbours_also_where_its_track_leads_to_the_other_stop_of_its_hex() -> None:
    stops = (StopView("city", 20, slots=(None,)), StopView("city", 20, slots=(None,)))
    cell = SimpleNamespace(id="F12", stops=stops, track=((0, 6), (3, 7), (6, 7)))
    board: Any = SimpleNamespace(layout="flat", hexes=[cell])
    assert beside(board, "F12.0") != beside(board, "F12.1")
    assert "-" not in beside(board, "F12.1")


def test_since_goes_with_a_time_and_not_with_how_long_ago_it_was() -> None:
    """Discord makes “3 hours ago” of it."""
    written = [one.read_text("utf-8") for one in (Path(__file__).parents[2] / "bot").rglob("*.py")]
    assert any("since <t:" in one for one in written)
    assert not [one for one in written if re.search(r"since <t:[^>]*:R>", one)]


def test_quiet_hours_stop_the_clock_only_where_the_pace_says_so() -> None:
    """A table may be *Steady* with `quiet_free:False`, and own numbers have quiet hours, too."""
    said = mine_screen(Person(zone="Europe/Berlin", quiet=NIGHTS), [], 0, "", "").text
    assert "your time stands still where the pace says so" in said


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (("H4.0", 0, "H6.0"), "Xinxiang & Jiaozuo to H6 (2 stops)"),
        (("H4.0", 0, "H6.0", 3, "H4.1"), "Xinxiang & Jiaozuo and back (3 stops)"),
        (("H4.0", "H4.1"), "in Xinxiang & Jiaozuo alone (2 stops)"),
        (("H4.0", 0, 2, 4, "H4.1"), "in Xinxiang & Jiaozuo alone (2 stops)"),
    ],
)
def test_a_route_that_ends_in_the_hex_it_began_in_names_that_once(path: tuple[object, ...], told: str) -> None:
    assert tour(path, lexicon({}, engine.build("1888", 3))) == told


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("**M1** lays tile 8 on I14.", "**M1** lays tile 8 on I14"),
        (
            "*M1 Kanan Railway changes as soon as this turn is over.*",
            "*M1 Kanan Railway changes as soon as this turn is over*",
        ),
        ("**C&N** places its token on St. Helens", "**C&N** places its token on St. Helens"),
    ],
)
def test_within_a_longer_sentence_none_ends_in_a_full_stop(sentence: str, said: str) -> None:
    """What a title announces is italic: of what an opponent expects it was “… is over.*; …”, and “.*.” at the end."""
    assert clause(sentence) == said
