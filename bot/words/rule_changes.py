"""What changed rules mean for a game, and that one that waited for its host was ended: what is stored, in sentences."""

from dataclasses import dataclass
from typing import Literal

from bot.words.lexicon import bold, listed
from engine import Title

Way = Literal["stored", "as played", "cut", "elsewhere", "none"]
"""From the stored position; by the moves as they were played; by as many of them as can be; by the moves although they
lead away from the stored position, which cannot be played on; or not at all."""
Kind = Literal["differs", "refused", "gone", "impossible"]
"""It leads elsewhere, a rule refuses it now, there is no such action, or it fails otherwise."""
HOW: dict[Way, str] = {
    "stored": "the game goes on from where it stood, everything played so far counts, and undo stops here",
    "as played": "its moves stand as they were played, and undo stops here",
    "cut": "its last {} moves cannot be kept, so it goes on from before them",
    "elsewhere": "its moves stand, but now lead to a different position",
    "none": "the game cannot go on under these rules",
}
ANEW = (
    "all its moves are kept and were done once more under these rules, so money, prices or whose turn it is may differ "
    "from what was last shown, and undo stops here"
)
"""Instead of "as played", unless it is known that the moves lead where they led."""
WORDS = {
    "cash": "money",
    "shares": "shares",
    "president": "presidents",
    "cell": "share prices",
    "trains": "trains",
    "depot": "trains in the bank",
    "owner": "privates",
    "placed": "track",
    "stations": "tokens",
    "phase": "phase",
    "round": "round",
    "up": "turn",
    "over": "end",
}
"""Fields of a position as players call them; what is secret is not in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What is known of a change of the rules under a game. It is stored, so its fields stay as they are."""

    seq: int
    """The first row that no longer leads where it led."""
    move: int
    """The number of its move."""
    misfit: Kind
    """Why it does not."""
    rule: str = ""
    """The ID of the rule that refuses it."""
    fields: tuple[str, ...] = ()
    """What of the position would be different, by the names of its fields."""
    since: int
    """The revision of the rules by which the row was accepted."""
    until: int
    """The revision at the change."""
    way: Way
    lost: int = 0
    """How many moves cannot be carried over."""
    anew: bool = False
    """Whether nobody knows that the moves lead where they led."""


def changed(one: Changed, title: Title, player: str, told: str) -> str:
    """What the change means: the player's move that no longer fits, as it was `told`, and how the game goes on."""
    move = f"move {one.move}, “{told}”," if told else f"move {one.move} by {bold(player)}"
    what = {
        "differs": f"after {move} the position would now be different",
        "refused": f"{move} would no longer be allowed [{one.rule}]",
        "gone": f"{move} no longer exists",
        "impossible": f"{move} is no longer possible",
    }[one.misfit]
    words = [WORDS[name] for name in one.fields if name in WORDS]
    about = f" ({listed(words)})" if words else ""
    revisions = title.changes[one.since - 1 : one.until - 1]
    since = f" ({'; '.join(revisions)})" if revisions else ""
    how = ANEW if one.way == "as played" and one.anew else HOW[one.way].format(one.lost)
    return f"The rules of {title.name} have changed{since}: {what}{about}; {how}."


def ended(moderator: int | None) -> str:
    """That a game was ended where it stood, by its table or by a moderator."""
    if moderator is None:
        return "The table agreed to end the game where it stood."
    return f"<@{moderator}>, a moderator, ended the game where it stood."
