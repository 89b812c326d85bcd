"""Programs in sentences: what one does and when it stops, and why one stopped. For its owner alone."""

from collections.abc import Callable, Mapping
from typing import Any

import programs
from bot.words.lexicon import Lexicon, bold, listed
from engine.actions import PHRASES, LayTile
from programs import Cause, Follow, Newer, Operate, Program
from programs.stock import From

WATCHES: Mapping[programs.Watched, str] = {
    "sale": "another player's sale",
    "purchase": "another player's purchase",
    "company": "a new company",
    "presidency": "a change of presidency",
    "standing": "a rival one share from your presidency",
    "outbid": "a bid above yours",
    "rust": "a train of yours that rusts",
    "price": "a price above your limit",
    "blocked": "something the rules do not allow",
}
"""What a program may stop for. Shares and presidencies are those of companies that concern its owner."""
OWN = "a change of your presidency"
"""The same where no other presidency concerns them."""
NAMES: Mapping[str, str] = {
    "buy": "Buy shares",
    "sell": "Sell shares",
    "pass": "Pass",
    "bid": "Bid on a private",
    "right": "Bid for the right to choose",
    "operate": "Run a company",
    "answer": "Answer offers",
    "follow": "Play my line",
    "run out": "Run it out",
    "newer": "A newer program",
}
"""What each kind is called in a list."""
BUY_PRIVATE = "Buy a private"
"""What bidding on a private is called where the bank asks a fixed price."""
ABOUT: Mapping[str, str] = {"operate": "Run {}", "buy": "Buy {}", "sell": "Sell {}"}
"""The same where it is for one company; else its name follows."""
PLACES: Mapping[From, str] = {"any": "", "ipo": " from the initial offering", "pool": " from the open market"}
SHORT: Mapping[str, str] = {
    "sale": "Pass till a sale",
    "round": "Pass this round",
    "idle": "Pass when I can’t buy",
    "float": "{corp} every turn until it floats",
    "again": "{corp} every turn",
    "run": "Run and pay every turn",
    "withhold": "Withhold once",
    "rest": "Only run from now on",
}
"""What is switched on as it stands, by the word that its name begins with."""


def called(kind: str, about: str = "") -> str:
    """What a program of this kind is called in a list, where it is `about` a company or a private."""
    return ABOUT.get(kind, f"{NAMES[kind]} {{}}").format(about) if about else NAMES[kind]


def short(name: str) -> str:
    """What a preset of this name is called where it is offered."""
    word, _, corp = name.partition("|")
    return SHORT[word].format(corp=corp)


def sentence(program: Program, names: Lexicon) -> str:
    say: Callable[[Any, Lexicon], str] = _SAYS[type(program)]
    return say(program, names)


def watched(why: programs.Watched, names: Lexicon) -> str:
    return names.own.called(WATCHES[why])


def stops_when(program: Program, names: Lexicon) -> str:
    """When the program stops before it is done, in a sentence; "" where that cannot be known."""
    if isinstance(program, Newer):
        return ""
    if isinstance(program, Follow):
        return "It stops as soon as anybody's move differs from the line, yours included."
    own = isinstance(program, programs.PassAhead) and not program.heeds_trade
    words = {**WATCHES, "presidency": OWN} if own else WATCHES
    found = [names.own.called(words[why]) for why in WATCHES if program.wants(why)]
    return f"It stops for {listed(found, 'or')}." if found else "Nothing the others do stops it."


def _buy(one: programs.Buy, n: Lexicon) -> str:
    goal = {
        "shares": f"until you have {n.percent(one.corp, one.shares)}"
        if one.shares < n.shares.get(one.corp, 10)
        else "as long as you can",
        "float": "until it floats",
        "presidency": f"until you are its {n.own.head}",
    }[one.until]
    where = PLACES[one.source]
    return (
        f"Buys **{one.corp}**{where} {goal}, for at most {n.money(one.most)} a share; then passes for the rest of the "
        "stock round."
    )


