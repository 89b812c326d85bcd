"""What each phase brings, told when it begins."""

from __future__ import annotations

import pytest
from club import Club, text
from player import answer, private_answer
from tables import table

import engine
from bot.words.lexicon import brought, lexicon
from bot.words.narration import narrate
from engine import actions as a
from engine.ids import PlayerId
from engine.viewing import phase_rows


def test_a_phase_that_begins_says_what_it_brings() -> None:
    box = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=5).operating("AR", "trains").phase("2", left_2=0)
    t, s = box.cash(AR=500).build()
    buy = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.BuyTrain) and one.rank == "3")
    names = lexicon(s.names, t)
    told = narrate(engine.apply(t, s, buy).facts, names)
    assert "*Phase 3 begins: green tiles; companies may buy privates; 2 operating rounds from the next set.*" in told


@pytest.mark.parametrize(
    ("title", "options", "expected"),
    [
        (
            "1889",
            ["beginner"],
            {
                "3": "green tiles; 2 operating rounds from the next set",
                "4": "train limit 3",
                "5": "brown tiles; train limit 2; privates close; new off-board values; "
                "3 operating rounds from the next set",
                "6": "D-trains are on sale too",
                "D": "D-trains count the highest off-board values",
            },
        ),
        (
            "1888",
            [],
            {
                "2": "",
                "3": "green tiles; companies may buy privates; companies may buy trains from one another; "
                "new off-board values; 2 operating rounds from the next set",
                "4": "train limit 3",
                "5": "brown tiles; train limit 2; privates close; new off-board values; "
                "3 operating rounds from the next set",
                "6": "",
                "7": "grey tiles; new off-board values",
            },
        ),
        (
            "1860",
            ["no_train_limit"],
            {
                "3": "green tiles; new off-board values; 2 operating rounds from the next set",
                "4": "",
                "5": "brown tiles; new off-board values; 3 operating rounds from the next set",
                "6": "Fishbourne is for sale",
                "7": "",
                "8": "no certificate limit, sales move no price",
                "9": "building ends with the next stock round",
            },
        ),
        (
            "1890",
            ["plain_kinki"],
            {
                "1½": "",
                "2": "green tiles; companies may buy privates; 2 operating rounds from the next set",
                "3": "train limit 3 (minors 1, JR 4)",
                "4": "brown tiles; train limit 2 (minors 1, JR 3); privates close; JR lays one tile a turn; "
                "new off-board values; 3 operating rounds from the next set",
                "5": "D-trains are on sale too",
                "6": "new off-board values",
            },
        ),
    ],
)
def test_each_phase_is_told_by_what_is_new(title: str, options: list[str], expected: dict[str, str]) -> None:
    assert brought(phase_rows(engine.build(title, 3, options))) == expected


@pytest.mark.rule("1889-PRV-12", "1889-PRV-13")
def test_a_private_that_a_player_may_keep_is_excepted_where_it_is_in_the_game() -> None:
    kept = "privates close, but a player keeps Uno-Takamatsu Ferry"
    for players, options, told in ((3, [], False), (4, [], True), (4, ["beginner"], False)):
        assert (kept in brought(phase_rows(engine.build("1889", players, options)))["5"]) == told


@pytest.mark.rule("1890-PHS-03", "1890-PHS-04", "1890-PHS-06")
def test_minors_that_must_join_kinki_are_named() -> None:
    told = brought(phase_rows(engine.build("1890", 3)))
    assert told["2½"] == "Osaka Electric Railroad must become Kinki"
    assert told["3"].endswith("Kanan Railway must join Kinki")
    assert told["5"].startswith("Nara Electric Railway must join Kinki")


@pytest.mark.rule("1890-VAR-07", "1890-VAR-08", "1890-VAR-14b", "1890-VAR-15", "1890-VAR-17", "1890-VAR-18")
@pytest.mark.parametrize(
    ("options", "phase", "says"),
    [
        (["eight_trains"], "5", "D-trains visit eight cities at most"),
        (["close_minors"], "5", "Kobe Electric Railway must become a late private"),
        (["incremental_float"], "5", "companies started from then on need 50 % sold"),
        (["earthquake"], "5", "one of the D-trains brings the earthquake"),
        (["air_raids"], "2½", "the last 3+3-train brings air raids"),
        (["private_jr"], "6", "JR pays in full"),
    ],
)
def test_a_phase_says_what_variants_bring_with_it(options: list[str], phase: str, says: str) -> None:
    for chosen, told in ((options, True), ([], False)):
        assert (says in brought(phase_rows(engine.build("1890", 3, chosen)))[phase]) == told


@pytest.mark.rule("1890-VAR-22")
def test_a_jr_that_pays_in_full_anyway_changes_with_no_phase() -> None:
    rows = phase_rows(engine.build("1890", 3, ["scenario_a", "private_jr", "plain_jr_dividend"]))
    assert "JR" not in brought(rows)["6"]


async def test_the_chart_is_shown_for_this_game_or_any(club: Club) -> None:
    first = club.aiko
    assert "no game in this channel" in await answer(first.slash(club.channel, "game phases"))
    assert "I know no game" in text(private_answer(await first.slash(club.channel, "game phases", title="1777")))
    assert private_answer(await first.slash(club.channel, "game phases", title="1860")).attachments
    await club.begin(3)
    assert private_answer(await first.slash(club.channel, "game phases")).attachments
    trains = private_answer(await first.slash(club.channel, "show trains"))
    assert private_answer(await first.click(trains, label="Phases")).attachments
