"""What the things that 1890 alone has are called for people."""

from engine.ids import PrivateId
from engine.powers import SetsPar
from engine.titles.t1890.printed import KANAN, KOBE_ELECTRIC, NARA_ELECTRIC, OE, OSAKA_RAILWAY, PRIVATES
from engine.wording import Wording

_CHANGES = {
    OE: "Turn {} into Kinki",
    KANAN: "Merge {} into Kinki",
    NARA_ELECTRIC: "Merge {} into Kinki",
    KOBE_ELECTRIC: "Make {} a late private",
}
_EFFECTS = {
    OE: "Kinki gets all that {0} and M3 have, and takes a turn at once; {0}'s owner gets 20 % of Kinki.",
    KANAN: "Kinki gets the trains and half the money of {0}; {0}'s owner gets the other half, and 10 % of Kinki.",
    NARA_ELECTRIC: "Kinki gets all that {0} has; {0}'s owner gets 20 % of Kinki.",
    KOBE_ELECTRIC: "Its money and trains go back to the bank; it is worth nothing, pays nothing and does not "
    "count as a certificate.",
}
_MERGES = {
    OE: "{} becomes Kinki, which gets all that it has.",
    OSAKA_RAILWAY: "{} joins Kinki, which gets all that it has.",
    KANAN: "{} joins Kinki, which gets its trains and half of its money.",
    NARA_ELECTRIC: "{} joins Kinki, which gets all that it has.",
}
_NAMES = {minor: f"{minor} {PRIVATES[PrivateId(minor)].name}" for minor in (*_CHANGES, OSAKA_RAILWAY)}

WORDING = Wording(
    tasks={
        "set par": "set the par of the new company",
        "last tile": "lay the tile of the private just bought",
        "join": "merge into Kinki at once, or stay out for now",
        "damages": "sell shares to pay for the damage of the earthquake",
        "tigers": "roll the die for brown Nishinomiya (100, 60, 50 or 40)",
    },
    subjects={
        ("set par", str(private.id)): str(power.corp)
        for private in PRIVATES.values()
        for power in private.powers
        if isinstance(power, SetsPar)
    },
    passes={"last tile": "Lay no tile", "join": "Stay out for now"},
    skips={"last tile": "lays no tile", "join": "stays out of Kinki for now"},
    exchanges={str(minor): text.format(minor) for minor, text in _CHANGES.items()},
    exchanged={str(minor): text.format(minor) for minor, text in _EFFECTS.items()},
    rolls={"quake": "The draw for the marked D-train shows {value}; 1 is the marked one."},
    announcements={
        "air raids": "Air raids: the green tiles in and around the target cities are gone.",
        "beside": "Tokens that found no place wait beside their hexes: track can still be laid from there, and "
        "they take the next free place, or are placed elsewhere for ¥100.",
        "earthquake": "The Great Hanshin Earthquake: all tokens leave Kobe and Ashiya. Until the end of the next stock "
        "round no price moves, Hanshin earns nothing and Hankyu, JR and Sanyo half; by then each player pays damages.",
        "earthquake over": "The earthquake is over: prices move again, and Hanshin, Hankyu, JR and Sanyo earn in full.",
        "face down": "Tokens in Itami lie face down: after the next stock round each company can turn its own up again "
        "in its turn, for ¥100.",
        **{f"{minor} declared": f"{_NAMES[minor]} changes as soon as this turn is over." for minor in _CHANGES},
        **{f"{minor} merges": text.format(_NAMES[minor]) for minor, text in _MERGES.items()},
    },
    states={"a late private": "its money and trains go back to the bank, and it is worth nothing and pays nothing"},
    after_bank="the game ends with this game turn",
    company_kinds={"minor": "minors", "jr": "JR"},
    endings={"price": "A share price has reached 400.", "turns": "The last game turn is over."},
)
