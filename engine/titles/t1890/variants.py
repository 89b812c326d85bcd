"""The options of 1890: the scenario, its variants, which of them go together, and what each changes.

{1890-SET-01, 1890-VAR}
"""

from collections.abc import Callable
from dataclasses import replace

from engine import usual
from engine.actions import LayTile
from engine.errors import BadAction
from engine.ids import BANK, IPO, RESERVED, CorpId, PrivateId
from engine.money import pay
from engine.printed import Corporation, Private
from engine.state import FIRST, State
from engine.steps import track
from engine.steps.common import END_GAME
from engine.steps.trains import DISCARD
from engine.title import Covers, Milestones, Options, Preset, Secrecy, Settle, Step, Title, Verb
from engine.titles.t1890 import (
    auction,
    companies,
    late,
    minors,
    operating,
    printed,
    privates,
    quake,
    raids,
    run,
    scenarios,
    stock,
)
from engine.titles.t1890.scenarios import C, D, Scenario
from engine.titles.t1890.track import LAY, TRACK, lays_free, leads_on
from engine.titles.t1890.ways import Ways1890, ways

AS_MOST_PLAY = Preset(
    frozenset({"open_treasuries", "shared_calls"}),
    "company money is open, and a 2+2 or 3+3 may use a large call for a small city",
    dict.fromkeys(("scenario_a", "scenario_b"), "company money is open"),
)
COVERS: Covers = {
    "scenario_a": frozenset({"shared_calls"}),
    "scenario_b": frozenset({"shared_calls", "eight_turns"}),
    "special_companies": frozenset({"special_hanshin", "special_hankyu"}),
    "plain_jr_dividend": frozenset({"plain_jr", "private_jr"}),
    "plain_jr_par": frozenset({"plain_jr"}),
    "tigers_die": frozenset({"special_hanshin"}),
}
LESS_CASH = {f"first_player_cash_{less}": less for less in (10, 20, 50, 100)}
OPTIONS: Options = {
    "scenario_a": "Hanshin Railways, the west of the map, for 2 to 4 players (1890-SET-02)",
    "scenario_b": "Keihanshin Railways, both banks of the Yodo, for 2 to 4 players (1890-SET-02)",
    "scenario_d": "1890 Simplified, the whole map without minors 1 to 4 and late privates (1890-SET-16)",
    "special_companies": "A, B: Hanshin and Hankyu have their special rules of scenario C (1890-VAR-01)",
    "special_hanshin": "A, B: only Hanshin has its special rules of scenario C (1890-VAR-24)",
    "special_hankyu": "A, B: only Hankyu has its special rules of scenario C (1890-VAR-25)",
    **{
        option: f"A, B: the first player starts with ¥{less} less; several of these add up (1890-VAR-02)"
        for option, less in LESS_CASH.items()
    },
    "plain_jr": "A, B: JR makes one track action (1890-VAR-03)",
    "plain_jr_dividend": "A, B: JR makes one track action and pays its revenue in full (1890-VAR-22)",
    "plain_jr_par": "A, B: JR makes one track action and may have any par (1890-VAR-23)",
    "eight_turns": "A, B: the game ends after game turn 8 (1890-VAR-04)",
    "closed_edges": "A, B: no track towards hexes outside the scenario, as the rule book literally says (1890-VAR-19)",
    "hidden_cash": "Players' cash is secret (1890-VAR-05)",
    "hidden_train_price": "Prices of trains between companies are secret (1890-VAR-06)",
    "open_treasuries": "Money of companies and minors is shown to all (1890-VAR-20)",
    "shared_calls": "A 2+2 or 3+3 may use its large calls for small cities too (1890-VAR-21)",
    "eight_trains": "A D-train visits eight cities at most (1890-VAR-07)",
    "close_minors": "With the first 6-train Kobe Electric becomes a late private, Nara Electric merges (1890-VAR-08)",
    "end_at_400": "The game ends when a share price reaches 400 (1890-VAR-09)",
    "kobe_rapid_control": "C: Kobe Rapid gets 10, 15 or 20 for each use, by the colour of Kobe (1890-VAR-10)",
    "plain_kinki": "C: Kinki is an ordinary company; no minors 1 to 4 (1890-VAR-11)",
    "no_late_abilities": "C: late privates only pay income, Kobe Rapid 50 (1890-VAR-12)",
    "tile_78": "The brown tile 193 (78) goes only on Nara and cities by the sea or the Yodo (1890-VAR-13)",
    "incremental_float": "Incremental capitalisation; the train on sale sets the shares needed to start (1890-VAR-14)",
    "private_jr": "From phase 6 JR pays in full (1890-VAR-15)",
    "tigers_die": "A die gives the value of brown Nishinomiya for Hanshin (1890-VAR-16)",
    "earthquake": "The Great Hanshin Earthquake comes with one of the D-trains (1890-VAR-17)",
    "air_raids": "C: air raids after the last 3+3-train (1890-VAR-18)",
}
_SHORT = (
    "special_companies", "special_hanshin", "special_hankyu", *LESS_CASH, "plain_jr", "plain_jr_dividend",
    "plain_jr_par", "eight_turns", "closed_edges",
)  # fmt: skip
"""Variants of the scenarios A and B."""
_LATE = ("kobe_rapid_control", "no_late_abilities")


