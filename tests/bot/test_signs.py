"""Signs: emojis of the application, drawn and uploaded once, before labels and names where Discord has them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from club import Club
from PIL import Image
from simcord.backend import errors
from simcord.http import router

import engine
from bot.chat import signs
from bot.chat.layout import view
from bot.chat.screen import Aside, Button, Screen
from bot.house import House
from bot.settings import SettingsError, from_environment

DARK, LIGHT = (49, 51, 56), (255, 255, 255)
CONTRAST = 3.0


class Portal:
    """What Discord keeps of the application's emojis."""

    def __init__(self) -> None:
        self.emojis: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.refuses = False
        self._last = 7000

    def add(self, name: str) -> dict[str, Any]:
        self._last += 1
        number = str(self._last)
        self.emojis[number] = {"id": number, "name": name, "roles": [], "require_colons": True, "animated": False}
        return self.emojis[number]

    def answer(self, method: str, number: str, body: Any) -> Any:
        self.asked.append(method)
        if self.refuses and method == "POST":
            raise errors.missing_permissions()
        if method == "POST":
            return self.add(body["name"])
        if method == "DELETE":
            del self.emojis[number]
            return None
        return {"items": list(self.emojis.values())}


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Portal:
    """SimCord has no emojis of applications: these answer in its place, after the check of every request."""
    made, dispatch = Portal(), router.dispatch

    def answered(backend: Any, method: str, path: str, *, json: Any = None, **rest: Any) -> Any:
        found = re.fullmatch(r"/applications/\d+/emojis(?:/(\d+))?", path)
        return made.answer(method, found[1], json) if found else dispatch(backend, method, path, json=json, **rest)

    monkeypatch.setattr(router, "dispatch", answered)
    return made


@pytest.fixture(autouse=True)
def none_shown() -> Iterator[None]:
    signs.SHOWN.clear()
    yield
    signs.SHOWN.clear()


@pytest.mark.long
def test_every_sign_is_what_discord_takes() -> None:
    drawn = signs.drawn()
    names = [signs.named(key, png) for key, png in drawn.items()]
    assert len(set(names)) == len(names) <= 2000
    for name, png in zip(names, drawn.values(), strict=True):
        assert re.fullmatch(r"\w{2,32}", name, re.ASCII), name
        assert signs.NAME.fullmatch(name), name
        assert len(png) < 256 * 1024
        assert Image.open(io.BytesIO(png)).size == (128, 128)


@pytest.mark.second
def test_every_company_train_and_colour_has_one() -> None:
    companies = sum(len(engine.build(title, 4).corporations) for title in engine.TITLES)
    keys = list(signs.drawn())
    assert sum(key.startswith("c_") for key in keys) == companies
    assert {"t_2", "t_D", "t_4p2", "h_yellow", "h_gray"} <= set(keys)


@pytest.mark.second
def test_signs_stand_out_on_dark_and_on_light() -> None:
    for key, png in signs.drawn().items():
        for ground in (DARK, LIGHT):
            picture = Image.new("RGB", (128, 128), ground)
            drawn = Image.open(io.BytesIO(png))
            picture.paste(drawn, mask=drawn.getchannel("A"))
            colours = picture.resize((22, 22), Image.Resampling.BOX).getcolors(484) or []
            best = max(contrast(ground, colour) for _, colour in colours)
            assert best >= CONTRAST, (key, ground, best)


def contrast(one: Any, other: Any) -> float:
    def light(colour: tuple[int, int, int]) -> float:
        linear = [(part / 255) ** 2.2 for part in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.pictures
async def test_they_are_uploaded_once_by_whoever_uploads(simcord_env: Any, simcord_bot: House, portal: Portal) -> None:
    await signs.bring(simcord_bot, upload=True)
    assert portal.asked.count("POST") == len(signs.drawn()) == len(signs.SHOWN)
    await signs.bring(simcord_bot, upload=True)
    await signs.bring(simcord_bot, upload=False)
    assert portal.asked.count("POST") == len(signs.drawn())
    assert "DELETE" not in portal.asked


@pytest.mark.pictures
async def test_a_changed_drawing_replaces_the_old_one_and_nothing_else_goes(
    simcord_env: Any, simcord_bot: House, portal: Portal
) -> None:
    portal.add("t_2_00000000")
    portal.add("party_parrot")
    await signs.bring(simcord_bot, upload=True)
    names = {one["name"] for one in portal.emojis.values()}
    assert "party_parrot" in names
    assert "t_2_00000000" not in names
    assert portal.asked.count("DELETE") == 1


@pytest.mark.pictures
async def test_where_discord_refuses_there_is_text_alone(
    simcord_env: Any, simcord_bot: House, portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    portal.refuses = True
    await signs.bring(simcord_bot, upload=True)
    assert not signs.SHOWN
    assert "signs could not be brought" in caplog.text


async def test_a_turn_shows_the_signs_of_what_it_offers(club: Club) -> None:
    signs.SHOWN.update({key: discord.PartialEmoji(name=key, id=5) for key in signs.drawn()})
    await club.begin(3, options="beginner")
    sent = str([one.json for one in club.env.http_requests])
    ko = next(key for key in signs.drawn() if key.startswith("c_KO"))
    assert f"'name': '{ko}'" in sent


def shown(screen: Screen) -> str:
    return str(view(screen).to_components())


def test_labels_and_names_keep_their_words() -> None:
    key = next(key for key in signs.drawn() if key.startswith("c_KO"))
    screen = Screen("**KO** pays.", signs={"KO": key}, asides=[Aside("**KO** runs.", Button("Undo", "undo"))])
    screen.buttons(Button("KO for ¥70", "x", sign=key))
    plain = shown(screen)
    assert "emoji" not in plain.replace("'emoji': None", "")
    signs.SHOWN[key] = discord.PartialEmoji(name="c_KO_x", id=5)
    signed = shown(screen)
    assert signed.count("<:c_KO_x:5> **KO**") == 2
    assert "'label': 'KO for ¥70'" in signed
    assert "'id': '5'" in signed or "'id': 5" in signed
    screen.text = "**KO** pays." + "x" * 3970
    assert "<:c_KO_x:5> **KO** pays" not in shown(screen)


def test_the_host_decides() -> None:
    assert not from_environment({"DISCORD_TOKEN": ""}, need_token=False).signs
    assert from_environment({"TETSUDO_SIGNS": "on"}, need_token=False).signs
    with pytest.raises(SettingsError, match="TETSUDO_SIGNS"):
        from_environment({"TETSUDO_SIGNS": "perhaps"}, need_token=False)
