"""For teaching games: what each kind of decision is for, and what people usually weigh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.rooms.learning.here import offers
from engine.actions import ExchangePrivate, GoBankrupt
from engine.title import Title


@dataclass(frozen=True, slots=True)
class Lesson:
    """A short paragraph, with places for what `lesson` says of the game; `page` is the page of help that says more."""

    text: str
    page: str


_TOO_MANY = Lesson(
    "**Too many trains.** The new phase allows fewer. People give up the train that will rust first or that adds "
    "least to the run.",
    "trainlimit",
)
LESSONS: Mapping[str, Lesson] = {
    "offer": Lesson(
        "**The opening.** Privates pay a little in every operating round, and some have a power. People weigh that "
        "income against the cash they will need: whoever has enough left can start a company. A bid secures a later "
        "private that others want, too, but its money is tied up until then.",
        "opening",
    ),
    "auction": Lesson(
        "**An auction.** Whoever is left last pays the last bid. Think what the private is worth to you before you "
        "raise, and what you could not do without the money.",
        "opening",
    ),
    "bid": Lesson(
        "**The right to choose.** The bid is gone; what you choose costs its price besides. People ask how much "
        "better their favourite is than what the others will leave them, and keep enough for the certificate they "
        "want.",
        "t1860",
    ),
    "choose": Lesson(
        "**Your choice.** Privates pay at once{share_later}; a director's certificate makes a company "
        "yours, but others must buy into it before it can begin.",
        "t1860",
    ),
    "shares": Lesson(
        "**Shares.** They earn dividends, and their price counts at the end. People ask which company will pay soon "
        "and who runs it. Starting one makes you its president: you decide, and {train_duty}. Pick a "
        "par that enough buyers can afford, so that it floats. Selling lowers the price, and what you sold you cannot "
        "buy again in this round.",
        "stock",
    ),
    "set par": Lesson(
        "**Par.** A high par brings the company more money, since it mostly gets ten times par; a low one sells "
        "faster. People think of the first trains: what must the company be able to pay?",
        "par",
    ),
    "track": Lesson(
        "**Track.** What you lay now you run with this very turn. People look for what lengthens their best route, "
        "then for cities that will matter later, and for what keeps a rival out. Terrain costs money that the next "
        "train needs.",
        "tile",
    ),
    "token": Lesson(
        "**A token.** It opens routes through a city and, once the city is full, closes it to others. There are few, "
        "and they cost money: people keep them for the cities that everybody needs.",
        "token",
    ),
    "run": Lesson(
        "**Running.** The best routes are worked out for you. What matters is what becomes of the revenue: paid out, "
        "it goes to the shareholders and the price rises; kept, it is there for the next train and the price falls.",
        "route",
    ),
    "dividend": Lesson(
        "**The dividend.** Paying is good for every shareholder and for the price. People keep the money mostly when "
        "a train must soon be bought and the company could not pay for it: otherwise {or_else}.",
        "dividend",
    ),
    "trains": Lesson(
        "**Trains.** They are what earns, and they rust. People look at which purchase begins the next phase, whose "
        "trains it ends, and whether their own will still be there for another run. A company with a route mostly "
        "must own a train, so it is worth knowing what the next one costs.",
        "rust",
    ),
    "privates": Lesson(
        "**Buying privates.** The company pays, the owner gets the money, often the president's own pocket. People "
        "weigh that against what the company needs for its next train, and remember that privates close.",
        "private",
    ),
    "discard": _TOO_MANY,
    "excess": _TOO_MANY,
    "bonus tile": Lesson(
        "**The private's tile.** It is yours to lay now and never again. People put it where it helps a company that "
        "they have shares of.",
        "tile",
    ),
    "second tile": Lesson(
        "**The second tile.** It must join the first one, and there is no later chance for it. Pass if it would spoil "
        "a place you want for something better.",
        "t1888",
    ),
    "home tile": Lesson(
        "**The home tile.** It is free. Turn its track to where the company can earn soonest.",
        "tile",
    ),
    "join": Lesson(
        "**Joining Kinki.** You give up a minor, which pays you half its revenue, for shares of a bigger company. "
        "People compare the two incomes, and ask whether they would be president.",
        "t1890",
    ),
    "damages": Lesson(
        "**The damage.** Sell what will earn you least, and mind which presidencies you lose.",
        "t1890",
    ),
}
"""By the step that asks; a chance draw has none."""


def lesson(kind: str, title: Title) -> str:
    """The paragraph on a kind of decision, as the game has it."""
    pays = offers(title, GoBankrupt)
    return LESSONS[kind].text.format(
        train_duty="may have to pay for its train" if pays else "what it owes is never yours to pay",
        or_else="its president would have to" if pays else "it becomes insolvent and leases one",
        share_later=" and bring a share later" if offers(title, ExchangePrivate) else "",
    )