def scenario_of(options: frozenset[str]) -> Scenario:
    """The scenario as the options change it. BadAction if they do not go together."""
    scenario = scenarios.chosen(options)
    _check(scenario, options)
    if "plain_kinki" in options:
        scenario = scenarios.without_minors(scenario)
    if "eight_turns" in options:
        scenario = replace(scenario, turns=8)
    return scenario


def _check(scenario: Scenario, options: frozenset[str]) -> None:
    short = scenario not in (C, D)
    for option in _SHORT:
        if option in options and not short:
            raise BadAction(f"{option} is a variant of the scenarios A and B.")
    for option in _LATE:
        if option in options and not scenario.late:
            raise BadAction(f"{option} changes the late privates, which only scenario C has.")
    if set(_LATE) <= options:
        raise BadAction("Without abilities Kobe Rapid has no income to control: choose one of the two.")
    if "plain_kinki" in options and not scenario.forms_kinki:
        raise BadAction("Only scenario C forms Kinki out of minors, so only there plain_kinki changes anything.")
    if "air_raids" in options and (not scenario.trains.get("3+3") or "plain_kinki" in options):
        raise BadAction("The air raids come with the last 3+3-train, and this game has none.")


def corporations(scenario: Scenario, options: frozenset[str]) -> dict[CorpId, Corporation]:
    """The scenario's companies; without the abilities of late privates there is no Kobe Rapid. {1890-VAR-12}"""
    chosen = scenarios.corporations(scenario)
    if "no_late_abilities" in options:
        del chosen[printed.KOBE_RAPID]
    return chosen


def private_companies(scenario: Scenario, options: frozenset[str]) -> dict[PrivateId, Private]:
    """The scenario's privates, minors and late privates, the last with or without abilities. {1890-VAR-12}"""
    chosen = scenarios.privates(scenario)
    if "no_late_abilities" in options:
        for sym in scenario.late:
            chosen[sym] = replace(chosen[sym], note="No special power.")
        chosen[late.TRANSIT] = replace(chosen[late.TRANSIT], revenue=50)
    elif "kobe_rapid_control" in options:
        chosen[late.TRANSIT] = replace(chosen[late.TRANSIT], note=printed.CONTROLLED_TRANSIT)
    if "close_minors" in options:
        kobe_electric = PrivateId(printed.KOBE_ELECTRIC)
        note = f"{chosen[kobe_electric].note} With the first 6-train it becomes one."
        chosen[kobe_electric] = replace(chosen[kobe_electric], note=note)
    return chosen


_BRINGS = {
    "air_raids": ("2½", "the last 3+3-train brings air raids"),
    "eight_trains": ("5", "D-trains visit eight cities at most"),
    "incremental_float": ("5", "companies started from then on need 50 % sold"),
    "earthquake": ("5", "one of the D-trains brings the earthquake"),
    "private_jr": ("6", "JR pays in full"),
}
"""What variants bring with a phase. {1890-VAR-07, 1890-VAR-14b, 1890-VAR-15, 1890-VAR-17, 1890-VAR-18}"""


