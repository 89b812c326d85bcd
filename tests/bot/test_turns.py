"""What people see and may do in a running game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest
from club import Club, buttons, said, text
from player import answer, passes, private_answer, tool

import engine
import renderer
from bot.chat.press import Draft, Drafts
from bot.chat.rights import permissions
from bot.core.errors import OVER, STALE, Outdated, TableError
from bot.core.moves import Note
from bot.rooms.seats import agreeing
from bot.rooms.turn.cards import company_lines
from bot.rooms.turn.screen import turn_screen
from engine.actions import Bid, BuyPrivate, Pass
from engine.ids import PlayerId, PrivateId
from storage import Duplicate


def buy_label(message: Any) -> str:
    return next(label for label in buttons(message) if label.startswith("Buy "))


async def test_the_packet_pings_only_the_player_who_is_up_and_shows_what_it_is_about(club: Club) -> None:
    table = await club.begin(3)
    packet = club.packet()
    assert [user.id for user in packet.mentions] == [table.seats["p1"].user_id]
    assert len(packet.attachments) == 1
    sent = [one for one in club.env.http_requests if one.method == "POST" and one.path.endswith("/messages")]
    allowed = sent[-1].json["allowed_mentions"]
    assert allowed["parse"] == []
    assert [int(user) for user in allowed["users"]] == [table.seats["p1"].user_id]


async def test_one_press_acts_and_the_next_player_gets_a_message_of_their_own(club: Club) -> None:
    table = await club.begin(3)
    first = club.packet()
    await club.aiko.click(first, label=buy_label(first))
    assert table.position.seq == 1
    second = club.packet()
    assert second.id != first.id
    assert [user.id for user in second.mentions] == [table.seats["p2"].user_id]
    assert "buys A Takamatsu" in text(second)
    old = next(message for message in club.channel.history() if message.id == first.id)
    assert not buttons(old)
    assert "**Aiko** buys A" in text(old)


async def test_another_player_and_a_spectator_are_refused_privately(club: Club) -> None:
    table = await club.begin(3)
    packet = club.packet()
    for member, words in ((club.ben, "not your turn"), (club.fumi, "no seat")):
        result = await member.click(packet, label="Pass")
        assert words in text(private_answer(result)).lower()
        assert private_answer(result).ephemeral
    assert table.position.seq == 0


async def test_a_player_who_presses_for_another_reads_whose_turn_it_is(club: Club) -> None:
    """Of a purchase they read all that the step is ever for: “it is up to Aiko to buy a private, bid or pass”."""
    await club.begin(3)
    (label,) = (one for one in buttons(club.packet()) if one.startswith("Buy A"))
    told = await answer(club.ben.click(club.packet(), label=label))
    assert told == "It is not your turn: the game is waiting for **Aiko**."


async def test_an_old_private_question_answers_that_the_position_has_passed(club: Club) -> None:
    table = await club.begin(3)
    await club.aiko.click(club.packet(), label="Pass")
    question = private_answer(await club.aiko.slash(club.channel, "game undo"))
    await club.ben.click(club.packet(), label="Pass")
    seq = table.position.seq
    assert await answer(club.aiko.click(question, label="Undo it")) == STALE
    assert table.position.seq == seq


async def test_buttons_work_after_a_restart(club: Club) -> None:
    await club.begin(3)
    packet = club.packet()
    await club.restart()
    await club.aiko.click(packet, label=buy_label(packet))
    table = await club.table()
    assert [type(one.action) for one in table.moves] == [BuyPrivate]


async def test_a_bid_takes_a_private_and_an_amount_and_nonsense_is_corrected_in_the_form(club: Club) -> None:
    table = await club.begin(3)
    form: Any = await club.aiko.click(club.packet(), label="Another bid…")
    for amount, words in (
        ("many", "not a whole number"),
        ("-5", "at least"),
        ("99999", "at most"),
        ("9" * 12, "whole number"),
    ):
        answer = private_answer(await club.aiko.submit_modal(form, {"private": ["B"], "amount": amount}))
        assert words in text(answer), text(answer)
        assert table.position.seq == 0
        form = await club.aiko.click(answer, label="Correct it…")
        shown = str(form.modal)
        assert words in shown, "the form says what was wrong"
        assert repr(amount) in shown, "and still has what was entered"
    answered = await club.aiko.submit_modal(form, {"private": ["B"], "amount": "¥37"})
    assert table.moves[-1].action == Bid(PlayerId("p1"), PrivateId("B"), 37)
    assert "bids ¥37" in text(private_answer(answered))
    assert club.bot.its(Drafts).of(club.aiko.id, table.game.id, ["Bid", "0"]) == Draft()


async def test_a_form_does_not_show_what_was_refused_in_an_earlier_position(club: Club) -> None:
    table = await club.begin(2)
    form: Any = await club.aiko.click(club.packet(), label="Another bid…")
    await club.aiko.submit_modal(form, {"private": ["B"], "amount": "99999"})
    await passes(table, "p1", "p2")
    await club.announces(table)
    shown = str((await club.aiko.click(club.packet(), label="Another bid…")).modal)
    assert "at least" in shown
    assert "at most" not in shown
    assert "99999" not in shown


async def test_undo_names_what_it_takes_back_even_where_there_is_nothing_to_tell(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.begin(2)
    await club.aiko.slash(club.channel, "pass")
    monkeypatch.setattr("bot.core.seated.tell", lambda move, names: [])
    asked = await club.aiko.slash(club.channel, "game undo")
    shown = text(private_answer(asked))
    assert "Undo this?" in shown
    assert "- Pass" in shown


async def test_one_press_undoes_a_slip_and_redo_brings_it_back(club: Club) -> None:
    table = await club.begin(3)
    assert "Undo" not in buttons(club.packet()), "nothing has been decided yet"
    await club.aiko.click(club.packet(), label=buy_label(club.packet()))
    assert "Undone" in text(private_answer(await tool(club.aiko, club.packet(), "Undo")))
    assert table.moves == []
    assert "Undo" not in buttons(club.packet())
    assert [user.id for user in club.packet().mentions] == [table.seats["p1"].user_id]
    await club.aiko.slash(club.channel, "game redo")
    assert len(table.moves) == 1
    await club.restart()
    assert len((await club.table()).moves) == 1


async def test_a_typed_undo_asks_too_and_the_channel_reads_who_took_back_whose_move(club: Club) -> None:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pass")
    await club.ben.slash(club.channel, "pass")
    question = private_answer(await club.ben.slash(club.channel, "game undo"))
    assert len(table.moves) == 2
    assert "- **Ben** passes." in text(question)
    await club.ben.click(question, label="Undo it")
    assert len(table.moves) == 1
    assert "↩ **Ben** took back their own last move:\n- **Ben** passes." in said(club)
    await club.undo(club.aiko)
    assert "↩ **Aiko** took back their own last move:\n- **Aiko** passes." in said(club)
    assert "Only **Aiko** can bring that back" in await answer(club.ben.slash(club.channel, "game redo"))
    await club.aiko.slash(club.channel, "game redo")
    assert "↪ **Aiko** brought back their own last move:\n- **Aiko** passes." in said(club)


async def test_a_doubled_press_and_two_at_once_do_one_thing(club: Club) -> None:
    table = await club.begin(3)
    action = Pass(PlayerId("p1"))
    user = table.seats["p1"].user_id
    both = await asyncio.gather(
        table.submit(action, user=user, seen=0, interaction=1),
        table.submit(action, user=user, seen=0, interaction=2),
        return_exceptions=True,
    )
    assert [type(one) for one in both].count(Outdated) == 1
    assert table.position.seq == 1
    second = Pass(PlayerId("p2"))
    with pytest.raises(Duplicate):
        await table.submit(second, user=table.seats["p2"].user_id, interaction=1)
    assert table.position.seq == 1


async def test_a_deal_waits_for_the_other_side(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "consent", lambda title, state, action: PlayerId("p2"))
    table = await club.begin(3)
    await club.aiko.click(club.packet(), label=buy_label(club.packet()))
    assert table.position.seq == 0
    request = club.packet()
    assert [user.id for user in request.mentions] == [table.seats["p2"].user_id]
    assert "for Ben to answer" in await answer(club.chloe.click(request, label="Accept"))
    await club.ben.click(request, label="Accept")
    assert [one.action for one in table.moves] == [BuyPrivate(PlayerId("p1"), PrivateId("A"))]
    assert table.moves[0].note == Note("offer", 1)


async def test_a_declined_deal_changes_nothing_and_tells_the_maker(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "consent", lambda title, state, action: PlayerId("p2"))
    table = await club.begin(3)
    await club.aiko.click(club.packet(), label=buy_label(club.packet()))
    await club.ben.click(club.packet(), label="Decline")
    assert table.position.seq == 0
    assert "declines" in text(club.channel.last_message)
    assert [user.id for user in club.channel.last_message.mentions] == [table.seats["p1"].user_id]


async def test_equal_offers_are_one_and_a_person_has_few_open(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "consent", lambda title, state, action: PlayerId("p2"))
    await club.begin(2)
    before = len(club.channel.history())
    answers = []
    for amount in (35, 35, 40, 45, 50):
        given = await club.aiko.slash(club.channel, "bid", private="B", amount=amount)
        answers.append(text(private_answer(given)))
    assert "already been offered" in answers[1]
    assert "already have 3 offers" in answers[4]
    offers = club.channel.history()[before:]
    assert [list(buttons(one)) for one in offers] == [["Accept", "Decline"]] * 3


async def test_the_host_acts_for_others_only_where_the_table_allowed_it(club: Club) -> None:
    table = await club.begin(3, host_acts=True, options="open_treasuries")
    await club.aiko.click(club.packet(), label="Pass")
    await club.aiko.click(club.packet(), label="Pass")
    assert table.moves[-1].action.by == "p2"
    assert table.moves[-1].note == Note("host")
    assert "by the host" in text(club.packet())


async def test_passing_ahead_is_carried_out_and_ends_with_the_turn(club: Club) -> None:
    table = await club.begin(3)
    await club.ben.slash(club.channel, "pass", when="once")
    await club.aiko.click(club.packet(), label="Pass")
    assert [one.action.by for one in table.moves] == ["p1", "p2"]
    assert (table.moves[-1].note, table.moves[-1].user) == (None, club.ben.id)
    assert table.position.up == ("p3",)
    assert table.orders.desk("p2").kept == ()


async def test_the_game_ends_when_all_agree(club: Club) -> None:
    table = await club.begin(2)
    assert "Still to agree: Ben" in await answer(club.aiko.slash(club.channel, "game end"))
    assert not table.position.over
    await club.ben.slash(club.channel, "game end")
    assert table.position.over
    assert "The game is over" in text(club.channel.last_message)
    assert (await club.bot.store.game(table.game.id)).status == "finished"
    assert OVER in await answer(club.aiko.slash(club.channel, "game end"))
    with pytest.raises(TableError, match=OVER):  # as with a press that was on its way meanwhile
        await agreeing.vote_to_end(table, club.ben.id, True, 1)


@pytest.mark.parametrize("what", ["map", "market", "table"])
async def test_what_somebody_looks_at_is_shown_to_everybody_on_request_alone(club: Club, what: str) -> None:
    await club.begin(2)
    for public in (False, True):
        before = len(club.channel.history())
        await club.aiko.slash(club.channel, f"show {what}", **({"public": True} if public else {}))
        assert len(club.channel.history()) - before == public


@pytest.mark.broad
async def test_everybody_sees_public_things_and_only_the_president_a_treasury(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    true = renderer.table_picture

    def drawn(view: Any, **more: Any) -> Any:
        seen.append(view)
        return true(view, **more)

    monkeypatch.setattr(renderer, "table_picture", drawn)
    await club.begin(2)
    await play_until_floated(club)
    table = await club.table()
    company = next(row for row in table.position.table().companies if row.floated)
    president = club.who(str(company.president), table)
    other = next(member for member in club.members[:2] if member is not president)
    assert company.treasury is None
    for member, knows in ((president, True), (other, False), (club.goro, False)):
        card = await member.slash(club.channel, "show company", company=str(company.company.id))
        assert ("treasury" in text(private_answer(card))) is knows
        assert "not floated" not in text(private_answer(card))
        await member.slash(club.channel, "show table")
        row = next(one for one in seen[-1].companies if one.company.id == company.company.id)
        assert (row.treasury is not None) is knows
    await president.slash(club.channel, "show table", public=True)
    assert all(row.treasury is None for row in seen[-1].companies)
    assert "no seat" in await answer(club.goro.slash(club.channel, "my hand"))
    assert "not floated" in company_lines(replace(company, floated=False), table.position.lexicon())[1]


async def play_until_floated(club: Club) -> None:
    import random

    from player import take_turn

    chance = random.Random(4)
    for _ in range(400):
        table = await club.table()
        if any(row.floated for row in table.position.table().companies):
            return
        await take_turn(club, chance)
    raise AssertionError("no company floated")


BAD: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("lay", {"hex": "Z99"}, "no hex"),
    ("stock par", {"company": "XX", "par": 7}, "cannot start a company now"),
    ("stock sell", {"company": "ZZ", "shares": -3}, "no company"),
    ("bid", {"private": "Q", "amount": 5}, "no private"),
    ("bid", {"private": "B", "amount": -1000000000}, "at least"),
    ("train buy", {"train": "BuyTrain|AR|2|bank|x|"}, "not one of the choices"),
    ("train buy", {"train": "nonsense"}, "cannot buy a train now"),
    ("private acquire", {"private": "A", "price": 10**9}, "cannot buy a private now"),
    ("dividend", {"choice": "Dividend|"}, "not one of the choices"),
    ("run", {"routes": "3 K4 K6"}, "cannot run the trains now"),
    ("show map", {"hex": "Q77"}, "no hex"),
    ("show company", {"company": "@everyone"}, "no company"),
)


async def test_bad_input_is_answered_privately_and_changes_nothing(club: Club) -> None:
    table = await club.begin(2)
    for name, options, words in BAD:
        result = await club.aiko.slash(club.channel, name, **options)
        assert result.ephemeral, name
        assert words in text(private_answer(result)).lower(), text(private_answer(result))
        assert table.position.seq == 0, name


async def test_commands_in_a_channel_without_a_game_say_so(club: Club) -> None:
    for name in ("game status", "game undo", "pass", "game join", "game export"):
        assert "no game in this channel" in await answer(club.aiko.slash(club.channel, name))


async def test_turns_lists_the_games_that_wait(club: Club) -> None:
    await club.begin(2)
    mine = await club.aiko.slash(club.channel, "turns")
    theirs = await club.ben.slash(club.channel, "turns")
    assert "Your turn" in text(private_answer(mine))
    assert "No game is waiting for you" in text(private_answer(theirs))


async def test_a_message_that_cannot_be_sent_is_sent_later_and_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.sender.PAUSES", (0,))
    table = await club.begin(3)
    before = len(club.channel.history())
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, message="Missing Permissions")
    await club.aiko.click(club.packet(), label="Pass")
    assert table.position.seq == 1
    await club.env.advance_time(60)
    assert len(club.channel.history()) == before + 1
    assert [user.id for user in club.packet().mentions] == [table.seats["p2"].user_id]
    assert await table.store.outbox.waiting() == 0


async def test_notices_of_a_bot_that_stopped_are_sent_by_the_next(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await club.begin(3)
    monkeypatch.setattr(club.bot.sender, "wake", lambda: None)
    await club.aiko.click(club.packet(), label="Pass")
    assert await table.store.outbox.waiting() == 1
    await club.restart()
    await club.env.settle()
    assert await table.store.outbox.waiting() == 0
    assert [user.id for user in club.packet().mentions] == [table.seats["p2"].user_id]


async def test_a_channel_where_the_bot_may_not_post_is_refused_with_the_reason(club: Club) -> None:
    role = club.guild.default_role
    denied = discord.PermissionOverwrite(send_messages=True, attach_files=False)
    closed = club.guild.create_text_channel("closed", overwrites={role: denied})
    told = await answer(club.aiko.slash(closed, "game create", title="1889"))
    assert "without the permission Attach Files." in told
    assert permissions(["View Channel", "Attach Files"]) == "the permissions View Channel and Attach Files"
    assert await club.bot.store.game_in_channel(closed.id) is None


async def test_one_channel_holds_one_game(club: Club) -> None:
    await club.begin(2)
    assert "already has a game" in await answer(club.ben.slash(club.channel, "game create", title="1889"))
    unknown = await club.ben.slash(club.channel, "game create", title="1830")
    assert "I know no game called “1830”. You can play 1888-N, 1860" in text(private_answer(unknown))


@pytest.mark.parametrize(("typed", "title"), [("1888-n", "1888"), (" Shikoku 1889", "1889"), ("1890", "1890")])
async def test_a_title_is_typed_by_its_name_or_number(club: Club, typed: str, title: str) -> None:
    rule = await answer(club.aiko.slash(club.channel, "rule", words="rust", title=typed))
    assert f"{title}-" in rule
    assert "I know no game" in await answer(club.aiko.slash(club.channel, "rule", words="rust", title="1830"))
    await club.aiko.slash(club.channel, "game create", title=typed, options="as_most_people_play")
    assert (await club.game()).title == title


@pytest.mark.parametrize(("options", "offered"), [("by_the_book", True), ("beginner", False)])
async def test_what_the_lots_of_an_opening_are_is_offered_where_the_card_does_not_say_it(
    club: Club, options: str, offered: bool
) -> None:
    await club.begin(3, options=options)
    assert ("What they are" in buttons(club.packet())) == offered


async def test_news_of_an_auction_calls_privates_by_their_letters_as_the_card_has_their_names(club: Club) -> None:
    table = await club.begin(3)
    for action in (Bid(PlayerId("p1"), PrivateId("B"), 35), Bid(PlayerId("p2"), PrivateId("B"), 40)):
        await table.submit(action, user=club.who(action.by, table).id)
    assert "-# **Aiko** bids ¥35 on B.\n-# **Ben** bids ¥40 on B." in (await turn_screen(table)).text
