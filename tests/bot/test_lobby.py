"""Making a game, joining, seating, starting."""

from __future__ import annotations

from club import Club, buttons, text


async def test_a_game_is_created_joined_and_started_with_buttons(club: Club) -> None:
    aiko, ben = club.members[:2]
    result = await aiko.slash(club.channel, "game create", title="1889")
    lobby = club.packet()
    assert "Shikoku 1889" in text(lobby)
    assert "Aiko" in text(lobby)
    assert set(buttons(lobby)) == {"Join", "Leave", "Start"}
    await ben.click(lobby, label="Join")
    assert "Ben" in text(club.packet())
    await aiko.click(club.packet(), label="Start")
    table = await club.table()
    assert set(table.names.values()) == {"Aiko", "Ben"}
    assert result.acknowledged
