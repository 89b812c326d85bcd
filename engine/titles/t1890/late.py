"""Late privates: their sale in stock rounds, Kobe Rapid's token and passage, and what each of them brings.

{1890-PRV-14 to -25, 1890-SR-25, 1890-SR-26}
"""

from dataclasses import replace

from engine.actions import Action, BuyPassage, BuyPrivate
from engine.board.reach import reaches
from engine.board.routes import Run, StopRef
from engine.facts import PassageGained, TokenPlaced, TokenReturned
from engine.ids import BANK, RESERVED, CorpId, PlayerId, PrivateId, Rank, stop_id
from engine.money import pay, sell_private
from engine.state import State
from engine.steps import shares, token
from engine.steps.common import operator, own_turn
from engine.steps.privates import face_value_affordable, room_for_private
from engine.title import Title, Verb, of_seat
from engine.titles.t1890 import printed
from engine.titles.t1890.companies import give_back_token, is_public
from engine.titles.t1890.own import own
from engine.titles.t1890.ways import ways
from engine.usual import stop_value

IN_KOBE: StopRef = (printed.KOBE, 0)
FEE = 100
"""1890-PRV-18"""
TRANSIT = PrivateId(printed.KOBE_RAPID)


# Sale


@of_seat
def late_turn(t: Title, s: State, a: Action) -> str | None:
    """Late privates are sold from the second game turn on."""
    return "Late privates are for sale from the second game turn on." if s.turn < 2 else None


def late_unsold(t: Title, s: State, a: BuyPrivate) -> str | None:
    """Only late privates that nobody has bought are for sale."""
    if a.private not in printed.LATE:
        return f"{a.private} is not a late private."
    return None if s.owner[a.private] == RESERVED else f"{a.private} has been sold."


def kobe_has_room(t: Title, s: State, a: BuyPrivate) -> str | None:
    """Kobe Rapid needs a second place in Kobe."""
    if a.private != TRANSIT or printed.KOBE_RAPID not in t.corporations or len(s.board.places(*IN_KOBE)) >= 2:
        return None
    return f"{a.private} is for sale as soon as {printed.KOBE} has two places for tokens."


