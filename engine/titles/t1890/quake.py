"""The Great Hanshin Earthquake, which comes with the marked D-train. {1890-VAR-17 to -17e}

A token in Itami that the quake puts out of use is kept on its charter as one for 100, and its place in Itami for it.
"""

from dataclasses import replace

from engine.actions import Action, BuyTrain, PlaceToken, RestoreToken, RollDie, SellShares
from engine.depot import bank_trains
from engine.facts import Announced, DieRolled, TokenGone, TokenPlaced, TokenReturned, WentBankrupt
from engine.flow import can, decision, finish
from engine.ids import BANK, CHANCE, SR, PlayerId, PrivateId, Rank, split_stop, stop_id
from engine.market import price
from engine.money import pay
from engine.shares import sell
from engine.state import Pending, State
from engine.steps import shares
from engine.steps.common import n_shares, operator
from engine.steps.emergency import TRAINS_STEP
from engine.steps.privates import close
from engine.steps.token import spend_token
from engine.title import Step, Title, Verb
from engine.titles.t1890.companies import RETURNED, counts_private, give_back_token, has_closed, take_up
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import ASHIYA, HANKYU, HANSHIN, ITAMI, JR, KOBE, KOBE_RAPID, NISHINOMIYA, SANYO
from engine.titles.t1890.removal import lower_tile, take_tokens, tokens_on

D = Rank("D")
PER_TRAIN, PER_SHARE = 100, 200
"""1890-VAR-17e"""


def after_train(t: Title, s: State, a: BuyTrain) -> None:
    """Which of the D-trains is marked nobody knows: it is drawn as each is bought. A broken bank is spared."""
    if a.rank != D or a.source != BANK or own(s).quaked or s.broken or t.policy.milestones.bank_broken(s):
        return
    if left_before(s) == 1:
        strike(t, s)
    else:
        s.pending += (Pending(DRAW.name, CHANCE, a.corp),)


def left_before(s: State) -> int:
    """How many D-trains the bank had before the last purchase."""
    return s.depot[D] + 1


def among_those_left(t: Title, s: State, a: RollDie) -> str | None:
    """One of the D-trains that were left is the marked one, each as likely as the others."""
    most = left_before(s)
    return None if 1 <= a.value <= most else f"The draw is one of {most} trains, not {a.value}."


