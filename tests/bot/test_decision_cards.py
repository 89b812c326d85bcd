"""Decision cards: what they say in each step, and that they say nothing that their reader may not know."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest
from decisions import asked, card_if_any, card_of, position_of
from tables import Table, table
from tastes import eager
from walks import walk

import engine
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn import pictures
from bot.rooms.turn.decision import company, makers
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import par_card, tells_all
from bot.rooms.turn.screen import asked_line, for_anybody
from bot.words.consequences import consequences
from bot.words.lexicon import lexicon
from bot.words.narration import narrate
from engine import State, Title, apply, legal
from engine import actions as a
from engine.ids import BANK, POOL, RESERVED, CorpId, PlayerId, PrivateId, TileId
from engine.market import put
from engine.secrets import cash_visible, treasury_visible
from engine.titles.t1890.companies import has_closed
from engine.viewing import table_view
from renderer.card import FIGURE, Card, CardRow, Detail, Section, laid_out, spoken


def read(built: tuple[Title, State], viewer: str | None = None) -> str:
    """What the card says, uncut."""
    return " | ".join(filter(None, lines(*built, viewer)))


def lines(t: Title, s: State, viewer: str | None = None) -> list[str]:
    card = card_of(t, s, viewer)
    return [card.title, *card.notes, *(row for section in card.sections for row in rows(card, section))]


def rows(card: Card, section: Section) -> list[str]:
    single = [Section((row,), section.title, section.columns, section.second) for row in section.rows]
    return [spoken(Card("", "", (one,), card.companies)) for one in single]


def line(built: tuple[Title, State], beginning: str, viewer: str | None = None) -> str:
    """The line of the card with these words in it."""
    return next(one for one in lines(*built, viewer) if beginning in one)


def stock_round(*options: str) -> Table:
    """Ann presides over AR with 40 %, Ben holds 30 %; IR needs two more tenths; everybody has 500."""
    box = table("1889", 3, *options).par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3).phase("2")
    box = box.par("IR", 80, (2, 3)).shares("IR", p2=3, p1=0).set(floated=frozenset({"AR"}))
    return box.cash(p1=500, p2=400, p3=300)


def operating(step: str, *options: str, **kept: int) -> Table:
    """AR's turn; IR of Ben has two 2-trains, which the next 4-train rusts."""
    box = table("1889", 3, *options).par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3)
    box = box.par("IR", 100, (0, 3)).shares("IR", p2=5).operating("AR", step, then=("IR",)).cash(p1=200)
    return box.trains("IR", "2", "2").phase("3", left_3=0).cash(**kept)


# Stock rounds


def test_the_stock_card_begins_with_what_the_player_has() -> None:
    built = stock_round().build()
    assert line(built, "cash").startswith("cash ¥500, certificates 3 of 19, priority, by selling ¥400")
    assert line(built, "The others").endswith("what selling would bring: Ben ¥400 + ¥380, Cho ¥300 + ¥0.")


@pytest.mark.parametrize("hidden", [(), ("open_treasuries",)])
def test_every_card_says_what_is_left_of_the_bank_and_of_the_game(hidden: tuple[str, ...]) -> None:
    t, s = stock_round(*hidden).build()
    s.cash[BANK] = 5000
    assert re.fullmatch(r"2-trains ¥80, 6 left, about \d+ operating rounds to go, bank ¥5,000.", lines(t, s)[-1])
    t, s = operating("track", *hidden).build()
    s.cash[BANK] = 0
    assert re.fullmatch(r"operating round 2.1, (about \d+ to go|the last one), bank broken.", lines(t, s)[-1])
    assert lines(*table("1889", 3).build())[-1].startswith("2-trains ¥80, 6 left, bank ¥")


@pytest.mark.rule("1889-END-03")
def test_a_round_is_called_the_last_where_that_is_known_and_not_only_thought() -> None:
    t, s = operating("track").rounds(2, 1, 2).build()
    thought = replace(asked(t, s), rounds=1)
    assert foot(thought) == "operating round 2.1 (of 2), perhaps the last one, bank ¥5,960."
    s.broken = True
    assert foot(replace(asked(t, s), rounds=2)).startswith("operating round 2.1 (of 2), about 2 to go")
    s.or_number = 2  # the bank broke in it: before, it was thought that another would follow
    assert foot(replace(asked(t, s), rounds=3)).startswith("operating round 2.2 (of 2), the last one")
    t, s = stock_round().build()
    assert ", about 1 operating round to go, bank" in foot(replace(asked(t, s), rounds=1))


def foot(about: Asked) -> str:
    """The last line of the card."""
    card = makers.card_of(about)
    assert card is not None
    return rows(card, card.sections[-1])[-1]


def test_what_was_laid_is_told_in_the_words_of_the_phases() -> None:
    t, s = operating("track").set(lays=("gray",)).build()
    assert "laid grey" in read((t, s))


def test_how_long_the_game_goes_on_is_never_counted_in_stock_rounds() -> None:
    t, s = table("1860").par("C&N").shares("C&N", p1=5).pending("home tile", "p1", "C&N").build()
    assert re.match(r"stock round 2, about \d+ operating rounds to go, bank", lines(t, s)[-1])


def test_a_company_has_its_price_what_a_sale_does_and_what_is_left() -> None:
    said = line(stock_round("open_treasuries").cash(AR=250).trains("AR", "2").build(), "AR,")
    assert "price ¥100, falls to ¥90, offer 30 %, you 40 %, worth ¥400" in said
    assert "president Ann 40 %, next Ben 30 %, treasury ¥250, trains 2" in said


