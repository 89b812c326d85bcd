"""Minor companies: how they begin, become Kinki or join it, and how Kobe Electric becomes a late private."""

from dataclasses import replace

from engine.actions import Action, ExchangePrivate, Pass
from engine.depot import ask_discards
from engine.facts import Announced, CompanyChanged, Floated, Passed, PresidentChanged, PrivateClosed, TokenGone
from engine.ids import BANK, IPO, OR, RESERVED, CorpId, PlayerId, PrivateId
from engine.money import pay
from engine.shares import settle_presidency, shift
from engine.state import CLOSED, NO_STEP, Pending, State
from engine.steps.common import just_pass
from engine.steps.token import spend_token
from engine.title import Step, Title, Verb
from engine.titles.t1890.companies import has_closed, leave, pays_as_it_sells, reached, take_up, wind_up
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import (
    CAPITAL,
    FORMED_IN,
    KANAN,
    KINKI,
    KOBE_ELECTRIC,
    NARA_ELECTRIC,
    OE,
    OSAKA_RAILWAY,
    RESERVED_FOR,
)
from engine.titles.t1890.ways import ways

_MAY = {OE: "2", KANAN: "2", NARA_ELECTRIC: "4", KOBE_ELECTRIC: "1"}
"""From which phase a minor may change. {1890-MIN-08, 1890-MIN-11, 1890-MIN-13, 1890-MIN-17}"""
MUST = {OE: FORMED_IN, KANAN: "3", NARA_ELECTRIC: "5"}
"""In which phase it must."""


# Beginning


def found_minor(t: Title, s: State, minor: CorpId, player: PlayerId) -> None:
    """A player bought the minor's certificate: it starts with its fixed capital, whatever was paid. {1890-MIN-01}"""
    s.president[minor] = player
    s.floated |= {minor}
    s.facts.append(Floated(minor, CAPITAL[minor]))
    pay(s, BANK, minor, CAPITAL[minor], "capital")


# Declaring


