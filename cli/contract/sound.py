"""Positions in which nothing has appeared or vanished: money, shares, tiles, tokens, trains."""

from collections import Counter
from itertools import chain

from cli.contract import Broken, must
from engine import BANK, CLOSED, IPO, POOL, CorpId, Rank, State, Title
from engine.facts import CashMoved, TrainExported, TrainsRusted
from engine.ids import RESERVED, Holder


def audit(t: Title, s: State) -> None:
    """The position is sound. Raises Broken."""
    money = sum(s.cash.values())
    must(money == t.bank, f"There are {t.money(money)}, not {t.money(t.bank)}.")
    for holder, amount in s.cash.items():
        must(amount >= 0 or holder in (BANK, t.policy.companies.bank), f"{holder} has {t.money(amount)}.")
    for corp, held in s.shares.items():
        if t.corporations[corp].certificate is None:
            _audit_shares(t, s, corp, held)
        else:
            must(not (held or corp in s.par or corp in s.cell), f"{corp} is a minor, but has shares or a price.")
    _audit_board(t, s)
    _audit_trains(t, s)
    _audit_privates(t, s)


def _audit_shares(t: Title, s: State, corp: CorpId, held: dict[Holder, int]) -> None:
    printed, president = t.corporations[corp], s.president[corp]
    must(sum(held.values()) == printed.shares, f"{corp} has {sum(held.values())} shares, not {printed.shares}.")
    must(all(count > 0 for count in held.values()), f"A holding of {corp} is not above 0: {held}.")
    leads = held.get(president, 0)
    must(
        leads >= printed.president_shares,
        f"{president} holds the president's certificate of {corp}, but {leads} shares.",
    )
    begun = corp in s.par
    at_home = president in (IPO, RESERVED) if not begun else president != IPO
    must(at_home, f"{president} holds the president's certificate of {corp}, whose par is {s.par.get(corp)}.")
    if president != IPO and not s.pending:  # what is asked may come before what settles who presides
        most = max(held.get(player, 0) for player in s.players)
        must(most <= leads, f"{president} is president of {corp} with {leads} shares, but somebody has {most}.")
    pool = held.get(POOL, 0)
    must(pool <= t.policy.holdings.pool_limit, f"The open market has {pool} shares of {corp}, above its limit.")
    must((corp in s.cell) == begun, f"{corp} has a par without a price token, or a token without a par.")


def _audit_board(t: Title, s: State) -> None:
    on_map = Counter(tile for tile, _ in s.board.placed.values())
    for tile, count in t.supply.items():
        left, lie = s.supply[tile], on_map.get(tile, 0)
        if left < 0 or left + lie != count:  # a sentence for every tile of every position would take longer than all
            raise Broken(f"Of {count} tiles {tile}, {left} are left and {lie} on the map.")
    must(set(on_map) <= set(t.supply), f"Tiles that are not in the box: {sorted(set(on_map) - set(t.supply))}.")
    placed = Counter(token for places in s.board.tokens.values() for token in places if token)
    for corp in t.corporations.values():
        left, lie, count = len(s.tokens[corp.id]), placed[corp.id], len(corp.token_costs)
        must(left + lie == count, f"Of {count} tokens of {corp.id}, {left} are left and {lie} on the map.")
    for stop, places in s.board.tokens.items():
        hex_id, _, index = stop.partition(".")
        slots = s.board.stop(hex_id, int(index)).slots  # type: ignore[arg-type]  # stop ids are made of hex ids
        must(len(places) == slots, f"{stop} has {len(places)} places for tokens, its tile {slots}.")


def _audit_trains(t: Title, s: State) -> None:
    begun = {phase.starts_on for phase in t.phases[: s.phase + 1]}
    for rank, count in trains_in_play(s).items():
        rusted = t.trains[rank].rusts_on in begun and t.trains[rank].rusts_on is not None
        must(count == s.depot[rank] if rusted else count >= 0, f"{rank}-trains are still there after they rusted.")
    waiting = {item.subject for item in s.pending}
    for corp, ranks in s.trains.items():
        later = s.over or not t.policy.trains.discards_at_once
        fits = len(ranks) <= t.train_limit(s, corp) or corp in waiting or later
        must(fits, f"{corp} has {len(ranks)} trains, above its limit, and is not asked which to discard.")


def _audit_privates(t: Title, s: State) -> None:
    must(list(s.owner) == list(t.privates), "Not every private has an entry in `owner`, in the title's order.")
    strange = set(s.owner.values()) - {*s.players, *t.corporations, BANK, CLOSED, RESERVED}
    must(not strange, f"Privates are owned by {sorted(strange)}.")
    for player in s.players:
        bid = sum(bids.get(player, 0) for bids in s.bids.values())
        must(0 <= bid <= s.cash[player], f"{player} has bid {t.money(bid)} with {t.money(s.cash[player])} in hand.")


def trains_in_play(s: State) -> Counter[Rank]:
    """Trains by rank, wherever they are."""
    return Counter(s.depot) + Counter(chain(s.train_pool, *s.trains.values()))


def audit_start(t: Title, s: State) -> None:
    """The first position is sound, and all trains are there."""
    audit(t, s)
    printed = Counter({rank: train.count for rank, train in t.trains.items() if train.count})
    must(trains_in_play(s) == printed, f"There are trains {dict(trains_in_play(s))}, printed are {dict(printed)}.")


def _audit_payments(t: Title, before: State, after: State) -> None:
    """Every sum that came or went is told."""
    told: Counter[Holder] = Counter()
    for fact in after.facts:
        if isinstance(fact, CashMoved):
            told[fact.source] -= fact.amount
            told[fact.target] += fact.amount
    for holder, amount in after.cash.items():
        moved = amount - before.cash[holder]
        if moved != told[holder]:
            raise Broken(f"{holder} has {t.money(moved)} more, but is told to have got {t.money(told[holder])}.")


def audit_move(t: Title, before: State, after: State) -> None:
    """The position after an action is sound, and no train came or went but those exported or scrapped."""
    audit(t, after)
    _audit_payments(t, before, after)
    exported = Counter(fact.rank for fact in after.facts if isinstance(fact, TrainExported))
    rusted = {fact.rank for fact in after.facts if isinstance(fact, TrainsRusted)}
    was, now = trains_in_play(before), trains_in_play(after)
    for rank, train in t.trains.items():
        if train.count is not None and rank not in rusted:
            expected = was[rank] - exported[rank]
            must(now[rank] == expected, f"There are {now[rank]} {rank}-trains, and should be {expected}.")
