"""Records that go against our rules: refused by default, and on request carried on as far as they can be played."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tables import table

from engine import BadAction, Refused, apply, apply_unjudged, build, decision, start
from engine import actions as act
from engine.action_json import from_json, to_json
from records.errors import BadRecord
from records.files import play
from records.json_18xx import RecordPlayer, header
from records.known import KNOWN, ONLINE
from records.playback import Playback
from records.stated import differences

NAMES = ("Ann", "Ben", "Cho")
LEDGERS = Path(__file__).parents[2] / "engine" / "ledgers"


def record(title: str, *actions: dict[str, Any]) -> dict[str, Any]:
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES, start=1)]
    numbered = [{**action, "id": number} for number, action in enumerate(actions, start=1)]
    return {"title": title, "players": players, "actions": numbered}


def by(player: int, kind: str, **rest: Any) -> dict[str, Any]:
    return {"type": kind, "entity": player, "entity_type": "player", **rest}


def test_a_refused_action_is_named_or_played_and_listed() -> None:
    body = record("1889", by(1, "bid", company="MF", price=31), by(2, "bid", company="TR", price=20))
    with pytest.raises(BadRecord, match=r"Action 1 \(bid\) is refused: .*1889-AUC-04"):
        play(body)
    played = play(body, as_recorded=True)
    assert len(played.against_rules) == 1
    assert "1889-AUC-04" in played.against_rules[0]
    assert (played.state.owner["A"], played.state.owner["B"]) == ("p2", "p1"), "sold to its only bidder"
    assert played.state.cash["p1"] == 420 - 31


def test_a_pass_that_nobody_is_asked_for_is_left_out() -> None:
    body = record("1889", by(2, "pass"), by(1, "bid", company="TR", price=20))
    played = play(body, as_recorded=True)
    assert [type(action) for action in played.actions] == [act.BuyPrivate]
    assert played.against_rules[0].startswith("Action 1 (pass)")


def test_what_cannot_be_played_at_all_stops() -> None:
    sale = {"type": "sell_company", "entity": 1, "entity_type": "player", "company": "TR", "price": 20}
    with pytest.raises(BadRecord, match="cannot be done at all"):
        play(record("1889", sale), as_recorded=True)
    with pytest.raises(BadRecord, match="Ann cannot pay"):
        play(
            record("1889", by(1, "bid", company="MF", price=5000), by(2, "bid", company="TR", price=20)),
            as_recorded=True,
        )


def test_shares_that_a_seller_does_not_have_cannot_be_sold_at_all() -> None:
    """Whoever then had fewer than none would pay dividends."""
    title, state = table("1889", 3).stock("p2").par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3).build()
    playback = Playback(title, state, as_recorded=True)
    with pytest.raises(BadAction, match="has no such shares"):
        playback.play(act.SellShares("p2", "AR", 4), "Action 1")


def test_a_record_in_which_a_company_issues_shares_is_refused_with_the_reason() -> None:
    body = record("1889", {"type": "sell_shares", "entity": "AR", "entity_type": "corporation", "shares": ["AR_5"]})
    for as_recorded in (False, True):
        with pytest.raises(BadRecord, match=r"AR issues shares.*says what it gets for them"):
            play(body, as_recorded=as_recorded)


def recorded_run(*revenues: int | None, **rest: Any) -> dict[str, Any]:
    """AR's trains run from Tokushima to Naruto (40) and to J9 (30)."""
    ways = (["K8", "L7"], ["K8", "J9"])
    routes = [
        {"train": f"2-{number}", "connections": [way], **({} if revenue is None else {"revenue": revenue})}
        for number, (way, revenue) in enumerate(zip(ways, revenues, strict=False))
    ]
    return {"type": "run_routes", "id": 9, "entity": "AR", "entity_type": "corporation", "routes": routes, **rest}