def test_who_listens_is_told_neither_of_a_fall_to_nowhere_nor_that_what_was_kept_was_paid() -> None:
    box = stock_round().trains("AR", "2").set(last_run={CorpId("AR"): 50}, last_paid={CorpId("AR"): 0})
    assert line(box.build(), "AR,").endswith("trains 2, paid nothing.")
    assert "falls to" not in line(box.build(), "IR,")
    box = operating("trains").trains("AR", "2")
    assert line(box.build(), "1 of ").startswith("trains 2, 1 of 4 trains")
    assert "train D, price ¥1,100, any number left" in line(box.build(), "train D")


def test_a_single_train_is_one_where_no_limit_is_told() -> None:
    box = table("1860", 3, "no_train_limit").phase("2").operating("IOW", "trains").trains("IOW", "2+1")
    assert "trains 2+1, 1 train, director" in read(box.build())
    assert ", 2 trains, director" in read(box.trains("IOW", "2+1", "2+1").build())


def test_names_of_opponents_are_short_and_receivership_stands_in_place_of_a_director() -> None:
    box = table("1860").par("C&N").shares("C&N", p2=3, p3=2).par("IOW").shares("IOW", president="pool", p2=1, pool=2)
    t, s = box.trains("IOW", "2+1").stock().build()
    s.names = {**s.names, PlayerId("p2"): "Hikari (bot)"}
    s.floated = frozenset({CorpId("IOW")})
    assert "director Hikari 30 %, next Cho 20 %" in line((t, s), "C&N,")
    assert ", receivership, next Hikari 10 %" in line((t, s), "IOW,")
    assert line((t, s), "IOW,").count("receivership") == 1
    before = s.copy()
    before.floated = frozenset()
    assert ", no director, next Hikari 10 %" in line((t, before), "IOW,"), "receivership is of companies that operate"
    bare = box.trains("IOW").own(insolvent=("IOW",)).build()
    assert ", receivership, next Hikari 10 %, credits £0, insolvent" in line(bare, "IOW,")


def test_cards_call_an_opponent_by_its_name_alone_unless_somebody_else_is_called_so() -> None:
    t, s = stock_round().build()
    s.names = {**s.names, PlayerId("p2"): "Hikari (bot)"}
    assert "next Hikari 30 %" in line((t, s), "AR,")
    assert "Hikari ¥400 + " in line((t, s), "The others")
    s.names = {**s.names, PlayerId("p3"): "Hikari"}
    assert "next Hikari (bot) 30 %" in line((t, s), "AR,")


def test_who_builds_sees_where_trains_earn_more_and_how_much() -> None:
    built = table("1888", 3).par("HJR", 80, (1, 1)).shares("HJR", p1=6).operating("HJR", "track").build()
    assert "destination G9 Jinan +¥20" in lines(*built)[1]


@pytest.mark.rule("1860-VAR-05")
def test_who_builds_or_runs_sees_which_destinations_bring_the_company_what_and_which_it_has_reached() -> None:
    box = table("1860", 3, "destinations").par("C&N").shares("C&N", p1=5).trains("C&N", "2+1").phase("2")
    box = box.tile("F2", "787").tile("F4", "742", 3).token("C&N", "G5")
    assert "destination G5 Newport +£50 once, destination I3 Ryde Esplanade +£50 once" in read(
        box.operating("C&N", "track").build()
    )
    running = box.operating("C&N", "run")
    told = read(running.build())
    assert "C&N also gets £50 for its first run from home to G5 Newport and £50 for one to I3" in told
    assert "; these routes bring £50." in told
    told = read(running.own(destinations=("C&N G5",)).build())
    assert "C&N also gets £50 for its first run from home to I3 Ryde Esplanade." in told
    assert "destination G5 Newport reached" in read(box.operating("C&N", "track").build())
    plain = table("1860", 3).par("C&N").shares("C&N", p1=5).operating("C&N", "track")
    assert "destination" not in read(plain.build())


def test_a_company_that_waits_for_its_float_says_how_much_is_missing() -> None:
    t, s = stock_round().build()
    s.floated = frozenset({CorpId("AR")})
    assert "treasury ¥800, 20 % to float" in line((t, s), "IR,")


@pytest.mark.rule("1890-VAR-14", "1890-VAR-14a", "1890-VAR-14c")
def test_who_starts_a_company_that_lives_on_its_shares_reads_what_it_needs_and_gets() -> None:
    t, s = table("1890", 3, "incremental_float").phase("1").stock().cash(p1=1000).build()
    assert "par ¥100, costs ¥200, leaves ¥800, needs 50 % sold, capital ¥200" in line((t, s), "Start JR")
    start = next(one for one in legal(t, s, "p1") if isinstance(one, a.Par) and one.corp == "JR")
    after = engine.apply(t, s, start)
    assert consequences(asked(t, s, "p1").tried(start)) == "costs ¥200; leaves ¥800; JR needs 50 % sold"
    assert narrate(after.facts, lexicon(dict(s.names), t)) == [
        "**Ann** starts **JR** at a par of ¥100 and takes 20 % for ¥200."
    ]
    assert "costs ¥150, leaves ¥850, can operate, capital ¥150" in line((t, s), "par ¥75")
    start = next(one for one in legal(t, s, "p1") if isinstance(one, a.Par) and one.corp == "Sanyo")
    told = consequences(asked(t, s, "p1").tried(start))
    assert told.endswith("; Sanyo can operate"), "it may need more once its turn comes, so it never floats"


