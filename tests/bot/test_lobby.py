"""Making a game, joining, seating, starting."""

from __future__ import annotations

from club import Club, buttons, text
from player import private_answer


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


async def test_options_are_suggested_with_what_they_do_and_those_that_exclude_each_other_are_refused(
    club: Club,
) -> None:
    host = club.members[0]
    refused = await host.slash(
        club.channel, "game create", title="1860", options="original_insolvency, simplified_insolvency"
    )
    assert "cannot be combined" in text(private_answer(refused))
    await host.slash(club.channel, "game create", title="1860", options="open_treasuries, destinations")
    shown = text(club.packet())
    assert "**Open treasuries**: Company credits are shown to all" in shown
    assert "**Destinations**" in shown
