"""How a regular bids: what privates are worth to it, and what it keeps to start a company with."""

from dataclasses import replace

from engine import State, Title, decision
from engine import actions as act
from engine.ids import BANK, IPO, PlayerId, PrivateId
from engine.money import free_cash
from engine.powers import GivesShare
from engine.rounds.waterfall import least_bid, price_of, unsold
from engine.shares import shift
from opponents.choice import SENSELESS, Choice, Reason
from opponents.facts import facts_of
from opponents.forecast import Course, course_of
from opponents.prospects import value
from opponents.question import Question, ask

SHADED = 0.45
"""What part of that a player bids for the right to choose: what a private is thought to gain comes later, if at all."""
OPEN = 0.5
"""What part counts of what a company's first shares gain: soon all can buy some, and whether it will do well is hardly
known."""
TIGHT = 1.6
"""How many times what it takes to float a company is hardly more than that."""

EARLY = 1.0
"""What money brings besides before the first shares are sold, which bring several times their price."""


def auction(q: Question) -> list[Choice]:
    """Bids and purchases of privates: how the game may go on with the private at that price, and how without it."""
    t, s = q.t, q.s
    course = course_of(t, s)
    base, _ = value(t, _without_bids(q), q.seat, course, q.w)
    right = worth_of_right(q, course)
    declines = any(isinstance(action, act.Pass) for action in q.options)
    paid = _others_are_paid(t, s)
    choices = []
    for action in q.options:
        match action:
            case act.Bid():
                choices.append(_bid(q, action, base, course))
            case act.BuyPrivate():
                cost = price_of(t, s, action.private)
                gain = _worth(q, action.private, cost, course) - base
                spare = free_cash(s, q.seat) - cost >= kept(q, action.private) or (paid and _keeps_in_vain(q))
                back = not spare and _comes_back(q, action.private, cost)
                if declines and not (spare or back):
                    gain = SENSELESS
                ends = (s.turn > 1 or (paid and spare)) and not _leaves_it(t, s, q.seat)
                if back or ends:
                    gain = max(gain, 10.0)
                choices.append(Choice(action, gain, _priced(action.private, gain, cost)))
            case act.BidToChoose():
                priced = Reason("value", round(right)), Reason("price", action.amount)
                choices.append(Choice(action, right - action.amount, priced))
            case _:
                choices.append(Choice(action, 0.0))
    return choices


def _others_are_paid(t: Title, s: State) -> bool:
    """Whether those who own privates have been paid while all passed: to go on passing leaves them that, and the next.

    Then players and their privates have more than the game began with.
    """
    sold = sum(private.value for private in t.privates.values() if s.owner[private.id] in s.names)
    return s.round == t.opening and sum(s.cash[seat] for seat in s.players) + sold > t.cash * len(s.players)


def _keeps_in_vain(q: Question) -> bool:
    """Whether the seat owns nothing, and nobody began with what it takes to float a company alone.

    Then it needs others for that in any case, and those who are paid meanwhile have more to begin with.
    """
    return q.t.cash < facts_of(q.t).alone and q.seat not in q.s.owner.values()