def trains_left(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each of the D-trains that were left."""
    return [RollDie(player, value) for value in range(1, left_before(s) + 1)]


def draw(t: Title, s: State, a: RollDie) -> None:
    """1 is the marked train, with which the quake begins."""
    s.pending = s.pending[:-1]
    s.facts.append(DieRolled(a.value, "quake"))
    if a.value == 1:
        strike(t, s)


DRAW = Step("quake", (Verb(RollDie, trains_left, (among_those_left,), draw),))


def strike(t: Title, s: State) -> None:
    """The quake comes: damages are fixed, Kobe Rapid closes, tokens and a tile are hit.

    {1890-VAR-17, 1890-VAR-17b, 1890-VAR-17c, 1890-VAR-17d, 1890-VAR-17e}
    """
    s.facts.append(Announced("earthquake"))
    s.own = replace(own(s), quaked=True, quake=True, damages=damages(t, s))
    _close_kobe_rapid(t, s)
    for hex_id in (KOBE, ASHIYA):  # 1890-VAR-17b
        for corp in take_tokens(s, hex_id):
            s.facts.append(TokenReturned(corp, hex_id))
    lower_tile(t, s, NISHINOMIYA)
    hit = tokens_on(s, ITAMI)
    for corp in hit:
        give_back_token(s, corp, ITAMI)
        s.facts.append(TokenGone(corp, ITAMI))
    s.own = replace(own(s), face_down=tuple(hit))
    if hit:
        s.facts.append(Announced("face down"))


def damages(t: Title, s: State) -> dict[PlayerId, int]:
    """What each player has to pay: for the D-trains sold, and for the certificates held now, shares by tenths."""
    count = t.trains[D].count
    assert count is not None
    sold = count - s.depot[D]
    held = {player: sum(each.get(player, 0) for each in s.shares.values()) for player in s.players}
    for private, owner in s.owner.items():
        if owner in s.names and counts_private(t, s, private):
            held[PlayerId(owner)] += 1
    return {player: PER_TRAIN * sold + PER_SHARE * number for player, number in held.items()}


def _close_kobe_rapid(t: Title, s: State) -> None:
    private = PrivateId(KOBE_RAPID)
    if s.owner.get(private) not in s.names:
        return
    close(s, private)
    if KOBE_RAPID in t.corporations:  # its token may wait beside Kobe since the air raids
        if s.board.token_stops(KOBE_RAPID):
            take_up(s, KOBE_RAPID, KOBE)
            s.facts.append(TokenGone(KOBE_RAPID, KOBE))
        s.tokens[KOBE_RAPID] = t.corporations[KOBE_RAPID].token_costs
    s.own = replace(own(s), passage=())


def frozen(s: State) -> bool:
    """No price moves until the end of the next stock round. {1890-VAR-17a}"""
    return own(s).quake


# Damages


def collect(t: Title, s: State) -> bool:
    """Everybody pays before the stock round ends; True while somebody must sell shares for it."""
    for player in own(s).damages:
        _pay_or_ask(t, s, player)
        if s.over:
            return True
    return bool(s.pending)


def _pay_or_ask(t: Title, s: State, player: PlayerId) -> None:
    due = own(s).damages[player]
    if due <= s.cash[player]:
        pay(s, player, BANK, due, "damages")
        left = {other: amount for other, amount in own(s).damages.items() if other != player}
        s.own = replace(own(s), damages=left)
        s.pending = tuple(item for item in s.pending if item.step != PAY_DAMAGES.name or item.player != player)
        return
    if not any(item.step == PAY_DAMAGES.name and item.player == player for item in s.pending):
        s.pending = (Pending(PAY_DAMAGES.name, player, player), *s.pending)
    if not can(t, s, SELL_FOR_DAMAGES, player):
        pay(s, player, BANK, s.cash[player], "bankruptcy")
        s.bankrupt |= {player}
        s.facts.append(WentBankrupt(player))
        finish(t, s, "bankrupt")


def missing(s: State, player: PlayerId) -> int:
    """What the player lacks for the damages."""
    return max(0, own(s).damages.get(player, 0) - s.cash[player])


def about_damages(t: Title, s: State) -> str:
    """What whoever is asked has to pay, and by when; "" if nothing."""
    asked = decision(t, s)
    due = next((own(s).damages[player] for player in asked.players if player in own(s).damages), 0)
    if not due:
        return ""
    if asked.step == PAY_DAMAGES.name:
        return f"The earthquake costs you {t.money(due)}: sell shares until your cash covers it, or the game ends."
    which = "this" if s.round == SR else "the next"
    told = f"The earthquake: you pay {t.money(due)} at the end of {which} stock round, or the game ends."
    if s.round == SR:
        return f"{told} No price moves until then."
    return f"{told} Until then no price moves, {HANSHIN} earns nothing, and {HANKYU}, {JR} and {SANYO} half."


def about_trains(t: Title, s: State) -> str:
    """That one of the D-trains on sale brings the earthquake; "" while none can."""
    if s.step != TRAINS_STEP or own(s).quaked or s.broken or D not in bank_trains(t, s):
        return ""
    left = s.depot[D]
    which = "The last D-train" if left == 1 else f"One of the {left} D-trains left"
    return f"{which} brings the earthquake."


def no_more_than_missing(t: Title, s: State, a: SellShares) -> str | None:
    """One share fewer must not be enough."""
    needed = missing(s, a.by)
    value = price(t, s, a.corp)
    enough = -(-needed // value) if value else 0
    return None if a.count <= enough else f"You need {t.money(needed)}: sell at most {n_shares(enough)} of {a.corp}."


def sell_for_damages(t: Title, s: State, a: SellShares) -> None:
    """Sell the shares; who then has enough pays, and who can sell nothing any more is bankrupt. {1890-VAR-17e}"""
    sell(t, s, a.by, a.corp, a.count, falls=a.count)
    collect(t, s)


SELL_FOR_DAMAGES = Verb(
    SellShares,
    shares.blocks_of_shares,
    (shares.has_shares, shares.has_price, shares.pool_room, shares.heir_for_presidency, no_more_than_missing),
    sell_for_damages,
)


PAY_DAMAGES = Step("damages", (SELL_FOR_DAMAGES,))


# Tokens in Itami


def own_turn(t: Title, s: State, a: RestoreToken) -> str | None:
    """A company restores its token in its own turn."""
    if a.corp == s.operating and s.president_of(a.corp) == a.by and not s.pending:
        return None
    return f"It is not {a.corp}'s turn."


def lies_face_down(t: Title, s: State, a: RestoreToken) -> str | None:
    """Only a token that the quake put out of use is restored, once the next stock round is over."""
    if a.corp not in own(s).face_down:
        return f"No token of {a.corp} is out of use."
    return "Tokens are restored after the next stock round." if own(s).quake else None


def restoring_affordable(t: Title, s: State, a: RestoreToken) -> str | None:
    """It costs 100 from the treasury."""
    if s.cash[a.corp] >= RETURNED:
        return None
    return f"That costs {t.money(RETURNED)}; {a.corp} has {t.money(s.cash[a.corp])}."


def tokens_to_restore(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The token of the company whose turn it is, if it lies face down."""
    return [RestoreToken(player, operator(s))] if s.operating in own(s).face_down else []


def restore(t: Title, s: State, a: RestoreToken) -> None:
    """Pay 100 and turn the token in Itami up again. {1890-VAR-17d}"""
    pay(s, a.corp, BANK, RETURNED, "token")
    s.own = replace(own(s), face_down=tuple(corp for corp in own(s).face_down if corp != a.corp))
    spend_token(s, a.corp, RETURNED)
    s.board = s.board.with_token(ITAMI, 0, a.corp)
    s.facts.append(TokenPlaced(a.corp, stop_id(ITAMI, 0), RETURNED, back=True))


RESTORE = Verb(RestoreToken, tokens_to_restore, (own_turn, lies_face_down, restoring_affordable), restore)


def kept_in_itami(t: Title, s: State, a: PlaceToken) -> str | None:
    """Tokens out of use keep their places in Itami, and cannot be placed elsewhere."""
    down = [corp for corp in own(s).face_down if not has_closed(s, corp)]
    if a.corp in down and sum(1 for cost in s.tokens[a.corp] if cost) <= 1:
        return f"The last token of {a.corp} lies face down in {ITAMI}: restore it for {t.money(RETURNED)}."
    if split_stop(a.stop)[0] != ITAMI:
        return None
    if a.corp in down:
        return f"{a.corp} has a token in {ITAMI}, face down."
    free = s.board.places(ITAMI, 0).count(None)
    return None if free > len(down) else f"The free places in {ITAMI} belong to the tokens that lie face down."
