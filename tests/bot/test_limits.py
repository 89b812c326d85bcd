"""Discord's limits, so that no release breaks registration or a message."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from club import Club, payload, walk
from discord import app_commands

from bot.chat.codes import LIMIT, action_code
from bot.chat.layout import view
from bot.chat.screen import MAX_COMPONENTS, MAX_OPTIONS, MAX_TEXT, Button, Option, Screen
from bot.house import House
from engine import actions as a
from engine.action_json import LARGEST
from engine.ids import CorpId, HexId, PlayerId, PrivateId, Rank, StopId, TileId

NAME, DESCRIPTION, TOTAL, GROUP, COMMANDS = 32, 100, 8000, 25, 100
ROOM = 4
"""Places that are to stay free in every group, for what is to come."""


def length(node: dict[str, Any]) -> int:
    """What Discord counts against the 8,000 characters of one command."""
    own = len(node.get("name", "")) + len(node.get("description", "")) + len(str(node.get("value", "")))
    return own + sum(length(one) for key in ("options", "choices") for one in node.get(key) or [])


def check_command(node: dict[str, Any]) -> None:
    assert 1 <= len(node["name"]) <= NAME, node["name"]
    assert node["name"] == node["name"].lower()
    if "value" not in node:
        assert 1 <= len(node["description"]) <= DESCRIPTION, node["name"]
        assert not {"`", "*"} & {*node["description"]}, "Discord shows marks there as they are"
    assert len(node.get("options") or []) <= GROUP, node["name"]
    assert len(node.get("choices") or []) <= GROUP, node["name"]
    for choice in node.get("choices") or []:
        assert len(choice["name"]) <= 100
        assert len(str(choice["value"])) <= 100
    for option in node.get("options") or []:
        check_command(option)


@pytest.mark.pictures
def test_the_command_tree_is_within_the_limits(simcord_env: Any) -> None:
    bot: House = simcord_env.bot
    tree = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    assert len(tree) <= 100
    for command in tree:
        check_command(command)
        assert length(command) <= TOTAL, command["name"]
    names = {command["name"] for command in tree}
    assert {"game", "stock", "private", "train", "bid", "lay", "token", "run", "dividend", "pass", "turns"} <= names


@pytest.mark.pictures
def test_no_privileged_intents_are_asked_for(simcord_env: Any) -> None:
    intents = simcord_env.bot.intents
    assert not (intents.members)
    assert not (intents.presences)
    assert not (intents.message_content)


@pytest.mark.parametrize(
    "action",
    [
        a.LayTile(PlayerId("p7"), CorpId("WWWWW"), HexId("AA-10"), TileId("LONGTILE12"), 5),
        a.BuyTrain(PlayerId("p7"), CorpId("WWWWW"), Rank("10+10"), "WWWWX", LARGEST, Rank("10+10")),
        a.CompanyBuysPrivate(PlayerId("p7"), CorpId("WWWWW"), PrivateId("LONG12"), LARGEST),
        a.PlaceToken(PlayerId("p7"), CorpId("WWWWW"), StopId("AA-10.12")),
        a.RunTrains(PlayerId("p7"), CorpId("WWWWW"), tuple(a.Route(Rank("D"), (1, 2, 3) * 100) for _ in range(5))),
    ],
)
async def test_the_longest_codes_fit_an_id(action: a.Action) -> None:
    screen = Screen("x", game="0123456789abcdef", seq=9999999)
    screen.buttons(Button("x", action_code(action)))
    for one in walk(list(view_payload(screen))):
        assert len(one.get("custom_id") or "") <= LIMIT


def view_payload(screen: Screen) -> list[dict[str, Any]]:
    return view(screen).to_components()


async def test_long_texts_and_lists_are_cut_to_what_discord_takes() -> None:
    screen = Screen("y" * 9000, footer="z" * 300, game="g", seq=1)
    screen.select("all", "h" * 300, [Option("l" * 300, f"c{n}", "n" * 300) for n in range(90)])
    screen.buttons(*(Button("b" * 200, f"b{n}") for n in range(12)))
    found = list(walk(view_payload(screen)))
    assert len(found) <= MAX_COMPONENTS
    assert sum(len(one.get("content", "")) for one in found) <= MAX_TEXT
    for one in found:
        assert len(one.get("options") or []) <= MAX_OPTIONS
        assert len(one.get("label") or "") <= 80
        for option in one.get("options") or []:
            assert len(option["label"]) <= 100
            assert len(option.get("description") or "") <= 100


async def test_a_turn_packet_has_alt_text_and_few_components(club: Club) -> None:
    await club.begin(6)
    found = list(walk(payload(club.packet())))
    assert len([one for one in found if "type" in one]) <= MAX_COMPONENTS
    pictures = [one for one in found if "media" in one]
    assert len(pictures) == 1
    assert all(one.get("description") for one in pictures)


@pytest.mark.pictures
async def test_groups_have_room_for_more(club: Club) -> None:
    commands = club.bot.tree.get_commands(type=discord.AppCommandType.chat_input)
    left = {group.name: GROUP - len(group.commands) for group in commands if isinstance(group, app_commands.Group)}
    assert {"game", "show", "my", "seat"} <= set(left)
    assert min(left.values()) >= ROOM, left
    assert len(commands) <= COMMANDS // 4