def awa_reader(*, as_recorded: bool) -> RecordPlayer:
    laid = table("1889", 3, "online").operating("AR", "run").trains("AR", "2", "2")
    title, state = laid.tile("K8", "57", 1).tile("J9", "58", 4).build()
    reader = RecordPlayer(replace(header(record("1889")), title=title), as_recorded=as_recorded)
    reader.playback.state = state
    return reader


@pytest.mark.parametrize(
    ("recorded", "income"),
    [
        (recorded_run(40, 30), 70),
        (recorded_run(None, 30), 70),
        (recorded_run(50, 30), 80),
        (recorded_run(None, 50), 90),
        (recorded_run(30), 30),
        (recorded_run(40, extra_revenue=20), 60),
    ],
)
def test_a_stated_revenue_is_carried_on_if_that_is_wanted(recorded: dict[str, Any], income: int) -> None:
    reader = awa_reader(as_recorded=True)
    (played,) = reader.play(recorded)
    assert reader.state.last_run["AR"] == income
    assert len(reader.playback.against_rules) == bool(reader.differences)
    assert from_json(to_json(played)) == played
    again = awa_reader(as_recorded=True).playback
    again.play(played, "Entry 9")
    assert again.state.to_dict() == reader.state.to_dict(), "our own file leads to the same"


def test_without_that_wish_the_revenue_is_ours_and_the_difference_is_told() -> None:
    reader = awa_reader(as_recorded=False)
    reader.play(recorded_run(50, 30))
    assert reader.state.income == 70
    assert len(reader.differences) == 1
    assert not reader.playback.against_rules


def test_a_run_for_nothing_or_less_is_malformed() -> None:
    for total in (0, -10):
        with pytest.raises(BadRecord, match="not well formed"):
            awa_reader(as_recorded=True).play(recorded_run(total))


@pytest.mark.parametrize("step", ["track", "token", "trains"])
def test_a_bankruptcy_at_any_time(step: str) -> None:
    t, s = table("1889", 3, "online").operating("AR", step).tile("K8", "57", 1).build()
    playback = Playback(t, s, as_recorded=True)
    with pytest.raises(Refused):
        apply(t, s, act.GoBankrupt("p1", "AR"))
    assert playback.play(act.GoBankrupt("p1", "AR"), "Action 9 (bankrupt)")
    assert playback.state.over == "bankrupt"
    assert len(playback.against_rules) == 1


def test_a_train_at_the_limit() -> None:
    t, s = table("1889", 3, "online").operating("AR", "trains").trains("AR", "2", "2", "2", "2").build()
    buy = act.BuyTrain("p1", "AR", "2", "bank", 80)
    with pytest.raises(Refused, match="1889-TRN-13"):
        Playback(t, s).play(buy, "Action 9 (buy_train)")
    playback = Playback(t, s, as_recorded=True)
    playback.play(buy, "Action 9 (buy_train)")
    assert playback.state.trains["AR"] == ("2",) * 5
    assert decision(t, playback.state).step == "discard"


@pytest.mark.parametrize(("title", "corp", "rule"), [("1889", "AR", "TRN-13"), ("1888", "JHR", "TRN-07")])
def test_after_a_train_bought_beside_a_trade_in_the_discard_is_played_as_recorded(
    title: str, corp: str, rule: str
) -> None:
    laid = table(title, 3, "online").operating(corp, "trains").trains(corp, "4", "4").cash(**{corp: 2000})
    t, s = laid.phase("6", left_6=0).market_trains("5").par(corp, 90).build()
    buy = act.BuyTrain("p1", corp, "5", "pool", t.trains["5"].price)
    with pytest.raises(Refused, match="beside a trade-in for a D") as refused:
        Playback(t, s).play(buy, "Action 9 (buy_train)")
    assert str(refused.value).endswith(f"[{ONLINE[title]}]. [{title}-{rule}]")
    playback = Playback(t, s, as_recorded=True)
    playback.play(buy, "Action 9 (buy_train)")
    playback.play(act.DiscardTrain("p1", corp, "4"), "Action 10 (discard_train)")
    assert (playback.state.trains[corp], playback.state.train_pool) == (("4", "5"), ("4",))
    assert (playback.state.pending, len(playback.against_rules)) == ((), 1)