@pytest.mark.rule("1890-VAR-09", "1860-END-01")
def test_who_pays_reads_that_the_price_it_leads_to_ends_the_game() -> None:
    box = table("1890", 3, "end_at_400").phase("4").par("Hankyu", 80, (0, 16)).shares("Hankyu", p1=6)
    t, s = box.operating("Hankyu", "dividend").set(income=400).build()
    assert "pay out: the game ends after this turn" in read((t, s))
    assert consequences(asked(t, s).tried(a.Dividend("p1", "Hankyu", "pay"))).endswith(
        "; the game ends after this turn"
    )
    assert "the game ends" not in consequences(asked(t, s).tried(a.Dividend("p1", "Hankyu", "withhold")))
    box = table("1890", 3).phase("4").par("Hankyu", 80, (0, 16)).shares("Hankyu", p1=6)
    assert "the game ends" not in read(box.operating("Hankyu", "dividend").set(income=400).build())
    box = table("1860", 3).phase("8").par("IOW", 100, (0, 53)).shares("IOW", p1=6).trains("IOW", "8+4")
    assert "pay out: the game ends after this operating round" in read(
        box.operating("IOW", "dividend").set(income=900).build()
    )


def test_what_a_minor_will_become_is_said_not_to_be_formed() -> None:
    box = table("1890").par("Kinki", 65).shares("Kinki", p1=0).set(floated=frozenset())
    assert ", not formed yet" in line(box.stock().build(), "Kinki,")


def test_trains_alike_stand_together_on_the_stock_card() -> None:
    assert "trains 2 2 3" in line(stock_round("open_treasuries").trains("AR", "2", "3", "2").build(), "AR,")


def test_that_somebody_sold_is_told_however_long_the_name_is() -> None:
    t, s = stock_round().set(sold={"p2": frozenset({CorpId("AR")})}).build()
    s.names = {**s.names, PlayerId("p2"): "W" * 32}
    assert "sold AR" in {word.text for word in laid_out(card_of(t, s)).words}


def test_what_can_be_bought_now_stands_out() -> None:
    t, s = stock_round().cash(p1=90).build()
    card = card_of(t, s)
    offers = {row.token: row.cells[2].tone for row in card.sections[1].rows}
    assert offers == {"AR": "soft", "IR": "strong"}


def test_a_company_that_was_sold_this_round_is_marked() -> None:
    t, s = stock_round().build()
    after = apply(t, s, a.SellShares(PlayerId("p1"), CorpId("AR"), 2))
    assert line((t, after), "you cannot buy back").startswith("you cannot buy back AR this round, start SR")


def test_after_the_purchase_of_the_turn_the_card_says_that_there_is_no_other() -> None:
    t, s = stock_round().build()
    after = apply(t, s, a.BuyShare(PlayerId("p1"), CorpId("IR"), "ipo"))
    assert "You have already bought a certificate this turn." in lines(t, after)


def test_each_par_says_what_it_costs_leaves_and_makes_of_the_company() -> None:
    built = table("1889", 3).cash(p1=500).build()
    assert line(built, "Start AR").startswith("Start AR, IR, SR, KO, TR, KU or UR: par ¥65, costs ¥130, leaves ¥370")
    assert "to float 30 %, capital ¥650" in line(built, "Start AR")
    assert sum("2-trains ¥80" in said for said in lines(*built)) == 1  # the train's price is told once


@pytest.mark.parametrize(
    ("title", "step", "subject", "read"),
    [
        ("1890", "set par", "M2", "set the par of the new company (**Kinki**)"),
        ("1890", "set par", "F", "set the par of the new company (**Subway**)"),
        ("1890", "discard", "M2", "discard a train (**M2**)"),
        ("1889", "discard", "AR", "discard a train (**AR**)"),
        ("1889", "bonus tile", "C", "lay the tile of the private just sold"),
    ],
)
def test_what_is_asked_names_the_company_that_it_is_about(title: str, step: str, subject: str, read: str) -> None:
    """What waits for a par is the private, as games in progress have it."""
    built = table(title, 3).pending(step, "p1", subject).build()
    assert asked_line(position_of(*built)) == read


def test_a_turn_in_a_stock_round_asks_only_for_what_can_be_done() -> None:
    def read(t: Title, s: State) -> str:
        return asked_line(position_of(t, s))

    t, s = stock_round().build()
    assert read(t, s) == "buy, sell or pass"
    assert read(t, apply(t, s, a.BuyShare(PlayerId("p1"), CorpId("IR"), "ipo"))) == "sell or pass"
    assert read(*stock_round().cash(p1=0).build()) == "sell or pass"
    assert read(*stock_round().cash(p1=0).shares("AR", p1=7).build()) == "sell"
    assert read(*table("1889", 3).stock().cash(p1=500).build()) == "buy or pass"
    assert read(*stock_round().cash(p1=0).private(E="p1").build()) == "sell, exchange a private or pass"


def test_several_privates_that_the_bank_sells_have_a_section_with_what_each_does() -> None:
    box = table("1860", 3).par("IOW", 74).shares("IOW", p1=4).private(BHC="bank", FFC="bank").stock().cash(p1=900)
    told = read(box.build())
    assert "Privates: BHC costs £30, yields £5, In a stock round it can become a share of BHI&R." in told
    assert "Privates: FFC costs £200, yields £25, Closes all others when bought." in told


@pytest.mark.parametrize("step", ["track", "token"])
def test_a_company_that_can_only_buy_a_private_is_asked_for_nothing_else(step: str) -> None:
    """1890's Subway was asked to lay track where it had none to lay."""
    box = table("1890", 3).phase("2").private(A="p1", F="closed").par("Subway", 80).shares("Subway", p1=5)
    built = box.operating("Subway", step).cash(Subway=20).no_homes().build()
    assert asked_line(position_of(*built)) == "buy a private or pass (**Subway**)"


def test_a_turn_does_not_tell_by_what_it_asks_that_a_secret_purse_is_empty() -> None:
    box = table("1890", 3, "hidden_cash").par("Hankyu", 80).shares("Hankyu", p1=5).trains("Hankyu", "2")
    t, s = box.cash(p1=0).stock().build()
    assert asked_line(position_of(t, s)) == "buy, sell or pass"


