"""What 18xx.games does differently even with the option `online`: declared once, by rule.

An import names the difference behind a refusal. An export checks each action against the table and stops at one that
that program would not take, or from which on it plays another game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from engine import OR, SR, CorpId, Fact, PlayerId, Refused, State, Title, decision, judge, legal
from engine.actions import BuyTrain, CompanyBuysPrivate, LayPowerTile
from engine.facts import CompanyChanged, Passed, RoundBegan, TileLaid, TokenPlaced, TrainsRan, TurnBegan
from engine.powers import CompanyLay
from engine.steps.run import DIVIDEND
from engine.steps.token import TOKEN
from engine.steps.track import TRACK
from engine.steps.trains import DISCARD, TRAINS, trains_for_sale
from engine.titles.t1860.own import Own1860

LAST_TURN = 100
"""That program ends any game with the end of the first round of this turn."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`rule` is ours; the line of the title's `online` lists it as not followed."""

    rule: str
    text: str
    """What that program does, as a sentence."""
    refused: Callable[[Title, State, Refused], bool] | None = None
    """Whether an action that our rules refuse in this position is one that it takes."""
    parts: Callable[[State, State], bool] | None = None
    """Whether from one position to the next the game goes where it does not."""

    @property
    def title(self) -> str:
        return self.rule.partition("-")[0]

    def told(self, *rules: str) -> str:
        """The sentence with these rules and the one that lists the difference."""
        return f"{self.text} [{', '.join(dict.fromkeys((*rules, ONLINE[self.title])))}]."


def _beside_trade_in(t: Title, s: State, refused: Refused) -> bool:
    buy = refused.action
    if not isinstance(buy, BuyTrain) or refused.rule not in ("1889-TRN-13", "1888-TRN-07"):
        return False
    offers = (offer for offer in trains_for_sale(t, s, buy.by) if isinstance(offer, BuyTrain) and offer.trade_in)
    return any(judge(t, s, offer) is None for offer in offers)


def _before_discard(t: Title, s: State, refused: Refused) -> bool:
    return isinstance(refused.action, CompanyBuysPrivate) and any(asked.step == DISCARD.name for asked in s.pending)


def _ferry_between(t: Title, s: State, refused: Refused) -> bool:
    action = refused.action
    power = t.power(action.private, CompanyLay) if isinstance(action, LayPowerTile) else None
    return refused.rule == "1888-PRV-10" and bool(s.pending) and power is not None and power.all


def _ended_idle(t: Title, s: State, refused: Refused) -> bool:
    return s.over == "stuck"


def _nobody_asked(before: State, after: State) -> bool:
    """A bankruptcy began the stock round anew, and its first player was passed over, but not everybody."""
    anew = _since_begun_anew(before, after)
    over = any(isinstance(fact, RoundBegan) and fact.round == OR for fact in anew)
    return not over and any(isinstance(fact, Passed) for fact in anew)


def _since_begun_anew(before: State, after: State) -> list[Fact]:
    """What happened from where a sale's bankruptcy began the stock round anew, if it did."""
    begun = [(index, fact.round) for index, fact in enumerate(after.facts) if isinstance(fact, RoundBegan)]
    return after.facts[begun[0][0] :] if before.round == SR and begun and begun[0][1] == SR else []


def _beyond_last_turn(before: State, after: State) -> bool:
    last, now = ((s.turn, s.round, s.or_number) for s in (before, after))
    return before.turn >= LAST_TURN and now != last


