"""A random player, who plays a whole game from the engine's own legal actions; the same seed gives the same game.

It plays badly but does everything: it bids and raises, starts and dumps companies, builds, runs the best routes,
trades trains and privates at odd prices, and goes bankrupt when nothing else is left.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from engine import CHANCE, Action, State, Title, apply, decision, judge, legal, start
from engine import actions as act
from engine.rounds.waterfall import least_bid
from engine.steps.privates import price_range

LONGEST = 20_000
"""Actions after which a game that has not ended counts as a bug."""

# Starting companies, buying trains and paying dividends moves games along; the rest still happens in every game.
WEIGHTS: Mapping[type[Action], float] = {
    act.Pass: 3,
    act.BuyPrivate: 3,
    act.Bid: 1,
    act.Par: 2,
    act.BuyShare: 6,
    act.SellShares: 0.7,
    act.ExchangePrivate: 0.1,
    act.LayTile: 8,
    act.LayPowerTile: 1,
    act.PlaceToken: 2,
    act.BuyTrain: 4,
    act.CompanyBuysPrivate: 0.5,
    act.TradePrivate: 0.1,
    act.GoBankrupt: 0.5,
}
"""How likely a kind of action is among those that are legal; 1 by default."""
Picker = Callable[[Title, State, list[Action], Random], Action]
"""Takes one of the legal actions."""


def choose_among(title: Title, state: State, options: list[Action], random: Random) -> Action:
    """One of these legal actions, perhaps with another amount than offered."""
    kinds = list(dict.fromkeys(type(option) for option in options))
    if not kinds:
        raise AssertionError(f"nobody can do anything: {decision(title, state)}")
    kind = random.choices(kinds, [WEIGHTS.get(kind, 1) for kind in kinds])[0]
    return varied(title, state, random.choice([option for option in options if type(option) is kind]), random)


def varied(title: Title, state: State, action: Action, random: Random) -> Action:
    """The action, or one with another amount that is legal too."""
    other = _with_another_amount(title, state, action, random)
    return action if other == action or judge(title, state, other) is not None else other


def simulate(title: Title, names: tuple[str, ...], seed: int) -> tuple[list[Action], State]:
    """Play a game to its end; return its actions and the last position."""
    actions, state = [], start(title, names)
    for action, after in steps(title, names, seed):
        actions.append(action)
        state = after
    return actions, state


def steps(
    title: Title, names: tuple[str, ...], seed: int, pick: Picker = choose_among
) -> Iterator[tuple[Action, State]]:
    """The actions of a random game, each with the position it leads to."""
    random = Random(seed)
    return to_its_end(title, start(title, names), seed, lambda state: choose(title, state, random, pick))


def to_its_end(
    title: Title, state: State, seed: int, move: Callable[[State], Action]
) -> Iterator[tuple[Action, State]]:
    """The actions of a game from a position on, each with the one it leads to. AssertionError if it does not end."""
    for _ in range(LONGEST):
        if state.over:
            return
        action = move(state)
        state = apply(title, state, action)
        yield action, state
    raise AssertionError(f"{title.id} with seed {seed} did not end within {LONGEST} actions")


def choose(title: Title, state: State, random: Random, pick: Picker = choose_among) -> Action:
    """A legal action of a seat that must decide, or now and then of one that may act at any time."""
    asked = decision(title, state).players
    if asked == (CHANCE,):
        return draw(title, state, random)
    seat = asked[0] if random.random() < 0.97 else random.choice(state.players)
    options = list(legal(title, state, seat)) or list(legal(title, state, asked[0]))
    return pick(title, state, options, random)


def draw(title: Title, state: State, random: Random) -> Action:
    """A random outcome where chance decides: one of those possible, or any order for a deal."""
    outcome = random.choice(list(legal(title, state, CHANCE)))
    if isinstance(outcome, act.Deal):
        return act.Deal(CHANCE, tuple(random.sample(outcome.privates, len(outcome.privates))))
    return outcome


def _with_another_amount(title: Title, state: State, action: Action, random: Random) -> Action:
    """The action with a different amount, if any is allowed; the caller checks it."""
    match action:
        case act.Bid():
            least = least_bid(title, state, action.private)
            return act.Bid(action.by, action.private, least + random.choice((0, 0, 0, 1, 2, 5, 10, 25)))
        case act.BuyTrain() if action.source in title.corporations:
            price = random.randint(1, max(1, state.cash[action.corp]))
            return act.BuyTrain(action.by, action.corp, action.rank, action.source, price)
        case act.CompanyBuysPrivate():
            low, high = price_range(title, action.private)
            return act.CompanyBuysPrivate(action.by, action.corp, action.private, random.randint(low, high))
        case act.TradePrivate():
            return act.TradePrivate(action.by, action.private, random.randint(0, state.cash[action.by]))
        case act.Dividend():
            return act.Dividend(action.by, action.corp, "pay" if random.random() < 0.8 else "withhold")
    return action