def test_a_train_too_many_is_discarded_in_all_titles() -> None:
    """In 1860 the message asked to return a train, and card and buttons to discard one."""
    t, s = table("1860", 3).par("IOW").shares("IOW", p1=5).trains("IOW", "5+3", "5+3", "5+3").phase("6").build()
    s.round, s.step, s.operating = "OR", "excess", CorpId("IOW")
    assert asked_line(position_of(t, s)) == "discard a train (**IOW**)"
    assert lines(t, s)[0] == "IOW: discard a train"


@pytest.mark.rule("1860-EMR-10")
def test_where_several_are_asked_for_a_company_without_a_director_they_read_why() -> None:
    box = table("1860", 3, "online").par("IOW").shares("IOW", president="pool", p2=1, pool=4).operating("IOW", "run")
    t, s = box.build()
    headless = position_of(t, s)
    assert len(headless.up) == 3
    assert for_anybody(headless) == "**IOW** has no director: any of you may act for it."
    s.president["IOW"] = PlayerId("p2")
    assert for_anybody(position_of(t, s)) == ""


def test_a_company_that_minors_form_neither_costs_nor_floats_nor_gets_ten_times_its_par() -> None:
    built = table("1890", 3).pending("set par", "p1", "M2").build()
    said = line(built, "par ¥100")
    assert "costs nothing" in said
    assert said.endswith("to float when formed.")
    assert "floats" not in said


def test_who_may_merge_a_minor_reads_when_it_must() -> None:
    box = table("1890", 3).phase("2").par("Kinki", 80).shares("Kinki", {"reserved": 5, "p2": 2}).private(M1="p1")
    said = read(box.operating("Kinki", "track").pending("join", "p1", "M1").build())
    assert "It can join Kinki from phase 2 on, must in phase 3" in said


def test_the_card_of_one_company_says_where_it_begins() -> None:
    t, s = stock_round().build()
    said = spoken(par_card(asked(t, s, "p1"), CorpId("SR")))
    assert said.startswith("Start SR Sanuki Railway, phase 2. cash ¥500")
    assert "home I2 Marugame" in said
    assert "train 2 ¥80" in said


def test_where_a_company_has_privates_and_can_buy_none_the_card_says_what_its_own_do() -> None:
    box = table("1888", 3).par("ZDR", 80).shares("ZDR", p1=5).private(YRF="ZDR").phase("3").trains("ZDR", "3")
    t, s = box.operating("ZDR", "privates").build()
    note = next(one.note for one in table_view(t, s).privates if one.id == "YRF")
    assert f"YRF Yanda Railway Ferry, {note}".rstrip(".") in line((t, s), "YRF Yanda").rstrip(".")


def test_privates_that_change_hands_with_the_bank_are_on_the_stock_card() -> None:
    built = table("1860", 3).private(BHC="p1", YHC="bank").cash(p1=300).build()
    told = "private YHC £50, yields £10, In a stock round it can become a share of FYN."
    assert line(built, "YHC") == told


def test_what_the_only_private_for_sale_does_stands_beside_its_price_if_it_is_short() -> None:
    box = table("1860", 3).par("C&N").shares("C&N", p2=5).private(FFC="bank").cash(p1=300)
    card = card_of(*box.stock().build())
    row = next(row for section in card.sections for row in section.rows if row.facts[-1:] and row.facts[-1].behind)
    price, power = row.facts[-2:]
    assert (price.label, power.behind, row.note) == ("private FFC", "Closes all others when bought.", "")


@pytest.mark.parametrize(("lots", "told"), [({"K1"}, True), ({"K1", "K3"}, False)])
def test_beside_many_companies_the_power_of_a_single_private_is_told(lots: set[str], told: bool) -> None:
    box = table("1890")
    for corp in ("JR", "Keihan", "Nankai", "Sanyo", "Hanshin", "Hankyu"):
        box = box.par(corp, 100).shares(corp, p2=3)
    view = table_view(*box.stock().build())
    rows = tuple(replace(row, on_sale=row.id in lots) for row in view.privates)
    assert tells_all(replace(view, privates=rows), opening=False) is told


@pytest.mark.parametrize("options", [(), ("open_treasuries",)])
def test_of_eight_companies_each_is_two_lines_high(options: tuple[str, ...]) -> None:
    box = table("1890", 3, *options)
    started = ("JR", "Keihan", "Nankai", "Sanyo", "Hanshin", "Hankyu", "Subway", "Kinki")
    for corp in started:
        box = box.par(corp, 100).shares(corp, p1=3, p2=2).trains(corp, "2", "2", "2+2", "3+3")
    built = box.par("Sanyo", 100).set(floated=frozenset(started[1:])).stock().build()
    built[1].names = {PlayerId("p1"): "Nozomi (bot)", PlayerId("p2"): "Kodama (bot)", PlayerId("p3"): "Sakura (bot)"}
    card = card_of(*built)
    heights = sorted(y for _, _, y in laid_out(card).tokens)
    assert {round(low - high) for high, low in pairwise(heights)} == {88}
    said = line(built, "Keihan,")
    assert "president Nozomi 30 %, next Kodama 20 %" in said
    assert "..." not in said
    assert ("treasury" in said) is bool(options)


@pytest.mark.rule("1860-PRV-11")
def test_when_the_ferry_comes_for_sale_is_not_told_once_it_has() -> None:
    """It still read "Sold from the first 6+3-train on" beside its price in phase 9."""
    aside, sold = (table("1860", 3).stock().private(FFC=owner).phase("6") for owner in (RESERVED, "bank"))
    notes = [next(one.note for one in table_view(*box.build()).privates if one.id == "FFC") for box in (aside, sold)]
    assert notes == [
        "Closes all others when bought. Sold from the first 6+3-train on.",
        "Closes all others when bought.",
    ]


