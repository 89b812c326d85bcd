"""What happened, in short sentences for the channel.

One function per kind of fact, found by its type. Cash movements are covered by the facts that cause them;
only the income of privates is gathered into a line of its own.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from bot.words.lexicon import SHARE_SOURCES, TRAIN_SOURCES, Lexicon, listed
from engine import facts as f
from engine.ids import BANK, IPO, POOL, a_rank, split_stop, stops_of

HOW = {
    "host": "by the host",
    "moderator": "by a moderator",
    "cautious": "by the bot, cautiously",
    "ahead": "by the bot",
    "voted": "passed by the others",
    "agreed": "agreed by all",
    "imported": "imported",
    "suggested": "after a suggestion",
    "drawn": "drawn by chance",
    "standing": "standing pass",
    "forced": "nothing else to do",
}
"""How a move came about that its player did not simply make."""
SKIPS = {
    "auction": "drops out",
    "bonus tile": "lays no tile",
    "track": "lays no track",
    "token": "places no token",
    "run": "runs no trains",
    "trains": "buys no more trains",
    "privates": "is done with privates",
}
TURN_ENDED = "{} ends the turn."
"""A pass after a purchase or a sale, of which a game tells nothing: it is all that is told of in no other words."""
LONG = 90
MOVES = {
    "sold": ("falls to", "because shares were sold"),
    "dividend": ("rises to", "after the dividend"),
    "no dividend": ("falls to", "because it paid no dividend"),
    "sold out": ("rises to", "because it is sold out"),
}
"""By why a price moves: what it does, and the reason, left out beside the sentence that tells it."""
STAYS = {
    "sold": "although shares were sold",
    "dividend": "after the dividend",
    "no dividend": "although it paid no dividend",
    "sold out": "although it is sold out",
}
"""By why a price would move: what is said of one that cannot."""
PAYMENTS = {
    "bid": "{source} wins the auction with {amount}.",
    "subsidy": "{target} receives a subsidy of {amount}.",
    "destination": "{target} receives {amount} for reaching a destination.",
    "bonus": "{target} receives a bonus of {amount}.",
    "land": "{target} earns {amount} from land along the new track.",
    "damages": "{source} pays {amount} for the damage.",
    "half": "{target} gets {amount}, half of {source}'s money.",
}
"""Payments that no other fact mentions, by `CashMoved.why`."""
OF_TRACK = (f.TileLaid, f.TileRemoved, f.TokenPlaced, f.TokenReturned, f.PassageGained)
"""What happens to tiles and tokens."""
BUYS = "{who} buys {what} from {source} for {price}."
TAKES = "{who} takes {what} from {source}."
CHOSE_SHARE = "{who} buys {what} for {price}."
STARTS = "{player} starts **{corp}** at a par of {price}"
ROUNDS = {"ISR": "Initial stock round", "SR": "Stock round", "OR": "Operating round"}
ENDINGS = {
    "bank": "The bank is broken and the last operating round is over.",
    "bankrupt": "A bankruptcy ends the game.",
    "agreed": "The game was ended where it stood.",
    "stuck": "Nobody can do anything any more, and nothing more will be paid.",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about what happened."""

    text: str
    track: bool = False
    """Whether it tells of tiles or tokens."""
    short: str = ""
    """The same without its details, if it has any."""
    event: bool = False
    """Whether it is something like an earthquake or a bankruptcy, which says more than all that it changes."""

    @property
    def brief(self) -> str:
        """Without its details if it is long, as a card tells them."""
        return self.short if self.short and len(self.text) > LONG else self.text

    def noted(self, how: str) -> "Sentence":
        text, short = (f"{one} *({how})*" if one else "" for one in (self.text, self.short))
        return replace(self, text=text, short=short)

    @property
    def clause(self) -> str:
        """Without its details and its full stop, for a longer sentence."""
        return clause(self.short or self.text)