@dataclass(slots=True)
class Memory:
    """What that program asked before, since that decides what it asks now."""

    title: Title
    could_place: dict[CorpId, bool] = field(default_factory=dict)
    """Which companies could place a token when it last looked.

    It looks anew after a lay or a token placed in a turn, but not after a home token, which can cut others off.
    """
    asked_on: bool = False
    """Whether the company that has just passed its track passes a token there, too, from which it is cut off by now."""
    buys_nothing: CorpId | None = None
    """Who operates after a company that went bankrupt without a run, and could buy no train when its turn began."""
    passed_over: frozenset[PlayerId] = frozenset()
    """Whom a stock round passed over between the sale that began it anew and the next who could act in the old one."""

    def met(self, before: State, after: State) -> Difference | None:
        """The difference that this move meets, to be called for each in turn."""
        unasked, no_train = self.asks_no_token(before, after), self._buys_nothing(before, after)
        if self._round_over(before, after):
            return ROUND_OVER if len(self.passed_over) == len(after.players) else ROUND_SHORT
        return NO_TOKEN[self.title.id] if unasked else BUYS_NOTHING if no_train else None

    def asks_no_token(self, before: State, after: State) -> bool:
        """Whether a company whose track is done is asked for a token only here; `asked_on` says if only there."""
        self.asked_on = False
        built = [fact for fact in after.facts if isinstance(fact, TileLaid)]
        if built or any(isinstance(fact, TokenPlaced) and not fact.home for fact in after.facts):
            self.could_place.clear()
        corp = before.operating
        if corp is None or before.step != TRACK.name or (after.operating, after.step) == (corp, TRACK.name):
            return False
        left = before.cash[corp] - sum(fact.cost for fact in built)
        insolvent = isinstance(before.own, Own1860) and corp in before.own.insolvent
        if insolvent or not before.tokens[corp] or left < min(before.tokens[corp]):
            return False  # nobody looks
        asked = (after.operating, after.step) == (corp, TOKEN.name)
        there = self.could_place.setdefault(corp, asked)
        self.asked_on = there and not asked
        return asked and not there

    def _round_over(self, before: State, after: State) -> bool:
        """Whether a stock round begun anew is over there, since whom the old one passed over count as having passed."""
        if after.round == SR and _since_begun_anew(before, after):
            self.passed_over = frozenset(self._passed_over(before, after))
            return len(self.passed_over) == len(after.players)
        if before.round != SR or after.last_actor is not None:
            self.passed_over = frozenset()
        order = (before.priority, *before.after(before.priority)[:-1])
        unheard = [*takewhile(self.passed_over.__contains__, reversed(order))]
        return bool(unheard) and (after.round != SR or after.passes >= len(order) - len(unheard))

    def _passed_over(self, before: State, after: State) -> Iterator[PlayerId]:
        sold = before.sold.get(before.up, frozenset()) | _bankrupt(after)
        old = replace(after, sold={**before.sold, before.up: sold})
        selling = replace(old, up=before.up, sold_first=True, sold_now=tuple(sold))
        turns = (replace(old, up=player) for player in before.after(before.up))
        asks = self.title.share_step().asks
        if not asks(self.title, selling):
            for turn in takewhile(lambda turn: not asks(self.title, turn), turns):
                yield turn.up

    def _buys_nothing(self, before: State, after: State) -> bool:
        """Whether a company is asked for trains here whose purchase that program passed over as its turn began."""
        if any(isinstance(fact, TurnBegan) for fact in after.facts):
            self.buys_nothing = after.operating if _fell_idle(before, after) and not self._could_buy(after) else None
        return self.buys_nothing is not None and (after.operating, after.step) == (self.buys_nothing, TRAINS.name)

    def _could_buy(self, s: State) -> bool:
        at_trains = s.copy()
        at_trains.step = TRAINS.name
        seats = decision(self.title, at_trains).players
        return any(isinstance(action, BuyTrain) for action in legal(self.title, at_trains, seats[0]))


def _fell_idle(before: State, after: State) -> bool:
    """Whether a company, not the round's last, went bankrupt in its turn because it had nothing to run."""
    if any(isinstance(fact, RoundBegan) for fact in after.facts) or after.operating is None:
        return False
    ran = {fact.corp for fact in after.facts if isinstance(fact, TrainsRan)}
    decided = before.operating if before.step == DIVIDEND.name else None
    return bool(_bankrupt(after) - ran - {decided})