def phase_notes(scenario: Scenario, options: frozenset[str]) -> dict[str, str]:
    """What begins with a phase beside what the table of phases says, for people. {1890-PHS-03 to -06, 1890-TRK-02}"""
    by_phase: dict[str, list[str]] = {}
    privates_in_play = scenarios.privates(scenario)
    for minor, phase in minors.MUST.items():
        if scenario.forms_kinki and PrivateId(minor) in privates_in_play:
            must = "must become Kinki" if minor == printed.OE else "must join Kinki"
            by_phase.setdefault(phase, []).append(f"{privates_in_play[PrivateId(minor)].name} {must}")
    if "close_minors" in options:
        kobe_electric = privates_in_play[PrivateId(printed.KOBE_ELECTRIC)].name
        by_phase.setdefault("5", []).append(f"{kobe_electric} must become a late private")
    by_phase.setdefault("4", []).append("privates close")
    if _lays_two(options):
        by_phase["4"].append("JR lays one tile a turn")
    for option, (phase, note) in _BRINGS.items():
        if option in options and not (option == "private_jr" and "plain_jr_dividend" in options):
            by_phase.setdefault(phase, []).append(note)
    return {phase: "; ".join(notes) for phase, notes in by_phase.items()}


def _lays_two(options: frozenset[str]) -> bool:
    """1890-VAR-03, 1890-VAR-22, 1890-VAR-23"""
    return not options & {"plain_jr", "plain_jr_dividend", "plain_jr_par"}


_COMPANIES = replace(
    usual.COMPANIES,
    par_set=stock.begin_incremental,
    payee=stock.payee,
    float_count=stock.float_count,
    homes="turn",  # 1890-TOK-01
    waiting_homes=companies.waiting_homes,
    beside=raids.waiting_at,
    lays_free=lays_free,
    operating_order=companies.operating_order,
    status=companies.status,
)


def ways_of(scenario: Scenario, options: frozenset[str]) -> Ways1890:
    """The answers to what differs by scenario and variant."""
    rules = scenario.company_rules or "special_companies" in options
    able = bool(scenario.late) and "no_late_abilities" not in options
    die = "tigers_die" in options
    after_run = ((late.share_of_kobe,) if able else ()) + ((run.throw_for_tigers,) if die else ())
    after_train = (
        privates.close_with_train,
        *((quake.after_train,) if "earthquake" in options else ()),
        *((raids.after_train,) if "air_raids" in options else ()),
    )
    return Ways1890(
        auctions=replace(usual.AUCTIONS, bought=privates.bought),
        holdings=replace(usual.HOLDINGS, counts_private=companies.counts_private),
        privates=replace(usual.PRIVATES, blocks=privates.still_blocks, value=privates.value, note=privates.note),
        companies=_COMPANIES,
        trains=usual.TRAINS,
        routes=replace(usual.ROUTES, turn_incomes=run.with_tigers, aims=run.aims, best_required=False),  # 1890-RTE-10
        dividends=replace(usual.DIVIDENDS, per_share=run.per_share, price_spared=run.in_special_turn),
        prices=replace(usual.PRICES, frozen=quake.frozen, moved=companies.price_moved),
        secrecy=_secrecy(options),
        milestones=_milestones(scenario, options),
        scenario=scenario,
        kobe_converts_in="5" if "close_minors" in options else "",
        incremental="incremental_float" in options,
        jr_par=None if "plain_jr_par" in options else 100,
        jr_tiles=2 if _lays_two(options) else 1,
        jr_pays_half="plain_jr_dividend" not in options,
        jr_full_in="6" if "private_jr" in options else "",
        tigers=not die and (rules or "special_hanshin" in options),
        hankyu=rules or "special_hankyu" in options,
        kobe_share=late.by_colour_of_kobe if "kobe_rapid_control" in options else late.half_of_kobe,
        incomes=late.INCOMES if able else (),
        after_run=after_run,
        after_train=after_train,
    )