def own_minor(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """Only some minors change, by the will of their owner."""
    if CorpId(a.private) not in _MAY:
        return f"{a.private} cannot be exchanged."
    return None if s.owner[a.private] == a.by else f"Only the owner of {a.private} decides that."


def in_operating_round(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """Changes are declared in operating rounds."""
    if s.round == OR and not s.pending:
        return None
    return "That is declared in an operating round, between company turns."


def phase_come(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """Osaka Electric changes, and Kanan with it, from phase 2 on."""
    wanted = _MAY[CorpId(a.private)]
    if CorpId(a.private) == NARA_ELECTRIC or reached(t, s, wanted):
        return None
    return f"{a.private} can do that only from phase {wanted} on."


def nara_phase_come(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """Nara Electric merges from phase 4 on."""
    wanted = _MAY[NARA_ELECTRIC]
    if CorpId(a.private) != NARA_ELECTRIC or reached(t, s, wanted):
        return None
    return f"{a.private} can merge into {KINKI} only from phase {wanted} on."


def kinki_there(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """Kanan and Nara Electric merge into a Kinki that exists."""
    if CorpId(a.private) not in (KANAN, NARA_ELECTRIC):
        return None
    if has_closed(s, KINKI):
        return f"{KINKI} has closed, so {a.private} cannot merge into it."
    return None if own(s).formed else f"{KINKI} has not been formed yet."


def nothing_to_choose(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """What the minor becomes is fixed, so no company or source is named."""
    return None if a.corp is None and a.source is None else f"What {a.private} becomes cannot be chosen."


def still_late(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """A change is made once."""
    if CorpId(a.private) in own(s).declared:
        return f"{a.private} changes as soon as this turn ends."
    return f"{a.private} is already a late private." if a.private in own(s).uncounted else None


def own_minors(t: Title, s: State, player: PlayerId) -> list[Action]:
    """In operating rounds, the change of each minor that the player owns."""
    if s.round != "OR":
        return []
    return [ExchangePrivate(player, PrivateId(minor)) for minor in _MAY if s.owner.get(PrivateId(minor)) == player]


def declare(t: Title, s: State, a: ExchangePrivate) -> None:
    """At once while no company operates; otherwise when the present turn ends. {1890-MIN-06, 1890-MIN-17}"""
    minor = CorpId(a.private)
    own_turn = minor == KOBE_ELECTRIC and s.operating == minor
    if s.operating is not None and s.begun and not own_turn:
        s.own = replace(own(s), declared=(*own(s).declared, minor))
        s.facts.append(Announced(f"{minor} declared"))
        return
    if not own_turn:
        _step_back(s)
    change(t, s, minor)


def _step_back(s: State) -> None:
    """The company that is next has not begun: what happens now happens before its turn."""
    if s.operating is not None:
        s.queue = (s.operating, *s.queue)
        s.operating = None
        s.step = NO_STEP


DECLARE = Verb(
    ExchangePrivate,
    own_minors,
    (own_minor, in_operating_round, phase_come, nara_phase_come, kinki_there, still_late, nothing_to_choose),
    declare,
    anybody=True,
)


# What happens


def change(t: Title, s: State, minor: CorpId) -> None:
    """The minor becomes what it may become."""
    if minor == OE:
        form_kinki(t, s)
    elif minor == KOBE_ELECTRIC:
        become_late(t, s)
    else:
        merge(t, s, minor)
    ask_discards(t, s, None)


def between_turns(t: Title, s: State) -> None:
    """What was declared during the turn, then what the phase forces. {1890-MIN-07}"""
    declared = own(s).declared
    s.own = replace(own(s), declared=())
    for minor in declared:
        joins = minor in (KANAN, NARA_ELECTRIC)
        if s.owner[PrivateId(minor)] in s.names and not (joins and has_closed(s, KINKI)):
            change(t, s, minor)
    for minor, phase in MUST.items():
        if PrivateId(minor) in s.owner and reached(t, s, phase) and s.owner[PrivateId(minor)] in s.names:
            _force(t, s, minor)
    late = ways(t).kobe_converts_in
    if late and reached(t, s, late) and KOBE_ELECTRIC in s.floated:
        change(t, s, KOBE_ELECTRIC)


def _force(t: Title, s: State, minor: CorpId) -> None:
    if minor == OE:
        change(t, s, minor)
    elif has_closed(s, KINKI):  # 1890-MIN-16
        _gone(s, minor)
        wind_up(t, s, minor)
    elif own(s).formed:
        change(t, s, minor)


def form_kinki(t: Title, s: State) -> None:
    """Osaka Electric becomes Kinki, Osaka Railway joins it; it has a turn at once. {1890-MIN-08 to -10, 1890-COR-08}"""
    s.own = replace(own(s), formed=True)
    owner = s.owner[PrivateId(OE)]
    s.president[KINKI] = owner
    s.floated |= {KINKI}
    _take_over(t, s, OE)
    _take_over(t, s, OSAKA_RAILWAY)
    sold = 4 - s.held(KINKI, IPO)
    extra = (sold if pays_as_it_sells(t, s, KINKI) else 4) * s.par[KINKI]
    s.facts.append(Floated(KINKI, extra))
    pay(s, BANK, KINKI, extra, "capital")  # 1890-COR-09, 1890-VAR-14d
    s.own = replace(own(s), special_turn=True)
    s.queue = (KINKI, *s.queue)
    kanan = s.owner[PrivateId(KANAN)]
    if kanan in s.names and not reached(t, s, MUST[KANAN]):
        s.pending += (Pending(JOIN.name, PlayerId(kanan), KANAN),)
        return
    if kanan not in s.names:  # else it follows at once, and settles who presides
        settle_presidency(t, s, KINKI)
    _tell_first_president(s, owner)


def _tell_first_president(s: State, owner: str) -> None:
    """Until all has merged that merges with the forming, whoever had Osaka Electric presides. {1890-COR-08}"""
    if s.president[KINKI] == owner:
        s.facts.append(PresidentChanged(KINKI, RESERVED, owner))


def merge(t: Title, s: State, minor: CorpId) -> None:
    """Kanan or Nara Electric merges into Kinki. {1890-MIN-11 to -13}"""
    _take_over(t, s, minor)
    settle_presidency(t, s, KINKI)


def _take_over(t: Title, s: State, minor: CorpId) -> None:
    """Money, trains and tokens go to Kinki, its reserved certificates to the owner. {1890-MIN-09 to -14}"""
    s.facts.append(Announced(f"{minor} merges"))
    owner = s.owner[PrivateId(minor)]
    cash = s.cash[minor]
    kept = -(-cash // 2) if minor == KANAN else cash
    pay(s, minor, KINKI, kept, "merger")
    secrecy = t.policy.secrecy
    public = secrecy.open_cash or secrecy.open_treasuries  # else it would tell what the minor had
    pay(s, minor, owner, cash - kept, "half" if public else "merger")
    s.trains[KINKI] += s.trains[minor]
    s.trains[minor] = ()
    taken = RESERVED_FOR[minor]
    shift(s, KINKI, RESERVED, owner if owner in s.names else IPO, taken, 0)
    if t.corporations[minor].tokens_of is None:
        for hex_id, index in s.board.token_stops(minor):
            if s.board.in_hex(hex_id, KINKI):
                take_up(s, minor, hex_id)
            else:
                s.board = s.board.with_token_changed(hex_id, index, minor, KINKI)
                spend_token(s, KINKI, 0)
            s.facts.append(TokenGone(minor, hex_id))
    _gone(s, minor)
    leave(t, s, minor)


def _gone(s: State, minor: CorpId) -> None:
    s.owner[PrivateId(minor)] = CLOSED
    s.president[minor] = CLOSED
    s.facts.append(PrivateClosed(PrivateId(minor)))
    s.facts.append(CompanyChanged(minor, "closed", True))
    s.own = replace(own(s), closed=(*own(s).closed, minor))


def become_late(t: Title, s: State) -> None:
    """Kobe Electric gives all it has to the bank, which sells its train again; its certificate stays, worth nothing.

    {1890-MIN-18}
    """
    for rank in s.trains[KOBE_ELECTRIC]:
        s.depot[rank] += 1
    s.trains[KOBE_ELECTRIC] = ()
    s.president[KOBE_ELECTRIC] = CLOSED
    kept, private = own(s), PrivateId(KOBE_ELECTRIC)
    s.own = replace(
        kept,
        closed=(*kept.closed, KOBE_ELECTRIC),
        uncounted=(*kept.uncounted, private),
        face_zero=(*kept.face_zero, private),
    )
    s.facts.append(CompanyChanged(KOBE_ELECTRIC, "a late private", True))
    wind_up(t, s, KOBE_ELECTRIC)


# Kanan with the formation


def asked_to_join(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """With the formation only Kanan's owner is asked."""
    subject = s.pending[-1].subject
    return None if a.private == subject else f"Only {subject} can join {KINKI} now."


def kanan(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Kanan joins."""
    return [ExchangePrivate(player, PrivateId(KANAN))]


def join(t: Title, s: State, a: ExchangePrivate) -> None:
    """Kanan merges with the formation of Kinki. {1890-MIN-11}"""
    s.pending = tuple(item for item in s.pending if item.step != JOIN.name)
    owner = s.president[KINKI]
    change(t, s, KANAN)
    _tell_first_president(s, owner)


def stay_out(t: Title, s: State, a: Pass) -> None:
    """Kanan does not merge now; it may do so later. {1890-MIN-11}"""
    s.facts.append(Passed(a.by, JOIN.name))
    s.pending = tuple(item for item in s.pending if item.step != JOIN.name)
    owner = s.president[KINKI]
    settle_presidency(t, s, KINKI)
    _tell_first_president(s, owner)


JOIN = Step(
    "join",
    (Verb(ExchangePrivate, kanan, (asked_to_join, nothing_to_choose), join), Verb(Pass, just_pass, (), stay_out)),
)
