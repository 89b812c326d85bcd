"""The position before the first decision."""

from engine.board.board import Board
from engine.ids import BANK, IPO, Holder, PlayerId, seat
from engine.state import State
from engine.title import Title


def start(title: Title, names: list[str] | tuple[str, ...]) -> State:
    """The position before the first decision; `names` are the players in seat order.

    ValueError unless there is one name for each seat.
    """
    if len(names) != title.players:
        raise ValueError(f"{title.name} was set up for {title.players} players, not {len(names)}.")
    seats = {seat(index): name for index, name in enumerate(names)}
    cash: dict[Holder, int] = dict.fromkeys(seats, title.cash)
    cash.update(dict.fromkeys(title.corporations, 0))
    cash[title.policy.companies.bank] = 0
    cash[BANK] = title.bank - title.cash * title.players
    state = State(
        names=seats,
        board=Board(title.grid),
        cash=cash,
        shares={corp.id: {} if corp.certificate else {IPO: corp.shares} for corp in title.corporations.values()},
        president={corp.id: BANK if corp.certificate else IPO for corp in title.corporations.values()},
        tokens={corp.id: corp.token_costs for corp in title.corporations.values()},
        trains=dict.fromkeys(title.corporations, ()),
        depot={rank: train.count for rank, train in title.trains.items() if train.count is not None},
        owner=dict.fromkeys(title.privates, BANK),
        supply=dict(title.supply),
        priority=PlayerId("p1"),
        up=PlayerId("p1"),
        round=title.opening,
        own=title.own(),
    )
    title.policy.milestones.set_up(title, state)
    title.rounds[title.opening].begin(title, state)
    return state
