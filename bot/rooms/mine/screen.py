"""What a person has set for themself, in one place: their zone, quiet hours, where they are told, and absences."""

from __future__ import annotations

from bot.chat import codes
from bot.chat.screen import Button, Option, Screen
from bot.core.hours import likely, local
from bot.core.person import WHERE, Person, Where
from bot.core.written import written_week

TOLD: dict[Where, str] = {
    "channel": "in the game's channel",
    "dm": "by direct message",
    "both": "in the channel and by direct message",
    "digest": "only once a day, all games together, by direct message",
}
AFTER = (6, 12, 24, 36, 48, 72, 96, 168)
"""Hours until the first reminder that can be chosen."""
AWAY_NOW, AWAY_LATER = "You are away", "You will be away"
KEPT = "✓ Kept."


def mine_screen(person: Person, now: int, locale: str = "", done: str = "") -> Screen:
    """Everything that the person has set, with what changes it."""
    lines = [done] if done else []
    lines += ["### Yours, at every table", _zone_line(person, now), _quiet_line(person), _told_line(person)]
    if person.closed and person.where in ("dm", "both"):
        lines.append("-# I cannot send you direct messages: allow them from members of our server, then choose again.")
    lines += [away_line(person, now), *_muted_line(person)]
    screen = Screen("\n".join(lines))
    screen.select("where", f"Told {TOLD[person.where]}", [_option("where", one, TOLD[one]) for one in WHERE])
    if person.where == "digest":
        hours = [_option("digest", str(hour), f"at {_hour(person, hour)}") for hour in range(24)]
        screen.select("digest", f"Every day at {_hour(person, person.digest)}", hours)
    else:
        hours = [_option("after", str(one), f"after {one} h") for one in AFTER]
        screen.select("after", f"First reminder after {person.after} h", hours)
    guess = likely(locale)
    buttons = [Button(f"My zone is {guess}", codes.join("mine", "zone", guess), "primary")]
    buttons = buttons if guess and not person.zone else []
    back = [Button("I am back", codes.join("mine", "back"), "success")] if person.away is not None else []
    away = Button("Away…", codes.join("mine", "away"))
    screen.buttons(*buttons, Button("Quiet hours…", codes.join("mine", "quiet")), away, *back)
    return screen


def _option(word: str, value: str, label: str) -> Option:
    return Option(label[0].upper() + label[1:], codes.join("mine", word, value))


def _zone_line(person: Person, now: int) -> str:
    if not person.zone:
        return "**Time zone:** not known. `/my settings zone:` sets it, so that nobody pings you at night."
    return f"**Time zone:** {person.zone}, where it is {local(person.zone, now):%H:%M} now."


def _quiet_line(person: Person) -> str:
    written = written_week(person.quiet).replace("\n", ", ")
    if written == "none":
        return "**Quiet hours:** none."
    return f"**Quiet hours:** {written}. You are not pinged then, and at *Steady* tables your time stands still."


def _told_line(person: Person) -> str:
    if person.where == "digest":
        why = "" if person.zone else ", as long as your time zone is not known"
        return f"**Told** {TOLD['digest']}, at {_hour(person, person.digest)}{why}."
    return f"**Told** {TOLD[person.where]}; at *Gentle* tables reminded after {person.after} h, and as often again."


def _hour(person: Person, hour: int) -> str:
    """The hour of a digest: theirs, or UTC for somebody whose zone is not known."""
    return f"{hour}:00" if person.zone else f"{hour}:00 UTC"


def away_line(person: Person, now: int) -> str:
    """Whether and until when the person is away, for themself."""
    if person.away is None:
        return "**Away:** no."
    begin = "" if person.away[0] <= now else f" from <t:{person.away[0]}:f>"
    end = "until you are back" if person.away[1] is None else f"until <t:{person.away[1]}:f>"
    kept = (
        "You are not pinged, your clocks stand still, and your seats are kept, for 14 days in all (*Fast* tables: 7)."
    )
    return f"**Away:**{begin} {end}. {kept} Your next move ends it."


def _muted_line(person: Person) -> list[str]:
    """Because of whom and of which games the person is not pinged."""
    muted = [f"<@{one}>" for one in person.muted_people] + [f"game {one}" for one in person.muted_games]
    if not muted:
        return []
    return [f"**Muted:** {', '.join(muted)}. You are pinged for your turns alone; `/my mute off:True` lifts it."]
