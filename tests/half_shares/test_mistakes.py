"""Mistakes that authors of titles make, put into 18HS one at a time: `check-title` says what and where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.contract import Broken, report, rules
from cli.contract.box import box_is_sound
from cli.contract.brute import Tried
from cli.contract.checks import CHECKS
from cli.contract.moves import money_stays_secret, questions_change_nothing, stays
from cli.contract.play import Setup, Trail, of_title, walk
from cli.contract.report import Fault, checked
from cli.contract.rules import guards_are_asked, rules_are_known
from cli.contract.sound import audit_move
from engine import BANK, TITLES, Refused, State, Title, apply, build, start
from engine.actions import Action, LayTile, Pass
from engine.board.tiles import face
from engine.frozen import dataclass
from engine.ids import OR, SR
from engine.powers import Blocks, CompanyLay, Exchange
from engine.printed import COLOURS, HexDef, Market, PriceCell, Private, Terrain
from engine.state import Own
from engine.steps import track
from half_shares import title as half
from half_shares.test_check_title import with_lay, with_step
from half_shares.title import RECIPE

Spoil = Callable[[Title], Title]


@pytest.fixture(autouse=True)
def half_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, RECIPE.id, RECIPE)
    monkeypatch.setattr(rules, "LEDGERS", Path(__file__).parent)


def some(table: str, key: str, **changes: Any) -> Spoil:
    """The title with another record in one of its tables."""

    def spoil(t: Title) -> Title:
        records: Mapping[str, Any] = getattr(t, table)
        spoilt: dict[str, Any] = {table: {**records, key: replace(records[key], **changes)}}
        return replace(t, **spoilt)

    return spoil


@dataclass(frozen=True, kw_only=True)
class Remembered(Own):
    """What nobody should keep like this."""

    laid: list[str] = field(default_factory=list)
    seats: dict[int, str] = field(default_factory=dict)
    last: str = field()


def hexed(name: str, printed: HexDef) -> Spoil:
    return lambda t: replace(t, hexes={**t.hexes, name: printed})


def phased(index: int, **changes: Any) -> Spoil:
    return lambda t: replace(
        t, phases=tuple(replace(one, **changes) if at == index else one for at, one in enumerate(t.phases))
    )


def marketed(*rows: tuple[PriceCell | None, ...]) -> Spoil:
    return lambda t: replace(t, market=Market((*rows, *t.market.rows)))


def private(*powers: Any, note: str = "It pays.") -> Spoil:
    return lambda t: replace(t, privates={"P": Private("P", "Pier", 20, 5, powers, note)})


def grey(*track_: str) -> HexDef:
    return HexDef(face("gray", "town:10", " ".join(track_)), name="Grey")


PAR = PriceCell(100, par=True)


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (lambda t: replace(t, id="18HF"), "The title calls itself 18HF, its recipe 18HS."),
        (lambda t: replace(t, currency="£"), "The currency '£' leaves out the amount"),
        (lambda t: replace(t, cash=2400), "2 players get £4,800; the bank has £4,000."),
        (lambda t: replace(t, cert_limit=0), "The certificate limit of 2 players is 0."),
        (some("corporations", "WL", id="WW"), "corporations['WL'] is WW."),
        (some("trains", "3", rank="33"), "trains['3'] is the rank 33."),
        (hexed("A3", HexDef(face("white"))), "A3 lies between the hexes of a flat map"),
        (hexed("H9", HexDef(face("white"))), "H9 has no neighbour on the map."),
        (hexed("E6", grey("0-a", "2-a")), "E6 has track to nowhere: over side 0 no track can go on."),
        (hexed("B1", HexDef(face("red", "offboard:yellow=2,brown=4", "2-a"), name="F")), "B1 has track to nowhere"),
        (hexed("B1", HexDef(face("red", "offboard:yellow=2,brown=4"), name="F")), "no track leads to its offboard."),
        (hexed("B1", HexDef(face("red", "offboard:yelow=2,brown=4", "0-a"), name="F")), "has no value for yellow"),
        (hexed("B1", HexDef(face("red", "offboard:yelow=2,brown=4", "0-a"), name="F")), "value for 'yelow', no tier"),
        (some("hexes", "A2", impassable=frozenset({6})), "A2 names sides that are not 0 to 5."),
        (some("hexes", "A2", joined=frozenset({0})), "A2 is joined across side 0 to a hex that is not joined to it."),
        (some("hexes", "B3", terrain=Terrain(20, frozenset({"watter"}))), "B3 shows 'watter', which no picture knows."),
        (some("hexes", "B3", terrain=Terrain(-20, frozenset({"water"}))), "A tile on B3 costs -20."),
        (some("hexes", "B3", icons=("destination:XX",)), "B3 is the destination of XX, which is no company."),
        (some("hexes", "C2", name=""), "C2 has a city, but no name."),
        (some("hexes", "C2", name="N" * 41), "The name of C2 has 41 letters; there is room for 40."),
        (lambda t: replace(t, supply={**t.supply, "57": 0}), "There are 0 tiles 57."),
        (some("tiles", "9", face=face("yellow", "", "4-2")), "Tile 9 shows the same as tile 8."),
        (some("tiles", "57", fixed_rotation=6), "Tile 57 lies only at rotation 6; there are 0 to 5."),
        (some("corporations", "WL", president_shares=24), "The president's certificate of WL is 24 of 20 shares"),
        (some("corporations", "WL", float_shares=30), "WL floats with 30 of 20 shares."),
        (some("corporations", "WL", certificate="P9"), "WL has its certificate from P9, which is no private."),
        (some("corporations", "WL", tokens_of="XX"), "WL uses the tokens of XX, which is no company."),
        (some("corporations", "WL", formed_in="9"), "WL is formed in phase 9, which does not exist."),
        (some("corporations", "WL", colour="#fff"), "The colour of WL is '#fff', not #rrggbb."),
        (some("corporations", "WL", colour="#cc2035"), "The colours of WL (#cc2035) and NL (#cc2233) can hardly be"),
        (some("corporations", "WL", name="W" * 41), "The name of WL has 41 letters; there is room for 40."),
        (some("corporations", "WL", name="Northern Lakes"), "WL and NL are both called Northern Lakes."),
        (some("corporations", "WL", kind="minor"), "WL is minor; phase 2, 3, 4, 5 has no train limit for that kind."),
        (some("corporations", "WL", homes=()), "WL has no home."),
        (some("corporations", "WL", homes=(("Z9", 0),)), "The home of WL, Z9, is not on the map."),
        (some("corporations", "WL", homes=(("A6", 0),)), "The home of WL, stop 0 of A6, is no city."),
        (some("corporations", "WL", homes=(("C2", 0),)), "C2 is the home of WL, NL, but has room for 1 only."),
        (some("corporations", "WL", token_costs=()), "WL has a home, but no token for it."),
        (some("corporations", "WL", token_costs=(30, 60)), "The home token of WL is free, but its first price is 30"),
        (some("corporations", "WL", token_costs=(0, -30)), "A token of WL costs -30."),
        (some("trains", "2", rusts_on="6"), "The 2-trains rust on 6, which is no train that comes later."),
        (some("trains", "3", rusts_on="2"), "The 3-trains rust on 2, which is no train that comes later."),
        (some("trains", "2", reach=0), "The 2-trains: price 60, 5 of them, reach 0."),
        (some("trains", "5", tier="deisel"), "The 5-trains count the tier 'deisel', which no stop has."),
        (phased(2, starts_on="7"), "The 2-trains rust on 4, but no phase begins with it, so nothing happens."),
        (phased(2, starts_on="7"), "Phase 4 starts on 7; the first starts on None, others on a train."),
        (phased(2, name="3"), "Two phases are called 3."),
        (phased(2, operating_rounds=0), "Phase 4 has 0 operating rounds."),
        (phased(2, train_limit={"public": 0}), "The train limit of phase 4 is 0 (public)."),
        (phased(2, colours=("yellow", "brown")), "Phase 4 has the colours yellow, brown; they come as yellow, green"),
        (phased(3, colours=COLOURS[:1]), "Phase 5 has fewer colours than phase 4."),
        (phased(2, rule=""), "Phase 4 names no rule."),
        (lambda t: replace(t, phases=(t.phases[0], *t.phases[:0:-1])), "Phase 4 comes after 5, but its train is sold"),
        (lambda t: replace(t, market=Market(((PriceCell(10),),))), "The market has no par cell."),
        (marketed((PAR, None, PAR)), "Row 0 of the market has a gap."),
        (marketed((PAR, PriceCell(10))), "Row 0 of the market falls from 100 to 10."),
        (marketed((replace(PAR, zone="red"),)), "The cell of 100 in row 0 is in zone 'red', which the market"),
        (marketed((replace(PAR, arrow="up"),)), "The cell of 100 in row 0 has the arrow 'up', which leads to no cell."),
        (marketed((replace(PAR, arrow="dwn"),)), "has the arrow 'dwn', which leads to no cell."),
        (private(Blocks(("K5",))), "P: Blocks names K5, which does not exist."),
        (private(Exchange("XX")), "P: Exchange names XX, which does not exist."),
        (marketed((PriceCell(0, par=True),)), "The cell of 0 in row 0 is a par."),
        (private(CompanyLay((), ())), "P: CompanyLay does nothing, as no step has the action LayPowerTile."),
        (private(Exchange("WL")), "P: Exchange does nothing, as no step has the action ExchangePrivate."),
        (private(note=""), "P has no note on what it does."),
        (lambda t: replace(t, own=Remembered), "`Remembered.laid` is list[str]: positions hold records"),
        (lambda t: replace(t, own=Remembered), "`Remembered.seats` has numbers for keys, which come back as text."),
        (lambda t: replace(t, own=Remembered), "`Remembered.last` has no default."),
        (lambda t: replace(t, opening="AUC"), "The game opens with AUC, which is no round."),
        (lambda t: replace(t, rounds={SR: t.rounds[SR]}), "There is no round OR."),
        (lambda t: with_step(t, (step := t.own_step(track.TRACK)).plus(step.verbs[0])), "Step track has two verbs"),
    ],
)  # fmt: skip
def test_a_slip_in_the_box_is_told(mistake: Spoil, told: str) -> None:
    with pytest.raises(Broken) as broken:
        box_is_sound(mistake(build("18HS", 2)), "18HS")
    assert told in str(broken.value)


def test_all_slips_are_told_at_once_and_each_once() -> None:
    t = some("trains", "2", price=0)(some("corporations", "WL", homes=(("C2", 0),))(build("18HS", 2)))
    with pytest.raises(Broken) as broken:
        box_is_sound(t, "18HS")
    assert [line.split()[0] for line in str(broken.value).splitlines()] == ["C2", "The"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"options": {"one_lay": "One lay (18HS-VAR-09)"}}, "Option one_lay cites 18HS-VAR-09, which is no rule"),
        ({"options": {"one_lay": ""}}, "Option one_lay has no sentence."),
        ({"options": {"one_lay": "One."}, "build": lambda n, o: half.build(n, frozenset())}, "one_lay changes nothing"),
        ({"as_most_play": replace(RECIPE.as_most_play, options=frozenset({"x"}))}, "COVERS names the option x, which"),
    ],
)  # fmt: skip
def test_a_slip_in_the_recipe_is_told(changes: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "18HS", replace(RECIPE, **changes))
    with pytest.raises(Broken) as broken:
        box_is_sound(build("18HS", 2), "18HS")
    assert told in str(broken.value)


def test_a_guard_that_is_cited_but_was_forgotten_is_told() -> None:
    kinds = [build("18HS", 2), build("18HS", 2, ["one_lay"])]
    guards_are_asked(kinds[0], kinds)
    lays = [t.own_step(track.TRACK).by_action[LayTile].without(track.in_supply) for t in kinds]
    forgetful = [with_lay(t, guards=lay.guards) for t, lay in zip(kinds, lays, strict=True)]
    with pytest.raises(Broken, match="in_supply is cited for 18HS-TRK-05, but no verb asks it"):
        guards_are_asked(forgetful[0], forgetful)


def test_an_event_that_never_happens_is_told() -> None:
    t = replace(build("18HS", 2), event_rules={"rusts": "18HS-TRN-01"})
    with pytest.raises(Broken, match="`event_rules` has rusts: there is no such event"):
        rules_are_known(t)


def test_a_rule_that_is_in_the_ledger_twice_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = (Path(__file__).parent / "18HS.md").read_text(encoding="utf-8")
    (tmp_path / "18HS.md").write_text(f"{ledger}- **18HS-TRK-05** Once more.\n", encoding="utf-8")
    monkeypatch.setattr(rules, "LEDGERS", tmp_path)
    with pytest.raises(Broken, match="18HS-TRK-05 is in the ledger twice"):
        rules_are_known(build("18HS", 2))


def test_a_refusal_that_is_no_text_is_told_with_its_guard() -> None:
    def says_false(t: Title, s: State, a: LayTile) -> Any:
        return False

    t = build("18HS", 2)
    lay = t.own_step(track.TRACK).by_action[LayTile]
    spoilt = with_lay(replace(t, cites={**t.cites, says_false: "18HS-TRK-01"}), guards=(*lay.guards[:1], says_false))
    with pytest.raises(Broken, match="A refusal of says_false is no sentence: False"):
        Tried().look(spoilt, laying(t))


def laying(t: Title) -> State:
    """A position in which a tile is laid next."""
    return next(before for before, action, _ in walk(t, 1) if isinstance(action, LayTile))


def test_a_guard_that_changes_the_position_is_told_with_what_it_changes() -> None:
    def counts(t: Title, s: State, a: LayTile) -> str | None:
        s.last_paid["WL"] = s.last_paid.get("WL", 0) + 1
        return None

    t = build("18HS", 2)
    spoilt = with_lay(replace(t, cites={**t.cites, counts: "18HS-TRK-01"}), guards=(counts,))
    with pytest.raises(Broken, match=r"Asking what is possible changed the position: `last_paid`."):
        list(stays(walk(spoilt, 1)))
    s = laying(t)
    with pytest.raises(Broken, match=r"`legal` changed `last_paid`."):
        questions_change_nothing(spoilt, s, Pass(s.president_of(s.operating)))  # type: ignore[arg-type]


def test_a_pass_that_leads_nowhere_is_told() -> None:
    t = build("18HS", 2)
    step = t.own_step(track.TRACK)
    old = step.by_action[Pass]
    t = with_step(t, step.swap(old, replace(old, perform=lambda t, s, a: None)))
    with pytest.raises(Broken, match=r"Pass\(by='p.'\) changes nothing: the same is asked again."):
        list(stays(walk(t, 1)))


def test_what_chance_decides_outside_the_log_is_told() -> None:
    random = Random(1)

    def somehow(t: Title, s: State, a: Action) -> None:
        s.last_run["WL"] = random.randrange(10**9)

    t = with_lay(build("18HS", 2), perform=somehow)
    s = laying(build("18HS", 2))
    lay = next(action for _, action, _ in walk(build("18HS", 2), 1) if isinstance(action, LayTile))
    with pytest.raises(Broken, match=r"another position the second time: `last_run`."):
        questions_change_nothing(t, s, lay)


def test_money_that_moves_untold_is_told() -> None:
    t = build("18HS", 2)
    s = start(t, ["Ann", "Ben"])
    after = apply(t, s, Pass("p1"))
    after.cash["p1"] -= 10
    after.cash[BANK] += 10
    with pytest.raises(Broken, match=r"p1 has -£10 more, but is told to have got £0."):
        audit_move(t, s, after)


@pytest.mark.parametrize("told", ["`milestones.reminder` tells p1", "What is legal tells p1"])
def test_secret_money_that_is_given_away_is_told(told: str) -> None:
    def rich(t: Title, s: State, *_: object) -> str:
        return f"Ben has {s.cash['p2']}." if s.cash["p2"] > 400 else ""

    t = build("18HS", 2, ["hidden_cash"])
    policy = t.policy
    if told.startswith("`"):
        spoilt = replace(t, policy=replace(policy, milestones=replace(policy.milestones, reminder=rich)))
    else:
        step = t.share_step()
        buying = replace(step.verbs[1], guards=(lambda t, s, a: rich(t, s) or None,))
        round_ = replace(t.rounds[SR], steps=(step.swap(step.verbs[1], buying),))
        cites = {**t.cites, buying.guards[0]: "18HS-SR-01"}
        spoilt = replace(t, rounds={**t.rounds, SR: round_}, cites=cites)
    money_stays_secret(t, start(t, ["Ann", "Ben"]))
    with pytest.raises(Broken) as broken:
        money_stays_secret(spoilt, start(spoilt, ["Ann", "Ben"]))
    assert told in str(broken.value).replace("everybody", "p1")


def test_what_is_wrong_only_late_in_a_game_is_found_by_trying_everything() -> None:
    def buys_of_the_offering(t: Title, s: State, player: str) -> list[Action]:
        return [action for action in buy.candidates(t, s, player) if action.source == "ipo"]  # type: ignore[attr-defined]

    t, tried = build("18HS", 4), Tried()
    step = t.share_step()
    buy = step.verbs[0]
    step = step.swap(buy, replace(buy, candidates=buys_of_the_offering))
    t = replace(t, rounds={**t.rounds, SR: replace(t.rounds[SR], steps=(step,))})
    with pytest.raises(Broken, match=r"Legal at step shares, but not among the candidates: .*source='pool'"):
        _ = [tried.look(t, s) for s, _, _ in walk(t, 1, 400)]  # type: ignore[func-returns-value]


def test_what_is_offered_twice_is_found_wherever_it_is() -> None:
    t = build("18HS", 2)
    s = laying(t)
    with pytest.raises(Broken, match="Step track offers something twice"):
        Tried().look(with_lay(t, candidates=lambda t, s, p: 2 * list(half.lays(t, s, p))), s)


def test_an_action_that_is_offered_and_refused_is_named() -> None:
    lay = LayTile("p1", "WL", "A4", "57", 0)
    fault = Fault(CHECKS[0], Trail(Setup("18HS", 2), 1), Refused(lay, "18HS-TRK-01", "Not like that."))
    assert fault.text == f"{lay} is offered and refused: Not like that. [18HS-TRK-01]"


def test_an_error_in_shared_code_names_the_titles_own_line_too() -> None:
    t = build("18HS", 2)
    with pytest.raises(AssertionError) as error:
        list(half.lays(t, start(t, ["Ann", "Ben"]), "p1"))
    text = Fault(CHECKS[0], Trail(Setup("18HS", 2), 1), error.value).text
    assert text.startswith("AssertionError:  (tests/half_shares/title.py:")
    assert "in lays: yield from track.every_lay(t, s, player); engine/" in text


@pytest.mark.broad
def test_a_loop_that_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def proceed(t: Title, s: State) -> None:
        while s.round == OR:
            pass
        half.stock_round().proceed(t, s)

    def endless(players: int, options: frozenset[str]) -> Title:
        t = half.build(players, options)
        return replace(t, rounds={**t.rounds, OR: replace(t.rounds[OR], proceed=proceed)})

    monkeypatch.setattr(report, "STUCK", 0.3)
    monkeypatch.setitem(TITLES, "18HS", replace(RECIPE, build=endless))
    games = next(check for check in CHECKS if check.name == "games")
    (fault,) = checked(games, [Setup("18HS", 2), Setup("18HS", 3)], [1]).faults
    assert "Is this a loop that never ends? (" in fault.text
    assert "in proceed: " in fault.text
    assert "report.py" not in fault.text


@pytest.mark.long
def test_tiles_hexes_and_phases_that_never_came_up_are_known() -> None:
    t = hexed("E2", HexDef(face("white", "town town"), name="Moss"))(build("18HS", 2))
    trail = Trail(Setup("18HS", 2), 1)
    for _ in trail.walk(t):
        pass
    unseen = of_title(t) - trail.seen
    assert "hex E2" in unseen
    assert not {"hex A4", "tile 5", "phase 3", "rank 2", "corp WL"} & unseen