def _secrecy(options: frozenset[str]) -> Secrecy:
    return replace(
        usual.SECRECY,
        open_treasuries="open_treasuries" in options,  # 1890-SEC-02
        open_cash="hidden_cash" not in options,
        open_train_prices="hidden_train_price" not in options,
    )


def _milestones(scenario: Scenario, options: frozenset[str]) -> Milestones:
    return replace(
        usual.MILESTONES,
        set_up=_set_up(sum(less for option, less in LESS_CASH.items() if option in options)),
        stock_closing=quake.collect,
        stock_ended=operating.stock_ended,
        last_turn=scenario.turns,
        bank_broken=usual.broken_below_zero,  # 1890-END-02
        last_round=lambda t, s: usual.last_of_set(t, s) or operating.price_reached(t, s),
        last_price=400 if "end_at_400" in options else None,
        reminder=_reminder(options),
    )


def _reminder(options: frozenset[str]) -> Callable[[Title, State], str]:
    """What the earthquake costs, which train brings it or the air raids, what ends the game, the right of passage."""
    tells = (
        quake.about_damages,
        *((quake.about_trains,) if "earthquake" in options else ()),
        *((raids.about_trains,) if "air_raids" in options else ()),
        operating.about_price,
        late.about_passage,
    )
    return lambda t, s: " ".join(filter(None, (told(t, s) for told in tells)))


def _set_up(less: int) -> Settle:
    def set_up(t: Title, s: State) -> None:
        privates.set_late_aside(t, s)
        pay(s, FIRST, BANK, less, "setup")  # 1890-VAR-02
        if ways(t).scenario.forms_kinki:
            s.shares[printed.KINKI] = {IPO: 4, RESERVED: 6}  # 1890-COR-06
            s.president[printed.KINKI] = RESERVED

    return set_up


def interrupts(scenario: Scenario, options: frozenset[str]) -> tuple[Step, ...]:
    """The decisions that interrupt turns, with those that the variants add."""
    steps = [DISCARD, auction.SET_PAR, privates.LAST_TILE, *((minors.JOIN,) if scenario.forms_kinki else ())]
    if "tigers_die" in options:
        steps.append(run.TIGERS_DIE)
    if "earthquake" in options:
        steps += [quake.DRAW, quake.PAY_DAMAGES]
    return tuple(steps)


def anytime(options: frozenset[str]) -> tuple[Verb, ...]:
    """The verbs that are open beside those of the steps."""
    restore = (quake.RESTORE,) if "earthquake" in options else ()
    return (minors.DECLARE, privates.COMPANY_LAY, *restore, END_GAME)


def track_step(options: frozenset[str]) -> Step:
    """The track step, with what variants change about lays. {1890-VAR-13, 1890-VAR-18c, 1890-VAR-19}"""
    lay = LAY.swap(leads_on, track.leads_somewhere) if "closed_edges" in options else LAY
    if "tile_78" in options:
        lay = lay.plus(place_for_78)
    if "air_raids" in options:
        lay = lay.swap(track.reachable, raids.reachable).swap(track.upgrade_joined, raids.upgrade_joined)
        lay = replace(lay, candidates=raids.lays)
    return TRACK.swap(LAY, lay)


def place_for_78(t: Title, s: State, a: LayTile) -> str | None:
    """The tile comes only to Nara, the sea and the Yodo."""
    if a.tile != printed.TILE_78 or a.hex in printed.BY_WATER:
        return None
    return f"Tile {t.number(a.tile)} is only for Nara and for cities by the sea or the Yodo, not for {a.hex}."


def token_step(scenario: Scenario, options: frozenset[str]) -> Step:
    """Where Kobe Rapid is in play, its passage is bought in place of a token. {1890-PRV-18}"""
    place = operating.PLACE.plus(quake.kept_in_itami) if "earthquake" in options else operating.PLACE
    passage = (late.BUY_PASSAGE,) if scenario.late and "no_late_abilities" not in options else ()
    step = operating.TOKEN.swap(operating.PLACE, place)
    return step.plus(*passage)