def late_privates(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each late private that has not been sold."""
    return [BuyPrivate(player, private) for private in printed.LATE if s.owner.get(private) == RESERVED]


def buy_late(t: Title, s: State, a: BuyPrivate) -> None:
    """Pay the value to the bank; Kobe Rapid's token comes to Kobe at once. {1890-SR-26, 1890-PRV-16}"""
    sell_private(s, a.private, BANK, a.by, t.privates[a.private].value)
    shares.note_purchase(s, a.by)
    if a.private == TRANSIT and printed.KOBE_RAPID in t.corporations:
        _enter_kobe(s, a.by)


def _enter_kobe(s: State, player: PlayerId) -> None:
    """Tokens in Kobe but JR's go back to their owners, who may pass; Kobe Rapid's takes a place. {1890-PRV-16, -19}"""
    for corp in s.board.places(*IN_KOBE):
        if corp and corp != printed.JR:
            give_back_token(s, corp, printed.KOBE)
            s.own = replace(own(s), passage=(*own(s).passage, corp))
            s.facts += [TokenReturned(corp, printed.KOBE), PassageGained(corp, TRANSIT, 0)]
    s.board = s.board.with_token(*IN_KOBE, printed.KOBE_RAPID)
    s.tokens[printed.KOBE_RAPID] = ()
    s.president[printed.KOBE_RAPID] = player
    s.facts.append(TokenPlaced(printed.KOBE_RAPID, stop_id(*IN_KOBE), 0))


BUY_LATE = Verb(
    BuyPrivate,
    late_privates,
    (
        shares.one_purchase, shares.must_sell_first, late_turn, late_unsold, face_value_affordable, room_for_private,
        kobe_has_room,
    ),
    buy_late,
)  # fmt: skip


# The right of passage


def transit_in_kobe(t: Title, s: State, a: BuyPassage) -> str | None:
    """The right is there while Kobe Rapid's token lies in Kobe."""
    if printed.KOBE_RAPID in t.corporations and s.board.in_hex(printed.KOBE, printed.KOBE_RAPID):
        return None
    return f"There is no token of {TRANSIT} to pass."


def may_need_passage(t: Title, s: State, a: BuyPassage) -> str | None:
    """Public companies without a token in Kobe buy it; the Subway cannot."""
    if not is_public(t, a.corp) or a.corp == printed.SUBWAY:
        return f"{a.corp} cannot have the right of passage."
    if a.corp in own(s).passage:
        return f"{a.corp} already has the right of passage."
    if s.board.in_hex(printed.KOBE, a.corp):
        return f"{a.corp} has a token in {printed.KOBE} and needs no right of passage."
    return None


def passage_affordable(t: Title, s: State, a: BuyPassage) -> str | None:
    """The treasury pays the bank 100."""
    if s.cash[a.corp] >= FEE:
        return None
    return f"The right of passage costs {t.money(FEE)}; {a.corp} has {t.money(s.cash[a.corp])}."


def kobe_joined(t: Title, s: State, a: BuyPassage) -> str | None:
    """Kobe must be connected as for a token."""
    if reaches(s.board, a.corp, lambda reached: IN_KOBE in reached.stops):
        return None
    return f"No open track joins {printed.KOBE} to a token of {a.corp}."


def rights(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The right for the company whose turn it is, where Kobe Rapid is in play."""
    return [BuyPassage(player, operator(s))] if printed.KOBE_RAPID in t.corporations else []


def about_passage(t: Title, s: State) -> str:
    """What the right is, where the company whose turn it is can have it, whatever money it has; else ""."""
    corp = s.operating
    if corp is None or s.pending or s.step != token.TOKEN.name:
        return ""
    right = BuyPassage(s.president_of(corp) or PlayerId(""), corp)
    needed = (transit_in_kobe, may_need_passage, kobe_joined)
    if s.tokened or any(guard(t, s, right) is not None for guard in needed):
        return ""
    what = f"for {t.money(FEE)}, in place of a token, trains of {corp} pass Kobe as if Kobe Rapid were not there"
    return f"The right of passage: {what}."


def buy_passage(t: Title, s: State, a: BuyPassage) -> None:
    """1890-PRV-18"""
    pay(s, a.corp, BANK, FEE, "passage")
    s.tokened = True
    s.own = replace(own(s), passage=(*own(s).passage, a.corp))
    s.facts.append(PassageGained(a.corp, TRANSIT, FEE))


BUY_PASSAGE = Verb(
    BuyPassage,
    rights,
    (own_turn, token.one_token, transit_in_kobe, may_need_passage, passage_affordable, kobe_joined),
    buy_passage,
)


def passage(s: State, corp: CorpId) -> frozenset[StopRef]:
    """Kobe, for companies with the right: with Kobe Rapid's place taken as free it is never full. {1890-PRV-17}"""
    if corp in own(s).passage and s.board.in_hex(printed.KOBE, printed.KOBE_RAPID):
        return frozenset({IN_KOBE})
    return frozenset()


# What they bring


def share_of_kobe(t: Title, s: State, corp: CorpId, runs: list[Run]) -> None:
    """Kobe Rapid's owner gets half of Kobe for each route of a company without a token there. {1890-PRV-20}"""
    owner = s.owner[TRANSIT]
    if owner not in s.names or s.board.in_hex(printed.KOBE, corp):
        return
    for run in runs:
        if IN_KOBE in run.stops:
            pay(s, BANK, owner, ways(t).kobe_share(t, s, run), "private income")


def half_of_kobe(t: Title, s: State, run: Run) -> int:
    """Half of what Kobe counts for the train. {1890-PRV-20}"""
    return stop_value(t, s, IN_KOBE, Rank(run.train)) // 2


def by_colour_of_kobe(t: Title, s: State, run: Run) -> int:
    """1890-VAR-10"""
    return {"yellow": 10, "green": 15, "brown": 20}[s.board.face(printed.KOBE).face.colour]


def keifuku_income(t: Title, s: State) -> None:
    """1890-PRV-14"""
    if s.owner[printed.KEIFUKU] in s.names and s.board.in_hex(printed.KYOTO, printed.KEIHAN):
        pay(s, BANK, printed.KEIHAN, 40, "private income")


def semboku_income(t: Title, s: State) -> None:
    """1890-PRV-24"""
    if s.owner[printed.SEMBOKU] in s.names:
        for corp in t.corporations:
            if is_public(t, corp) and s.board.in_hex(printed.SAKAI, corp):
                pay(s, BANK, corp, 40, "private income")


def promise_expo(t: Title, s: State) -> None:
    """The first 6-train has been bought. {1890-PRV-23}"""
    s.own = replace(own(s), expo=True)


def expo_dividend(t: Title, s: State) -> None:
    """Once, in the next operating round. {1890-PRV-23}"""
    due = own(s).expo and s.owner[printed.KITA_OSAKA] in s.names
    s.own = replace(own(s), expo=False)
    if due:
        pay(s, BANK, s.owner[printed.KITA_OSAKA], 40, "private income")


INCOMES = (keifuku_income, semboku_income, expo_dividend)