def _sell(one: programs.Sell, n: Lexicon) -> str:
    left = f"all but {n.percent(one.corp, one.down_to)}" if one.down_to else "all shares"
    then = ", and ends the turn" if one.then == "pass" else ""
    return f"Sells {left} of **{one.corp}** once a share brings {n.money(one.least)} or more{then}."


def _pass(one: programs.PassAhead, n: Lexicon) -> str:
    if one.span == "once":
        return "Passes on your next turn in this stock round or auction, or in the next one."
    if one.span == "bought":
        return "Ends your turn whenever you have bought a share."
    if one.span == "idle":
        return "Ends your turn in a stock round when you can buy nothing (more), except your first turn of the round."
    return (
        "Passes for the rest of this stock round or auction, or for the whole of the next one. "
        "Where you have bid on a private, you are asked."
    )


def _bid(one: programs.BidFor, n: Lexicon) -> str:
    if one.then == "wait" and not one.step:
        return f"Buys {n.private(one.private)} for {n.money(one.most)} or less, by bids where it is auctioned."
    raises = f", raising by {n.money(one.step)}" if one.step else ""
    idle = "; in an auction, passes while it has nothing to bid" if one.then == "pass" else ""
    return f"Bids on {n.private(one.private)} up to {n.money(one.most)}{raises}, or buys it for that or less{idle}."


def _right(one: programs.BidToPick, n: Lexicon) -> str:
    raises = f", raising by {n.money(one.step)}" if one.step else ""
    return f"Bids up to {n.money(one.most)} for the right to choose{raises}."


def _operate(one: Operate, n: Lexicon) -> str:
    whose = "your companies" if one.corp is None else f"**{one.corp}**"
    turns = {0: "Every turn", 1: "The next turn"}.get(one.rounds, f"The next {one.rounds} turns")
    ordered = " in order" if len(one.tiles) > 1 else ""
    track = {"none": "lays nothing", "plan": f"lays {tiles(one.tiles, n)}{ordered}", "ask": ""}[one.track]
    place = "" if one.place is None else n.stop(one.place)
    token = {"none": "places no token", "place": f"places a token on {place} when possible"}.get(one.token, "")
    pays = {
        "pay": "pays out",
        "withhold": "withholds",
        "half": "pays half",
        "least": f"pays out {n.money(one.least)} or more and withholds less",
        "ask": "",
    }[one.pays]
    run = "runs the best routes" if one.run == "best" else ""
    trains = {"none": "buys no train", "next": "buys the bank's next train if it can afford it"}.get(one.trains, "")
    asked = {
        "track": one.track == "ask",
        "tokens": one.token == "ask",
        "a token where it reaches another city": one.token == "new",
        "the run": one.run == "ask",
        "the dividend": one.pays == "ask",
        "trains": one.trains == "ask",
        "trains it could afford": one.trains == "can",
    }
    left = [words for words, asks in asked.items() if asks]
    leaves = f" You decide on {listed(left)}." if left else ""
    by_hand = f" You play {one.rests}'s turn this time." if one.rests else ""
    parts = listed(filter(None, (track, token, run, pays, trains)))
    done = f": {parts}" if parts else ""
    return f"{turns} of {whose}{done}.{leaves}{by_hand}"


def tiles(plan: tuple[LayTile, ...], n: Lexicon) -> str:
    """A plan of tiles: "8 on C4 and 9 on C6"."""
    return listed(f"{n.tile(one.tile)} on {one.hex}" for one in plan) or "nothing"


def _answer(one: programs.AnswerOffers, n: Lexicon) -> str:
    what = {"train": "trains", "private": "privates"}[one.deal]
    whose = "" if not one.of else f" of **{one.of}**" if one.deal == "train" else f" for {n.private(one.of)}"
    offers = f"offers for your {what}{whose}" if one.deal == "train" or not one.of else f"offers{whose}"
    if one.agrees:
        return f"Agrees to {offers} at {n.money(one.price)} or more."
    return f"Declines {offers} below {n.money(one.price)}." if one.price else f"Declines all {offers}."