def narrate(facts: Iterable[f.Fact], names: Lexicon, company: str = "") -> list[str]:
    """One line for each thing worth saying, in order, with Discord's formatting.

    `company` is the one whose turn it was, for what its president declined.
    """
    return [line.text for line in lines_of(facts, names, company)]


def lines_of(facts: Iterable[f.Fact], names: Lexicon, company: str = "", *, chosen: bool = False) -> list[Sentence]:
    """As `narrate`, with what each line is about; `chosen`: as whoever has just chosen it is told."""
    lines: list[Sentence] = []
    income: dict[str, int] = {}
    closed: list[str] = []
    paid_at = 0
    started: f.ParSet | None = None
    facts = list(facts)
    told = {_reason(fact) for fact in facts}
    begun = {fact.corp for fact in facts if isinstance(fact, f.ParSet)}
    for fact in facts:
        if started is not None and isinstance(fact, f.SharesMoved) and fact.corp == started.corp:
            for_price = f" for {names.money(fact.price)}" if fact.price else ""
            takes = f"{names.filled(STARTS, started)} and takes {names.percent(fact.corp, fact.count)}{for_price}."
            lines[-1] = Sentence(takes)
            started = None
            continue
        if isinstance(fact, f.Floated) and not fact.capital and fact.corp in begun:
            continue  # it lives on the shares that it sells
        started = fact if isinstance(fact, f.ParSet) else None if isinstance(fact, f.SharesMoved) else started
        if isinstance(fact, f.CashMoved):
            if fact.why == "private income":
                paid_at = paid_at if income else len(lines)
                income[fact.target] = income.get(fact.target, 0) + fact.amount
            elif fact.why in PAYMENTS:
                source, target = names.holder(fact.source), names.holder(fact.target)
                paid = PAYMENTS[fact.why].format(source=source, target=target, amount=names.money(fact.amount))
                lines.append(Sentence(paid))
            continue
        closed = [*closed, names.private(fact.private)] if isinstance(fact, f.PrivateClosed) else []
        if len(closed) > 1:
            lines[-1] = Sentence(f"{listed(closed)} close.")
            continue
        if isinstance(fact, f.Passed) and company and (skipped := _skipped(fact, names)):
            lines.append(Sentence(f"**{company}** {skipped}."))
            continue
        if isinstance(fact, f.PriceMoved) and (fact.corp, fact.why) in told:
            lines.append(Sentence(_price(fact, names, because=False)))
            continue
        line = _told(fact, names, chosen)
        if line:
            plain_fact = replace(fact, **DETAILS.get(type(fact), {}))
            short = "" if plain_fact == fact else _told(plain_fact, names, chosen)
            event = isinstance(fact, f.Announced) or (isinstance(fact, f.CompanyChanged) and fact.now)
            lines.append(Sentence(line, isinstance(fact, OF_TRACK), short, event))
    if income:
        paid = ", ".join(f"{names.holder(who)} {names.money(amount)}" for who, amount in income.items())
        lines.insert(paid_at, Sentence(f"Private companies pay {paid}."))
    return lines


def _told(fact: f.Fact, names: Lexicon, chosen: bool) -> str:
    teller = (CHOSEN if chosen else TELLERS).get(type(fact)) or TELLERS.get(type(fact), type(fact).__name__)
    return names.filled(teller, fact) if isinstance(teller, str) else teller(fact, names)


def gathered(lines: Iterable[str]) -> list[str]:
    """The lines, with one for what was told several times in a row: "... buys a 2-train ... *(3 times)*"."""
    counted = ((line, len(list(same))) for line, same in groupby(lines))
    return [line if count == 1 else f"{line} *({count} times)*" for line, count in counted]


def plain(words: str) -> str:
    """The words without Discord's formatting."""
    return re.sub(r"[*`\\]", "", words)


def latest(lines: Sequence[str], most: int) -> list[str]:
    """The last lines, so many at most; of more it is said where they are."""
    hidden = len(lines) - most
    return [f"… {hidden} more in `/game history`", *lines[-most:]] if hidden > 0 else list(lines)


