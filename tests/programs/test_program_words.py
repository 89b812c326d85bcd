"""What programs are said to do, and why they stopped."""

from __future__ import annotations

from tables import allows, table

import engine
from bot.words.lexicon import lexicon
from bot.words.programs import _SAYS, NAMES, because, sentence, stops_when
from engine.actions import ExchangePrivate
from programs import KINDS, Buy, Event, Newer, Operate, PassAhead, Stopped, prompt, stops


def test_every_kind_of_program_has_a_name_and_a_sentence() -> None:
    assert set(NAMES) == {*KINDS, Newer.kind}
    assert set(_SAYS) == {*KINDS.values(), Newer}


def test_what_stops_a_program_is_said_in_the_words_of_the_game() -> None:
    """1860 has no presidents."""
    said = {title: stops_when(PassAhead(), lexicon({}, engine.build(title, 3))) for title in ("1889", "1860")}
    assert "a change of presidency, a rival one share from your presidency" in said["1889"]
    assert "a change of directorship, a rival one share from your directorship" in said["1860"]


def test_who_heeds_no_trade_is_told_that_only_their_own_presidencies_stop_it() -> None:
    said = stops_when(PassAhead(off=("sale", "purchase")), lexicon({}, engine.build("1889", 3)))
    assert "a change of your presidency, a rival one share from your presidency" in said
    assert "a change of presidency" not in said


def test_whoever_passes_a_round_reads_that_bids_of_theirs_are_left_to_them() -> None:
    said = sentence(PassAhead(), lexicon({}, engine.build("1889", 3)))
    assert said.endswith("or for the whole of the next one. Where you have bid on a private, you are asked.")


def test_a_company_of_which_all_is_asked_is_said_to_do_nothing() -> None:
    asks = Operate(corp="AR", rounds=2, track="ask", token="ask", run="ask", pays="ask", trains="ask")
    said = sentence(asks, lexicon({}, engine.build("1889", 3)))
    assert said == "The next 2 turns of **AR**. You decide on track, tokens, the run, the dividend and trains."


def test_a_plan_of_which_all_is_laid_lays_nothing() -> None:
    """It laid “nothing in order”."""
    said = sentence(Operate(corp="AR", track="plan"), lexicon({}, engine.build("1889", 3)))
    assert said.startswith("The next turn of **AR**: lays nothing, ")


def test_whoever_would_buy_what_is_gone_is_told_so() -> None:
    """“The rules do not allow it.” was all that was said."""
    laid = table("1889", 3).par("AR", 65).shares("AR", {"p1": 4, "p2": 6}, president="p2").cash(p1=500)
    t, s = laid.build()
    stopped = Buy(corp="AR", shares=6, most=100).move(prompt(t, s, s.players[0]))
    assert isinstance(stopped, Stopped)
    said = because(stopped.cause, lexicon(s.names, t))
    assert said == "The rules do not allow it. No share of AR is left in the initial offering."


def test_a_share_for_a_private_is_not_said_to_be_bought() -> None:
    laid = table("1889", 3).par("IR", 65).shares("IR", {"p1": 4, "p3": 2}).private(E="p2")
    t, s = laid.stock("p2").build()
    swap = ExchangePrivate(s.players[1], "E")
    stopped = stops(PassAhead(), Event(t, s.players[0], s, swap, allows(t, s, swap)))
    assert isinstance(stopped, Stopped)
    assert because(stopped.cause, lexicon({**s.names, "p2": "Ben"}, t)) == "**Ben** now has 10 % more of **IR**."