def _comes_back(q: Question, private: PrivateId, cost: int) -> bool:
    """Whether the seat is paid what it then lacks to start a company with, before the sale ends.

    If nobody can spare the money for the next private, all pass at least until somebody has more than the game began
    with. Where turns are limited, the sale is thought to end sooner.
    """
    t, after = q.t, owning(q, private, cost)
    following = next((one for one in unsold(after) if not after.bids.get(one)), None)
    if q.s.round != t.opening or facts_of(t).timed or q.s.contested is not None or following is None:
        return False
    price, keeps = price_of(t, after, following), reserve(t, after)
    if any(free_cash(after, seat) - price >= keeps for seat in after.players if seat != q.seat):
        return False
    paid = _paid(t, after)
    rounds = min((max(0, t.cash - after.cash[seat]) // paid[seat] + 1 for seat in paid if paid[seat]), default=0)
    return free_cash(after, q.seat) + rounds * paid[q.seat] >= kept(replace(q, s=after), following)


def _paid(t: Title, s: State) -> dict[PlayerId, int]:
    """What everybody is paid each time that all pass."""
    paid = dict.fromkeys(s.players, 0)
    for private in t.privates.values():
        if (owner := s.owner[private.id]) in paid:
            paid[PlayerId(owner)] += private.revenue
    return paid


def _leaves_it(t: Title, s: State, seat: PlayerId) -> bool:
    """Whether another is paid less while all pass: then that one loses most if the sale drags on, and is to end it.

    Who has more than the game began with has no reason to wait.
    """
    paid = _paid(t, s)
    return paid[seat] > min(paid.values()) and s.cash[seat] <= t.cash


def worth_of_right(q: Question, course: Course) -> float:
    """What the right to choose is worth in money of today: how much more than the next best the best gains of all that
    could be chosen, and what the right to the next best will then be worth. 0 where there is no such right to bid for.

    Who loses the best does not get the next best for nothing, and who wins may well have both.
    """
    won = _having_won(q)
    if won is None:
        return 0.0
    before, _ = value(q.t, won.s, q.seat, course, q.w)
    gains: dict[str, float] = {}
    for choice in won.options:
        after = won.after(choice)
        thing = getattr(choice, "private", None) or getattr(choice, "corp", None)
        if after is not None and thing is not None:
            gain = value(q.t, after, q.seat, course, q.w)[0] - before
            if isinstance(choice, act.Par):
                gain *= OPEN
            gains[thing] = max(gain, gains.get(thing, 0.0))
    right = following = 0.0
    for gain in sorted(gains.values()):
        right, following = SHADED * (gain - following + right), gain
    return right / (1 + q.w.cash_growth * course.rounds)


def _having_won(q: Question) -> Question | None:
    """What the seat would be asked to choose if all others dropped out now; None if there is nothing to be won."""
    bid = next((action for action in q.options if isinstance(action, act.BidToChoose)), None)
    after = None if bid is None else q.after(bid)
    while after is not None and (asked := decision(q.t, after)).players != (q.seat,):
        after = replace(q, s=after).after(act.Pass(asked.players[0]))
    return None if after is None else ask(q.t, after, q.seat, q.w)


def _worth(q: Question, private: PrivateId, cost: int, course: Course) -> float:
    """What the position is worth with the private at this price.

    Money counts as later on where all have enough for two companies, or turns are limited.
    """
    facts = facts_of(q.t)
    early = 0.0 if facts.timed or q.t.cash >= 2 * facts.alone else EARLY
    return value(q.t, owning(q, private, cost), q.seat, course, q.w)[0] - early * cost


def _priced(private: PrivateId, worth: float, cost: int) -> tuple[Reason, ...]:
    return Reason("value", round(worth), what=private), Reason("price", cost, what=private)


def _without_bids(q: Question) -> State:
    """The position in which the private that is fought for goes to the others' highest bid."""
    s = q.s
    if s.contested is None:
        return s
    bids = {seat: amount for seat, amount in s.bids[s.contested].items() if seat != q.seat}
    rival = max(bids, key=lambda seat: bids[seat])
    return _given(q.t, s, s.contested, rival, bids[rival])


def owning(q: Question, private: PrivateId, cost: int) -> State:
    """The position in which the seat has bought the private at this price."""
    return _given(q.t, q.s, private, q.seat, cost)


def _given(t: Title, s: State, private: PrivateId, seat: PlayerId, cost: int) -> State:
    after = s.copy()
    after.bids.pop(private, None)
    after.contested = after.speaker = None
    after.owner[private] = seat
    after.cash[seat] -= cost
    after.cash[BANK] += cost
    share = t.power(private, GivesShare)
    if share is not None:
        shift(after, share.corp, IPO, seat, 1, 0)
    return after


def kept(q: Question, private: PrivateId) -> float:
    """What the seat keeps to start a company with if it gets the private: less where a share comes with it, or has
    come with another, of a company that nobody has started."""
    t, s = q.t, q.s
    given = t.power(private, GivesShare)
    shares = [
        s.shares[corp].get(q.seat, 0) + (given is not None and given.corp == corp)
        for corp in t.corporations
        if corp not in s.par
    ]
    return reserve(t, s, max(shares, default=0))


def reserve(t: Title, s: State, shares: int = 0) -> float:
    """What a player keeps of his money to start a company with, of which he has so many shares already: what that
    takes, or his part of what is left when all privates are sold.

    Where all depends on the start, who has hardly more than it takes does not count on what is left.
    """
    facts = facts_of(t)
    alone = facts.alone - shares * facts.pars[0][0]
    if facts.careful and t.cash < TIGHT * facts.alone:
        return alone
    unsold = sum(private.value for private in t.privates.values() if s.owner[private.id] == BANK)
    part = (sum(s.cash[seat] for seat in s.players) - unsold) / len(s.players)
    return min(0.8 * t.cash, alone, part)


def _bid(q: Question, action: act.Bid, base: float, course: Course) -> Choice:
    t, s = q.t, q.s
    mine = s.bids.get(action.private, {}).get(q.seat)
    if action.amount != least_bid(t, s, action.private) or (mine is not None and s.contested is None):
        return Choice(action, SENSELESS)
    spent = sum(bids.get(q.seat, 0) for bids in s.bids.values()) - (mine or 0)
    if s.cash[q.seat] - spent - action.amount < kept(q, action.private):
        return Choice(action, SENSELESS)
    gain = _worth(q, action.private, action.amount, course) - base
    return Choice(action, gain - 15.0, _priced(action.private, gain, action.amount))