def test_playing_unjudged_leaves_the_position_alone() -> None:
    t = build("1889", 3)
    s = start(t, NAMES)
    before = s.to_dict()
    apply_unjudged(t, s, act.Bid("p1", "B", 31))
    with pytest.raises(BadAction):
        apply_unjudged(t, s, act.Bid("p1", "Z", 31))
    assert s.to_dict() == before


def test_known_differences_are_named() -> None:
    t, s = table("1888", 3, "online").operating("JHR").par("JHR", 75).private(CW="JHR", YRF="JHR").build()
    s = apply(t, s, act.LayPowerTile("p1", "CW", "D2", "7", 3))
    with pytest.raises(Refused, match="between the Great Wall's tiles"):
        Playback(t, s).play(act.LayPowerTile("p1", "YRF", "E17", "L40a", 0), "Action 9 (lay_tile)")


@pytest.mark.parametrize(("title", "corp", "private"), [("1889", "AR", "A"), ("1888", "JHR", "KT")])
def test_a_private_bought_before_a_discard_is_a_known_difference(title: str, corp: str, private: str) -> None:
    laid = table(title, 3, "online").operating(corp, "trains").trains(corp, "3", "3", "3").cash(**{corp: 1000})
    t, s = laid.phase("3", left_3=0).par(corp, 90).private(**{private: "p1"}).build()
    s = apply(t, s, act.BuyTrain("p1", corp, "4", "bank", t.trains["4"].price))
    assert decision(t, s).step == "discard"
    with pytest.raises(Refused, match="buy a private while trains beyond a limit are to be discarded"):
        Playback(t, s).play(act.CompanyBuysPrivate("p1", corp, private, 20), "Action 9 (buy_company)")


def test_every_known_difference_stands_in_the_ledgers_as_not_followed() -> None:
    readme = (LEDGERS / "README.md").read_text()
    (listed,) = re.findall(r"with `online` too .*: (.*)\.", readme)
    assert set(listed.split(", ")) == {known.rule for known in KNOWN} - set(ONLINE.values())
    for known in KNOWN:
        line = (LEDGERS / f"{known.title}.md").read_text().partition(f"**{ONLINE[known.title]}**")[2]
        unfollowed = line.lower().partition("not followed")[2].partition("**")[0]
        assert known.rule.partition("-")[2].lower() in unfollowed or known.rule == ONLINE[known.title]
        assert "hundredth turn" in unfollowed


@pytest.mark.parametrize(
    ("recorded", "clause"),
    [
        (by(1, "sell_shares"), "no share price, which stands for £82, where the rules give £41"),
        (by(1, "sell_shares", share_price=40), "a share price of £40, where the rules give £41"),
        (by(1, "sell_shares", share_price=41), None),
    ],
)
def test_the_price_of_a_sale_is_compared(recorded: dict[str, Any], clause: str | None) -> None:
    t, s = table("1860", 3, "online").stock("p1").par("IOW", 82).shares("IOW", president="p1", p1=4, p2=2).build()
    after = apply(t, s, act.SellShares("p1", "IOW", 1))
    assert differences(t, s, recorded, after) == ([f"states {clause}"] if clause else [])


@pytest.mark.parametrize("kind", ["lay_tile", "place_token"])
def test_costs_are_compared_where_they_are_stated(kind: str) -> None:
    t, s = table("1889", 3).operating("SR", "track" if kind == "lay_tile" else "token").cash(SR=500).build()
    if kind == "lay_tile":
        after, cost = apply_unjudged(t, s, act.LayTile("p1", "SR", "D5", "8", 0)), 80
    else:
        after, cost = apply_unjudged(t, s, act.PlaceToken("p1", "SR", "C4.0")), 40
    assert not differences(t, s, {"type": kind, "cost": cost}, after)
    assert not differences(t, s, {"type": kind}, after)
    assert differences(t, s, {"type": kind, "cost": cost + 10}, after)