def clause(text: str) -> str:
    """The sentence without its full stop, for a longer one."""
    return f"{text[:-2]}*" if text.endswith(".*") else text.rstrip(".")


def _skipped(fact: f.Passed, n: Lexicon) -> str:
    return "lays no more track" if fact.more else n.own.skips.get(fact.step) or SKIPS.get(fact.step, "")


def _passed(fact: f.Passed, n: Lexicon) -> str:
    told = f"{n.player(fact.player)} {_skipped(fact, n) or 'passes'}."
    return f"{told} *({HOW['forced']})*" if fact.forced else told


def _auction(fact: f.AuctionBegan, n: Lexicon) -> str:
    return f"{n.private(fact.private)} is auctioned between {listed(n.player(who) for who in fact.bidders)}."


def _private_sold(fact: f.PrivateSold, n: Lexicon) -> str:
    if fact.target == BANK:
        return f"{n.holder(fact.source)} sells {n.private(fact.private)} to the bank for {n.money(fact.price)}."
    seller = "" if fact.source == BANK else f" from {n.holder(fact.source)}"
    return f"{n.holder(fact.target)} buys {n.private(fact.private)}{seller} for {n.money(fact.price)}."


def _shares(fact: f.SharesMoved, n: Lexicon, *, chosen: bool = False) -> str:
    what = f"{n.percent(fact.corp, fact.count)} of **{fact.corp}**"
    for_price = f" for {n.money(fact.price)}" if fact.price else ""
    if fact.target == POOL:
        return f"{n.holder(fact.source)} sells {what}{for_price}."
    if fact.target == IPO:
        source = SHARE_SOURCES.get(fact.source) or n.holder(fact.source)
        return f"{what} goes from {source} back to the initial offering."
    if fact.source in SHARE_SOURCES:
        told = TAKES if not fact.price else CHOSE_SHARE if chosen else BUYS
        source, price = SHARE_SOURCES[fact.source], n.money(fact.price)
        return told.format(who=n.holder(fact.target), what=what, source=source, price=price)
    return f"{what} goes from {n.holder(fact.source)} to {n.holder(fact.target)}{for_price}."


def _president(fact: f.PresidentChanged, n: Lexicon) -> str:
    if fact.target == POOL:
        meaning = n.own.states.get("leaderless")
        alone = f"; {meaning}" if meaning else ""
        return f"**{fact.corp}** has no {n.own.head}: the {n.own.head}'s certificate is in the open market{alone}."
    return f"{n.holder(fact.target)} becomes {n.own.head} of **{fact.corp}**."


def _reason(fact: f.Fact) -> tuple[str, str]:
    """The company whose price this moves, and why, where its own sentence says so much."""
    if isinstance(fact, f.SharesMoved) and fact.target == POOL:
        return fact.corp, "sold"
    if isinstance(fact, f.DividendDecided):
        return fact.corp, "dividend" if fact.per_share else "no dividend"
    return "", ""


def _price(fact: f.PriceMoved, n: Lexicon, *, because: bool = True) -> str:
    moves, reason = MOVES[fact.why] if fact.source != fact.target else ("stays at", STAYS[fact.why])
    return f"**{fact.corp}** {moves} {n.money(fact.price)}{f' {reason}' if because else ''}."


def _changed(fact: f.CompanyChanged, n: Lexicon) -> str:
    if fact.state == "closed" and fact.corp in n.privates:  # a minor, whose private closes with it
        return ""
    meaning = n.own.states.get(fact.state)
    told = f": {meaning}" if fact.now and meaning else ""
    return f"**{fact.corp}** is {'now' if fact.now else 'no longer'} {fact.state}{told}."


def _announced(fact: f.Announced, n: Lexicon) -> str:
    said = n.own.announcements.get(fact.what, f"{fact.what.capitalize()}.")
    return f"*{said}*" if said else ""