def test_when_a_private_comes_for_sale_is_told_until_it_does() -> None:
    t, s = table("1890", 3).stock().private(K4=RESERVED).cash(p1=500).set(turn=1).build()
    row = next(one for one in table_view(t, s).privates if one.id == "K4")
    assert row.note.endswith("every operating round. For sale in stock rounds from the second game turn on.")
    s.turn = 2
    row = next(one for one in table_view(t, s).privates if one.id == "K4")
    assert row.note.endswith("every operating round.")


def test_who_sold_a_company_this_round_is_told() -> None:
    built = stock_round().set(sold={"p2": frozenset({CorpId("AR")})}).build()
    assert line(built, "Ben sold") == "Ben sold AR, start SR, KO, TR, KU or UR at ¥65 to 100."


# A company's turn


def test_the_trains_card_says_what_a_purchase_begins_rusts_and_leaves() -> None:
    said = line(operating("trains", "open_treasuries", AR=500).build(), "price ¥300")
    assert "train 4, price ¥300, left 4, phase 4, rusts 2: IR" in said
    assert "leaves ¥200" in said


def test_a_duty_to_buy_and_who_helps_stand_on_the_trains_card() -> None:
    built = operating("trains", "open_treasuries", AR=120).tile("K8", "57", 1).build()
    assert "AR must own a train; the cheapest is a 4-train for ¥300." in lines(*built)
    assert "Ann ¥180 added" in line(built, "price ¥300")


def test_a_president_who_lacks_the_money_reads_how_much() -> None:
    built = operating("trains", "open_treasuries", AR=20).tile("K8", "57", 1).build()
    _, *notes = lines(*built)[:3]
    assert notes[0] == "AR must own a train."
    assert notes[1].startswith("The train costs ¥300")
    assert notes[1].endswith("sell shares to raise ¥80 more.")


@pytest.mark.parametrize(("options", "treasury"), [((), 20), (("open_treasuries",), 20), ((), 900)])
def test_what_a_president_has_and_could_sell_for_a_train_is_told_to_everybody(
    options: tuple[str, ...], treasury: int
) -> None:
    """It is public, and also where nobody may read what the company itself has."""
    box = operating("trains", *options, AR=treasury).tile("K8", "57", 1).shares("IR", p2=5, p1=3)
    assert "president Ann ¥200, by selling ¥400" in line(box.build(), "trains, president")


def test_who_must_help_in_1888_is_told_by_what_sales() -> None:
    box = table("1888", 3).par("ZDR", 80).shares("ZDR", p1=5).par("HJR", 80).shares("HJR", p2=5, p1=2).phase("4")
    assert "director Ann ¥50, by selling ¥400" in line(
        box.operating("ZDR", "trains").cash(p1=50, ZDR=10).build(), "trains, director"
    )


@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize(("options", "cash"), [((), " ¥50"), (("hidden_cash",), "")])
def test_of_secret_cash_only_what_sales_bring_is_told_of_who_must_help(options: tuple[str, ...], cash: str) -> None:
    box = table("1890", 3, *options).phase("2").par("Hankyu", 80).shares("Hankyu", p1=5).tile("E12", "57", 1)
    box = box.par("Sanyo", 100).shares("Sanyo", p2=5, p1=2).operating("Hankyu", "trains").tile("E10", "57", 1)
    assert f"president Ann{cash}, by selling ¥440" in line(box.cash(p1=50, Hankyu=10).build(), "trains, president")