def _follow(one: Follow, n: Lexicon) -> str:
    mine = [move for move in one.moves if move.by == one.moves[-1].by] if one.moves else []
    count = len(mine) if len(mine) > 1 else "one"
    following = f" The next is to {PHRASES[type(mine[0])]}." if mine else ""
    line = f"from your line {bold(one.name)}"
    return f"Plays {count} of your moves {line}, each only if everything before it went as in the line.{following}"


_SAYS: Mapping[type[Program], Callable[[Any, Lexicon], str]] = {
    programs.Buy: _buy,
    programs.Sell: _sell,
    programs.PassAhead: _pass,
    programs.BidFor: _bid,
    programs.BidToPick: _right,
    Operate: _operate,
    programs.AnswerOffers: _answer,
    Follow: _follow,
    programs.RunOut: lambda one, n: "Runs the best routes, pays out and passes for everybody until the game is over.",
    Newer: lambda one, n: NEWER,
}
NEWER = "Made by a newer version of the bot than this one: it is on, and waits for that version."
UNREADABLE = "One of your programs is damaged or was made by another version. It cannot be read, so it is off."


def stopped(program: Program | None, cause: Cause, names: Lexicon) -> str:
    """Says that a program stopped, what it was for, and why; if it cannot be read, only why."""
    if program is None or cause.why == "damaged":
        return because(cause, names)
    return f"{NAMES[program.kind]}: {because(cause, names)} It was: *{sentence(program, names)}*"


WHY: Mapping[str, str] = {
    "sale": "{who} sold {shares} of **{corp}**.",
    "purchase": "{who} now has {shares} more of **{corp}**.",
    "company": "{who} started **{corp}** at a par of {amount}.",
    "presidency": "{who} is now president of **{corp}**.",
    "standing": "{who} has as much of **{corp}** as you: one more share takes its presidency.",
    "outbid": "{who} outbid you on {private} with {amount}.",
    "rust": "**{corp}** lost its {rank}-trains to rust.",
    "price": "{what} now costs {amount}, more than your limit.",
    "blocked": "The rules do not allow it. {text}",
    "done": "It is done.",
    "round": "The round is over.",
    "passed": "Everybody has passed, and the auction goes on.",
    "lost": "You are no longer president of **{corp}**.",
    "bought": "{who} has bought {private}.",
    "hand": "You moved by hand instead.",
    "otherwise": "{who} moved differently from your line.",
    "undone": "Moves that it had made or followed were taken back.",
    "damaged": UNREADABLE,
    "said": "{text}",
}
"""By what it was, and "bought" for a private that is lost."""
OTHERWISE: Mapping[str, str] = {
    "hand": "{who} has moved by hand.",
    "undone": "a move was taken back.",
    "endless": "it has not ended after many rounds.",
}


def broken_off(cause: Cause, n: Lexicon) -> str:
    """Why what the table had agreed to is no longer done, as the channel is told."""
    who = "Somebody" if cause.player is None else n.player(cause.player)
    why = OTHERWISE.get(cause.why, "something in it failed.").format(who=who)
    return f"The table no longer runs the game out: {why}"


def because(cause: Cause, n: Lexicon) -> str:
    nobody = "Chance" if cause.why == "otherwise" else "Nobody"
    private = n.private(cause.private) if cause.private else ""
    said = n.own.called(WHY["bought" if cause.why == "lost" and private else cause.why]).format(
        who=nobody if cause.player is None else n.player(cause.player),
        what=private or (f"**{cause.corp}**" if cause.corp else "A bid"),
        shares=n.percent(cause.corp or "", cause.amount),
        amount=n.money(cause.amount),
        corp=cause.corp,
        private=private,
        rank=cause.rank,
        text=cause.text,
    )
    return said.strip()