def _tile(fact: f.TileLaid, n: Lexicon) -> str:
    cost = f" for {n.money(fact.cost)}" if fact.cost else ""
    using = f" with {n.private(fact.private)}" if fact.private else ""
    return f"{n.holder(fact.by)} lays tile {n.tile(fact.tile)} on {n.hex(fact.hex)}{using}{cost}."


def _token(fact: f.TokenPlaced, n: Lexicon) -> str:
    if fact.home:
        return f"**{fact.corp}** places its home token on {n.stop(fact.stop)}."
    cost = f" for {n.money(fact.cost)}" if fact.cost else ""
    does = "puts a token back on" if fact.back else "places a token on"
    return f"**{fact.corp}** {does} {n.stop(fact.stop)}{cost}."


def _passage(fact: f.PassageGained, n: Lexicon) -> str:
    cost = f" for {n.money(fact.cost)}" if fact.cost else ""
    return f"**{fact.corp}** may pass the token of {n.private(fact.private)}{cost}."


def _ran(fact: f.TrainsRan, n: Lexicon) -> str:
    if not fact.routes and not fact.revenue:
        return f"**{fact.corp}** runs no trains."
    runs = f"**{fact.corp}** runs{' a leased train' if fact.leased else ''} for {n.money(fact.revenue)}"
    if not fact.routes:  # a lease that needs no route, or a revenue that a record states, may earn all the same
        return f"{runs}."
    each = "; ".join(f"{route.train}-train {tour(route.path, n)} {n.money(value)}" for route, value in fact.routes)
    return f"{runs} ({each})."


def tour(path: Iterable[object], n: Lexicon) -> str:
    """The two ends of a route by name, and at how many places it stops or may: "Kotohira to Imabari (3 stops)"."""
    stops = stops_of(path)
    hexes = [split_stop(one)[0] for one in stops]
    ends = " to ".join(dict.fromkeys(n.places.get(one, one) for one in (hexes[0], hexes[-1])))
    if len(set(hexes)) == 1:
        ends = f"in {ends} alone"
    elif hexes[0] == hexes[-1]:
        ends += " and back"
    return f"{ends} ({len(stops)} {n.own.stop}s)"


def _dividend(fact: f.DividendDecided, n: Lexicon) -> str:
    if fact.per_share:
        rest = fact.revenue - fact.per_share * n.shares.get(fact.corp, 10)
        keeps = f" and keeps {n.money(rest)}" if rest > 0 else ""
        return f"**{fact.corp}** pays {n.money(fact.per_share)} a share{keeps}."
    if fact.revenue and fact.kind == "half":
        return f"**{fact.corp}** pays half of {n.money(fact.revenue)} to its owner and keeps the other half."
    if fact.revenue:
        return f"**{fact.corp}** withholds {n.money(fact.revenue)}."
    return f"**{fact.corp}** pays nothing."


def _train(fact: f.TrainBought, n: Lexicon, *, chosen: bool = False) -> str:
    seller = TRAIN_SOURCES.get(fact.source, f"**{fact.source}**")
    source = "" if chosen and fact.source == POOL else f" from {seller}"
    traded = f", trading in {a_rank(fact.trade_in)}" if fact.trade_in else ""
    helped = f"; the {n.own.head} adds {n.money(fact.contribution)}" if fact.contribution else ""
    price = "an undisclosed price" if fact.secret else n.money(fact.price)
    return f"**{fact.corp}** buys {a_rank(fact.rank)}-train{source} for {price}{traded}{helped}."


def _removed(fact: f.TileRemoved, n: Lexicon) -> str:
    left = f", leaving tile {n.tile(fact.left)}" if fact.left else ""
    return f"Tile {n.tile(fact.tile)} is removed from {n.hex(fact.hex)}{left}."


def _rolled(fact: f.DieRolled, n: Lexicon) -> str:
    if fact.why in n.own.rolls:
        return n.own.rolls[fact.why].format(value=fact.value)
    earned = f": **{fact.corp}** earns {n.money(fact.revenue)}" if fact.corp else ""
    return f"The die shows {fact.value}{earned}."