def test_who_has_no_train_to_buy_reads_of_no_sales() -> None:
    box = operating("trains", "open_treasuries", AR=900).tile("K8", "57", 1).shares("IR", p2=5, p1=3)
    assert "by selling" not in read(box.build())
    assert "by selling" not in read(box.cash(AR=20).trains("AR", "3").build())
    assert "by selling" not in read(table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").build())


def test_where_no_price_falls_no_column_says_to_what() -> None:
    assert "falls to ¥90" in line(stock_round().build(), "AR,")
    assert "falls to" not in read(stock_round().shares("AR", p1=0, p2=5).shares("IR", p1=0, p2=3).build())


def test_more_tiles_than_can_be_counted_are_told_only_if_they_are_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    t, s = operating("track", "open_treasuries", AR=500).build()
    assert line((t, s), "Tiles left") == "Tiles left, of those that fit: 5 x2, 6 x2, 57 x2."
    monkeypatch.setattr(company, "MANY_TILES", 2)
    s.supply[TileId("6")] = 1
    assert line((t, s), "Tiles that fit") == "Tiles that fit, one of each left: 6."


def test_the_era_of_british_rail_is_recalled_on_cards_without_a_map() -> None:
    box = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").phase("9")
    assert "closes" not in read(box.build())
    taken = read(box.own(layer=4, british=True, southern="over").build())
    assert "This is the last operating round: the last companies close after it." in taken
    assert taken.endswith("| operating round 2.1, the last one, bank never runs out.")
    for corp in ("IOW", "IWNJ"):
        box = box.par(corp).shares(corp, p2=5)
    assert (
        "3 companies are left; after each operating round the two that pay least close, and all that pay no more."
        in read(box.build())
    )
    assert "until the next stock round" in read(box.own(british=False, southern="formed").build())


@pytest.mark.rule("1860-END-07", "1860-END-09", "1860-END-10")
def test_what_holds_british_rail_up_is_said_on_cards() -> None:
    box = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").phase("9").own(layer=4)
    for corp in ("IOW", "IWNJ", "FYN"):
        box = box.par(corp).shares(corp, p2=5)
    assert "British Rail" not in read(box.build())
    box = box.own(layer=4, southern="formed").trains("FYN", "9+5")
    told = read(box.build())
    assert "until the next stock round" in told
    assert "British Rail forms once C&N, IOW and IWNJ have trains." in told
    box = box.own(southern="over").trains("C&N", "9+5").trains("IWNJ", "9+5")
    assert "British Rail forms once IOW has a train." in read(box.build())
    t, s = box.trains("IOW", "9+5").build()
    assert "has a train: British Rail forms at the end of this round." in read((t, s))
    s.round = "SR"
    assert t.policy.milestones.reminder(t, s).startswith("Unless a company without a train gets a director")
    s.president["IOW"], s.trains[CorpId("IOW")] = POOL, ()
    assert t.policy.milestones.reminder(t, s).startswith("Unless"), "a company without a director holds nothing up"


def test_who_cannot_pay_for_a_train_reads_that_bankruptcy_ends_the_game() -> None:
    box = operating("trains", "open_treasuries", AR=20).tile("K8", "57", 1).shares("AR", p1=2, p2=2, p3=1).cash(p1=150)
    assert lines(*box.build())[3] == "Nothing is left to sell, so it cannot be paid. Bankruptcy ends the game."
    box = box.shares("IR", p2=5, p1=1)
    assert lines(*box.build())[3] == "Sales bring ¥100 at most, so it cannot be paid. Bankruptcy ends the game."
    assert "Bankruptcy" not in read(box.cash(p1=200).build())


def test_a_private_that_loses_its_power_in_a_companys_hands_says_so() -> None:
    box = operating("privates", "open_treasuries", AR=200).private(A="p1", B="p1", E="p2")
    assert line(box.build(), "Mitsubishi").endswith("In a company's hands it can no longer lay its tile.")
    assert line(box.build(), "Dougo").endswith("In a company's hands it can no longer be exchanged for a share.")
    assert "hands" not in line(box.build(), "Takamatsu")
    assert "hands" not in line(box.set(used=frozenset({"B"})).build(), "Mitsubishi")


def test_what_can_be_sold_for_a_train_is_listed_with_what_it_brings() -> None:
    box = operating("trains", "open_treasuries", AR=20).tile("K8", "57", 1).shares("IR", p2=5, p1=3)
    built = box.build()
    assert line(built, "Shares that can be sold for it").endswith("10 % of IR ¥100.")


def test_a_sale_that_closes_the_company_is_listed_with_its_price_though_the_bank_takes_it_back() -> None:
    box = table("1890", 3, "open_treasuries").phase("2").par("Hankyu", 80).shares("Hankyu", p1=5)
    box = box.operating("Hankyu", "trains").rounds(2, 1, 2).cash(Hankyu=150, p1=0)
    t, s = box.tile("E12", "57", 1).tile("E10", "57", 1).build()
    put(s, "Hankyu", (8, 0))
    (sale,) = [one for one in engine.legal(t, s, "p1") if isinstance(one, a.SellShares)]
    assert has_closed(apply(t, s, sale), "Hankyu")
    assert line((t, s), "Shares that can be sold for it").endswith("10 % of Hankyu ¥30.")


def test_the_dividend_card_sets_the_ways_to_pay_side_by_side() -> None:
    box = operating("dividend", "open_treasuries", AR=0).trains("AR", "3")
    built = box.set(income=90, last_run={"AR": 90}).build()
    assert "AR: revenue ¥90" in lines(*built)
    assert "Ann, 40 %, pay out ¥36, withhold nothing" in line(built, "Ann, 40")
    assert "AR keeps, pay out nothing, withhold ¥90" in line(built, "keeps")
    assert "price, pay out 100 → 110, withhold 100 → 90" in line(built, "price,")


def test_many_payees_beside_whoever_decides_share_a_line() -> None:
    box = table("1889", 6, "open_treasuries").par("AR", 100, (0, 3)).shares("AR", p1=3, p2=2, p3=1, p4=1, p5=1)
    built = box.operating("AR", "dividend").trains("AR", "3").set(income=90).build()
    assert "Ann, 30 %, pay out ¥27, withhold nothing" in line(built, "Ann, 30")
    assert "pay out: Ben ¥18, Cho ¥9, Dan ¥9, Eve ¥9" in line(built, "Ben")


def test_long_names_leave_every_share_and_sum_readable() -> None:
    t, s = operating("dividend", "open_treasuries", AR=0).trains("AR", "3").set(income=90).build()
    s.names = {**s.names, "p1": "The Honourable Maximilian Featherstonehaugh"}
    card = card_of(t, s)
    assert {"40 %", "¥36", "30 %", "¥27"} <= {word.text for word in laid_out(card).words}


def test_places_of_a_token_say_what_the_company_then_runs_for_where_that_is_more() -> None:
    """A token let it run for more at once, and the first button of the message declined it."""

    def said(*trains: str) -> str:
        box = table("1889", 3, "open_treasuries").par("IR", 100, (0, 3)).shares("IR", p1=5).phase("3").cash(IR=500)
        box = box.operating("IR", "token").tile("E2", "6", 5).tile("F3", "57", 2).tile("G4", "6", 2)
        return line(box.trains("IR", *trains).build(), "Tokens")

    places = "F3 Saijou, G4 Niihama."
    assert said("2", "3") == f"Tokens; without one it earns ¥60: ¥40, leaves ¥460, earns ¥80: {places}"
    assert said("2") == f"Tokens: ¥40, leaves ¥460: {places}"


def test_places_of_a_token_that_let_a_company_run_for_the_most_are_named_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Among 22 places each said for itself what it brings, in the order of the map."""
    box = table("1889", 3, "open_treasuries").par("IR", 100, (0, 3)).shares("IR", p1=5).phase("3").cash(IR=500)
    box = box.operating("IR", "token").tile("E2", "6", 5).tile("F3", "57", 2).tile("G4", "6", 2).trains("IR", "3")
    monkeypatch.setattr(company, "_runs", lambda asked, states: [60, 60, 80])
    assert line(box.build(), "Tokens").endswith(
        "¥40, leaves ¥460, earns ¥80: G4 Niihama; ¥40, leaves ¥460, earns as before: F3 Saijou."
    )


def test_what_costs_the_same_is_read_out_as_a_group() -> None:
    facts = (Detail(figure="£60:"), *map(Detail, ("F8", "H10 Wroxall")), Detail(figure="£100:"), Detail("F9"))
    said = spoken(Card("IOW: track", "", (Section((CardRow(facts=facts),), "Tiles that cost"),), ()))
    assert said == "IOW: track. Tiles that cost: £60: F8, H10 Wroxall; £100: F9."


@pytest.mark.rule("1890-VAR-16")
def test_the_run_card_says_that_the_tigers_die_follows() -> None:
    """It had nothing below its title, as nobody knows yet what is paid."""
    found = table("1890", 3, "tigers_die").phase("4").par("Hanshin", 80).shares("Hanshin", p1=6)
    found = found.operating("Hanshin", "run").trains("Hanshin", "3").rounds(2, 1, 3)
    said = read(found.tile("F9", "465N", 3).tile("F7", "57", 1).build())
    assert "Then roll the die for brown Nishinomiya (100, 60, 50 or 40)" in said


def test_the_building_card_says_what_tokens_are_left_and_what_the_next_costs() -> None:
    said = line(operating("track", "open_treasuries", AR=500).build(), "token")
    assert "treasury ¥500" in said
    assert "1 token left, next ¥40" in said


def test_the_building_card_says_how_many_tiles_are_left_of_those_that_can_be_laid() -> None:
    t, s = operating("track", "open_treasuries", AR=500).build()
    s.supply[TileId("57")] = 0
    fitting = {action.tile for action in engine.legal(t, s, s.up) if isinstance(action, a.LayTile)}
    said = line((t, s), "Tiles left")
    assert fitting
    assert all(f"{tile} x{s.supply[tile]}" in said for tile in fitting)
    assert "57" not in said


# The opening


def test_everybody_s_money_is_one_line_of_the_opening_and_bids_stand_with_their_lots() -> None:
    t = engine.build("1889", 3)
    s = engine.start(t, ("Ann", "Ben", "Cho"))
    assert "Ann ¥420 priority deal, Ben ¥420, Cho ¥420" in line((t, s), "Cho")
    after = apply(t, s, a.Bid(PlayerId("p1"), PrivateId("B"), 40))
    assert "Ann ¥420 ¥380 free, priority deal, Ben ¥420, Cho ¥420" in line((t, after), "Cho")
    assert "bids, Ann ¥40" in line((t, after), "Mitsubishi")
    assert "bank" not in read((t, after))


def test_of_secret_money_only_what_is_in_bids_is_told() -> None:
    t = engine.build("1890", 3, ["hidden_cash"])
    s = engine.start(t, ("Ann", "Ben", "Cho"))
    after = apply(t, s, a.Bid(PlayerId("p1"), PrivateId("B"), 200))
    assert "Ann secret ¥200 in bids, " in line((t, after), "Cho secret")


def test_the_opening_card_says_what_stands_and_the_least_bid() -> None:
    t = engine.build("1889", 3)
    s = engine.start(t, ("Ann", "Ben", "Cho"))
    s = apply(t, s, a.Bid(PlayerId("p1"), engine.actions.PrivateId("C"), 45))
    built = t, s
    assert "Ann ¥420 ¥375 free" in line(built, "Cho")
    assert "bid from ¥50, bids, Ann ¥45" in line(built, "Ehime")
    assert "price ¥20" in line(built, "Takamatsu")


@pytest.mark.parametrize("length", range(3, 20))
def test_the_priority_deal_stands_in_the_line_of_whoever_has_it(length: int) -> None:
    t = engine.build("1890", 3)
    s = engine.start(t, [letter * length for letter in "ABC"])
    s.priority = s.players[1]
    card = card_of(t, s)
    words = laid_out(card).words
    (deal,) = (at for at, one in enumerate(words) if one.text.endswith("priority deal"))
    assert (words[deal - 2].text, words[deal - 2].y) == ("B" * length, words[deal].y)


@pytest.mark.parametrize("step", ["track", "run"])
def test_a_company_that_leases_its_train_is_said_to_be_insolvent(step: str) -> None:
    box = table("1860").par("IOW").shares("IOW", p1=5).operating("IOW", step).cash(IOW=0)
    built = box.tile("J4", "6", 0).tile("J6", "746", 0).own(layer=1, insolvent=("IOW",), paid={}).build()
    said = "runs a leased 2+1." if step == "run" else "no trains, insolvent, 3 tokens left"
    assert said in read(built)
    means = "it keeps what a leased train earns (£40, and £20 a stop) until it can buy one"
    assert f"IOW is insolvent: {means}, and builds nothing that costs money." in lines(*built)


@pytest.mark.rule("1860-EMR-01")
def test_whoever_cannot_pay_for_a_train_is_told_what_follows() -> None:
    box = table("1860", 3, "open_treasuries").par("IOW").shares("IOW", p1=5).operating("IOW", "trains").cash(IOW=40)
    told = lines(*box.tile("J4", "6", 0).build())
    assert "The train costs £250; IOW has £40, and no player may help." in told
    assert any(one.startswith("Without a train it is then insolvent: it keeps what a leased") for one in told)
    assert not any("insolvent" in one for one in lines(*box.trains("IOW", "2+1").build()))


def test_the_card_of_1860s_opening_says_what_each_private_becomes() -> None:
    t, s = table("1860", 3).build()
    s = engine.start(t, [*s.names.values()])
    assert tells_all(table_view(t, s), opening=True)
    assert sum("it can become a share of" in one for one in lines(t, s)) == 4


def test_what_privates_do_is_a_press_away_only_where_one_could_pay_for_them() -> None:
    rich, poor = (
        table("1890", 3)
        .par("JR", 100)
        .par("Keihan", 100)
        .par("Nankai", 100)
        .stock()
        .private(**dict.fromkeys(("K1", "K3", "K4"), RESERVED))
        .cash(p1=cash)
        .build()
        for cash in (900, 6)
    )
    assert any(row.on_sale for row in table_view(*poor).privates)
    assert not tells_all(table_view(*rich), opening=False)
    assert tells_all(table_view(*poor), opening=False)


def test_the_right_to_choose_shows_who_bids_what() -> None:
    t = engine.build("1860", 3)
    s = engine.start(t, ("Ann", "Ben", "Cho"))
    s = apply(t, s, a.BidToChoose(PlayerId("p1"), 30))
    s = apply(t, s, a.Pass(PlayerId("p2")))
    built = t, s
    assert "Ann £670, bids £30" in line(built, "Ann £")
    assert "Ben £670, out" in line(built, "Ben £")
    assert "next bid from £35" in line(built, "next bid")


# All titles


@pytest.mark.parametrize("title", engine.TITLES)
@pytest.mark.long
def test_no_figure_is_small_or_cut_in_any_step(title: str) -> None:
    """Of each step the first, second, fourth, eighth... card: the early ones say little."""
    t = engine.build(title, max(engine.TITLES[title].players))
    seen: dict[str, int] = {}
    for s, _, _ in walk(t, 7, 260, eager):
        decision = engine.decision(t, s)
        if not decision.players or decision.players[0] not in s.players:
            continue
        seen[decision.step] = seen.get(decision.step, 0) + 1
        if seen[decision.step].bit_count() > 1:
            continue
        card = card_if_any(t, s, decision.players[0])
        if card is None:
            continue
        words = laid_out(card).words
        assert not [one for one in words if any(map(str.isdigit, one.text)) and one.size < FIGURE]
        assert not [one for one in words if one.text.endswith("…") and any(map(str.isdigit, one.text[-4:]))]
    assert {"track", "trains", "shares"} < set(seen)


def told_alike(t: Title, s: State, viewer: str | None) -> bool | None:
    """Whether the card is the same when only money is another that the viewer may not know; None if all is open."""
    reader = None if viewer is None else PlayerId(viewer)
    hidden = [corp for corp in t.corporations if corp in s.floated and not treasury_visible(t, s, corp, reader)]
    hidden += [player for player in s.players if not cash_visible(t, s, player, reader)]
    card = card_if_any(t, s, viewer) if hidden else None
    if card is None:
        return None
    poor, rich = s.copy(), s.copy()
    poor.cash.update(dict.fromkeys(hidden, 0))
    rich.cash.update(dict.fromkeys(hidden, 99_991))
    return card == card_of(t, poor, viewer) == card_of(t, rich, viewer)


@pytest.mark.rule("1889-SEC-03", "1860-SEC-02", "1890-VAR-05", "1890-SEC-02")
@pytest.mark.parametrize(("title", "options"), [("1889", []), ("1860", []), ("1890", []), ("1890", ["hidden_cash"])])
@pytest.mark.long
def test_a_card_is_the_same_whatever_money_is_hidden(title: str, options: list[str]) -> None:
    t = engine.build(title, 3, options)
    compared: dict[str, int] = {}
    for s, _, _ in walk(t, 4, 180, eager):
        decision = engine.decision(t, s)
        if not decision.players or decision.players[0] not in s.players or compared.get(decision.step, 0) > 2:
            continue
        for viewer in (None, s.after(decision.players[0])[0]):
            alike = told_alike(t, s, viewer)
            if alike is not None:
                assert alike, (decision, viewer)
                compared[decision.step] = compared.get(decision.step, 0) + 1
    assert sum(compared.values()) >= 15


def test_whoever_may_know_the_money_reads_it_on_the_card() -> None:
    built = operating("trains", AR=437).build()
    assert "¥437" not in read(built)
    assert "¥437" not in read(built, "p2")
    assert "treasury ¥437" in read(built, "p1")


@pytest.mark.rule("1860-TRN-11", "1860-SEC-02")
@pytest.mark.parametrize("cash", [0, 900])
def test_that_a_company_may_have_to_buy_a_train_is_told_without_its_money(cash: int) -> None:
    built = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").cash(**{"C&N": cash}).build()
    assert "C&N has no train, so it must buy one if it can pay for the cheapest." in lines(*built)
    assert ("C&N has no train and can afford one, so it must buy." in lines(*built, "p1")) is (cash == 900)


async def private_card(built: tuple[Title, State], seat: str) -> list[str]:
    t, s = built
    with ThreadPoolExecutor(1) as pool:
        position = Position(t, s, 5, dict(s.names), Work(pool))
        return [image.alt for image in await pictures.private_card(position, PlayerId(seat))]


@pytest.mark.second
@pytest.mark.rule("1889-SEC-03")
async def test_the_president_alone_is_given_a_card_with_the_treasury() -> None:
    secret = operating("trains", AR=437).build()
    (card,) = await private_card(secret, "p1")
    assert "treasury ¥437" in card
    assert await private_card(secret, "p2") == []


async def test_nobody_is_given_another_card_where_all_is_open() -> None:
    assert await private_card(operating("trains", "open_treasuries", AR=437).build(), "p1") == []


def test_the_stock_card_tells_what_rusts_of_what_companies_have() -> None:
    built = stock_round("open_treasuries").trains("AR", "2", "3").build()
    assert line(built, "rust with").startswith("2-trains ¥80")
    assert "2-trains rust with the first 4, 3-trains rust with the first 6" in line(built, "rust with")


def test_once_companies_have_started_the_card_says_what_can_be_started_in_a_line() -> None:
    said = line(stock_round().build(), "start SR")
    assert said == "start SR, KO, TR, KU or UR at ¥65 to 100."