def _bankrupt(s: State) -> set[CorpId]:
    """Who has just gone bankrupt."""
    fallen = (fact for fact in s.facts if isinstance(fact, CompanyChanged) and fact.state == "bankrupt" and fact.now)
    return {fact.corp for fact in fallen}


ONLINE = {"1889": "1889-VAR-05", "1888": "1888-VAR-01", "1860": "1860-VAR-15"}
_AT_THE_LIMIT = "18xx.games takes any purchase at the train limit beside a trade-in for a D, and asks for a discard"
_BEFORE_DISCARD = "18xx.games lets a company buy a private while trains beyond a limit are to be discarded"
NO_TOKEN = {
    title: Difference(rule, "18xx.games asks a company that could place no token for none before somebody builds")
    for title, rule in (("1889", "1889-TOK-04"), ("1888", "1888-TOK-05"), ("1860", "1860-TOK-03"))
}
"""By title; met where `Memory` says so, as the next."""
BUYS_NOTHING = Difference(
    "1860-EMR-21",
    "18xx.games asks the company after one that goes bankrupt without a run for no train, if it could buy none when "
    "its turn began",
)
ROUND_SHORT = Difference(
    "1860-EMR-20",
    "18xx.games does not hear those again whom the old stock round passed over after the sale that begins it anew",
)
ROUND_OVER = Difference(
    "1860-EMR-20",
    "18xx.games begins no stock round anew where the bankruptcy left nobody anything to do in the old one",
)
_BY_THE_BOOK = {
    ("1860", "order"): "a company that pays and keeps its price goes under the others on its space [1860-MKT-09]",
    ("1860", "price"): "sales do not move a company that is started again until it floats [1860-EMR-25]",
    ("1888", "token"): "the third token of a company and any after it cost 100 each [1888-TOK-03]",
}
"""Rules that a game by the book follows and that program does not, by title and by what differs then."""


def by_the_book(title: Title, what: str) -> str:
    """The rule behind such a difference, as the end of a sentence; "" if none is known."""
    rule = _BY_THE_BOOK.get((title.id, what))
    return f": by the book {rule}" if rule else ""


KNOWN = (
    Difference("1889-TRN-13", _AT_THE_LIMIT, refused=_beside_trade_in),
    Difference("1888-TRN-07", _AT_THE_LIMIT, refused=_beside_trade_in),
    Difference("1889-TRN-15", _BEFORE_DISCARD, refused=_before_discard),
    Difference("1888-TRN-08", _BEFORE_DISCARD, refused=_before_discard),
    Difference(
        "1888-PRV-10", "18xx.games lets the ferry be laid between the Great Wall's tiles", refused=_ferry_between
    ),
    *NO_TOKEN.values(),
    BUYS_NOTHING,
    ROUND_OVER,
    ROUND_SHORT,
    Difference(
        "1860-EMR-20",
        "18xx.games asks nobody any more where the first player of a stock round that a bankruptcy begins anew can do "
        "nothing",
        parts=_nobody_asked,
    ),
    Difference("1860-END-21", "18xx.games asks people for ever where nobody can ever do anything", refused=_ended_idle),
    *(
        Difference(rule, f"18xx.games ends every game in turn {LAST_TURN}", parts=_beyond_last_turn)
        for rule in ONLINE.values()
    ),
)


def known_difference(t: Title, s: State, refusal: Refused) -> str:
    """A sentence about the known difference behind a refused action, or an empty text."""
    for known in KNOWN:
        if known.title == t.id and known.refused is not None and known.refused(t, s, refusal):
            return known.told()
    return ""


def parting(t: Title, before: State, after: State, memory: Memory | None = None) -> str:
    """A sentence about the known difference that this action meets, or an empty text."""
    met = memory.met(before, after) if memory else None
    if met:
        return met.told(met.rule)
    for known in KNOWN:
        if known.title == t.id and known.parts is not None and known.parts(before, after):
            return known.told(known.rule)
    return ""