def _rusted(fact: f.TrainsRusted, n: Lexicon) -> str:
    owners = listed(dict.fromkeys(n.holder(owner) for owner in fact.owners))
    lost = f" ({owners})" if owners else ""
    return f"All {fact.rank}-trains rust and leave the game{lost}."


def _phase(fact: f.PhaseBegan, n: Lexicon) -> str:
    brings = n.phases.get(fact.phase)
    return f"*Phase {fact.phase} begins: {brings}.*" if brings else f"*Phase {fact.phase} begins.*"


def _round(fact: f.RoundBegan, n: Lexicon) -> str:
    name = ROUNDS.get(fact.round, fact.round)
    number = f"{fact.turn}.{fact.number}" if fact.round == "OR" else str(fact.turn)
    return f"*{name} {number}*" if fact.round in ROUNDS else f"*{name}*"


def _dealt(fact: f.Dealt, n: Lexicon) -> str:
    pairs = zip(n.names, fact.privates, strict=False)
    return "Dealt: " + ", ".join(f"{n.player(seat)} {n.private(private)}" for seat, private in pairs) + "."


def _ended(fact: f.GameEnded, n: Lexicon) -> str:
    places = ", ".join(f"{n.player(seat)} {n.money(worth)}" for seat, worth in fact.scores)
    return f"{ending(fact.reason, n)} Final worth: {places}."


def ending(reason: str, n: Lexicon) -> str:
    return n.own.endings.get(reason) or ENDINGS.get(reason, "The game is over.")


TELLERS: dict[type[f.Fact], str | Callable[[Any, Lexicon], str]] = {
    f.Passed: _passed,
    f.BidMade: "{player} bids {amount} on {private}.",
    f.RightBid: "{player} bids {amount} for the right to choose.",
    f.AuctionBegan: _auction,
    f.PriceLowered: "{private} now costs {price}.",
    f.PrivateSold: _private_sold,
    f.PrivateClosed: "{private} closes.",
    f.PrivatePays: "{private} pays {revenue} from now on.",
    f.ParSet: f"{STARTS}.",
    f.SharesMoved: _shares,
    f.PresidentChanged: _president,
    f.Floated: lambda fact, n: f"**{fact.corp}** floats{f' with {n.money(fact.capital)}' if fact.capital else ''}.",
    f.CompanyChanged: _changed,
    f.Announced: _announced,
    f.PriceMoved: _price,
    f.TileLaid: _tile,
    f.TokenPlaced: _token,
    f.TrainsRan: _ran,
    f.PassageGained: _passage,
    f.TileRemoved: _removed,
    f.TokenReturned: "The token of **{corp}** returns from {hex}.",
    f.DieRolled: _rolled,
    f.DividendDecided: _dividend,
    f.TrainBought: _train,
    f.TrainDiscarded: lambda fact, n: f"**{fact.corp}** discards {a_rank(fact.rank)}-train.",
    f.TrainExported: "A {rank}-train is exported: it leaves the game.",
    f.TrainsRusted: _rusted,
    f.PhaseBegan: _phase,
    f.RoundBegan: _round,
    f.TurnBegan: "",
    f.TokenGone: "",
    f.Dealt: _dealt,
    f.BankBroke: lambda fact, n: f"**The bank is broken:** payments go on, and {n.own.after_bank}.",
    f.WentBankrupt: "{player} is bankrupt.",
    f.GameEnded: _ended,
}
CHOSEN: dict[type[f.Fact], Callable[[Any, Lexicon], str]] = {
    f.SharesMoved: partial(_shares, chosen=True),
    f.TrainBought: partial(_train, chosen=True),
}
"""Instead of those, to whoever has just chosen it: without from which pile it came."""
DETAILS: dict[type[f.Fact], dict[str, Any]] = {f.TrainsRan: {"routes": ()}, f.TrainsRusted: {"owners": ()}}
"""What may be left out of a sentence: the fields of its fact, as they are without."""
