"""A person's note in a game: kept for them alone, whichever database keeps it."""

from typing import Any

import pytest
from club import Club, text
from player import answer, private_answer, tool

from storage import Store, UnknownGame


async def write(member: Any, hand: Any, words: str) -> str:
    """Write the note down, from *My hand*; what is answered."""
    form = await member.click(hand, label="Note…")
    return text(private_answer(await member.submit_modal(form, {"note": words})))


async def test_a_note_stands_in_the_hand_of_its_writer_alone_until_they_empty_it(club: Club) -> None:
    await club.begin(2)
    hand = private_answer(await tool(club.aiko, club.packet(), "My hand"))
    assert "**Your note**\n> Sell AR\n> before phase 4" in await write(club.aiko, hand, "Sell AR\nbefore phase 4")
    assert "phase 4" not in text(private_answer(await tool(club.ben, club.packet(), "My hand")))
    again = private_answer(await tool(club.aiko, club.packet(), "My hand"))
    form: Any = await club.aiko.click(again, label="Note…")
    assert "before phase 4" in str(form.modal), "the form has what is kept"
    assert "Your note" not in await write(club.aiko, again, "  ")
    assert "phase 4" not in str([one.json for one in club.env.http_requests if one.path.startswith("/channels")])


async def test_whoever_has_no_seat_has_no_note(club: Club) -> None:
    await club.begin(2)
    hand = private_answer(await tool(club.aiko, club.packet(), "My hand"))
    await club.leave(club.aiko)
    assert "no seat" in await answer(club.aiko.click(hand, label="Note…"))


async def test_notes_are_by_game_and_person(store: Store) -> None:
    games = [await store.create_game(channel_id=number, host_id=1, title="1889") for number in (1, 2)]
    for number, game in enumerate(games):
        await store.notes.write(game.id, 5, f"note {number}")
    await store.notes.write(games[0].id, 6, "mine")
    assert [await store.notes.of(games[0].id, user) for user in (5, 6, 7)] == ["note 0", "mine", ""]
    await store.notes.write(games[0].id, 5, "")
    assert [await store.notes.of(game.id, 5) for game in games] == ["", "note 1"]
    with pytest.raises(UnknownGame):
        await store.notes.write("nogame", 5, "x")
