"""What is secret is shown to nobody else: not in messages, lists, pictures, history, refusals or suggestions.

Everybody is given sums of money that nothing else in the game amounts to; what others can read is searched for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from club import Club, text
from club import walk as components
from player import private_answer
from tables import NAMES, table

import engine
import renderer
from bot.chat.commands import full_label
from bot.chat.layout import view
from bot.chat.screen import Screen, where
from bot.core.errors import TableError
from bot.core.moves import EVENTS, Move
from bot.core.orders import Orders
from bot.core.position import Position
from bot.core.secrecy import LISTED, public_choices, secret_kinds, standing_kinds, treasury_hidden
from bot.core.table import Table
from bot.core.work import Work
from bot.rooms.seats import game_files
from bot.rooms.seats.options import host_must_not_see
from bot.rooms.time.late import Late
from bot.rooms.turn import cards, deals
from bot.rooms.turn.controls import add_controls, add_menu, by_kind
from bot.rooms.watching.room import digest_text
from bot.words.labels import CONTROLS
from bot.words.narration import narrate
from bot.words.programs import sentence, stopped
from engine import actions as a
from engine.action_json import to_json
from engine.charting import CHARTS, chart
from engine.ids import CHANCE, CorpId, PlayerId
from engine.state import State
from engine.title import Title
from programs import BidFor, Buy, Operate, PassAhead
from records.simulate import choose, steps
from storage import Game, Seat, Tenures, Watch

GAME = "0123456789ab"
PURSES = (3739, 5467, 7181, 8923)
"""What players have at first. Prices, values and incomes are all below 1,000, but for the D-train's."""
TREASURE = 21013
"""Put into each treasury once the company has floated."""
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+")
CONTENTS = [
    ["hidden_cash"],
    ["hidden_cash", "scenario_a"],
    pytest.param(["hidden_cash", "scenario_d"], marks=pytest.mark.slow),
]


def numbers(text: str) -> set[int]:
    return {int(found.replace(",", "")) for found in NUMBER.findall(text)}


def secrets_from(t: Title, s: State, viewer: str | None) -> set[int]:
    """Sums that the viewer (None: the public) must not read anywhere."""
    purses = {s.cash[player] for player in s.players if player != viewer}
    worths = {t.policy.holdings.worth(t, s, player) for player in s.players if player != viewer}
    free = {engine.money.free_cash(s, player) for player in s.players if player != viewer}
    chests = {s.cash[corp] for corp in s.floated if viewer is None or s.president_of(corp) != viewer}
    return {amount for amount in purses | worths | free | chests if amount > 1200} - {s.cash[engine.BANK]}


def read(screen: Screen) -> str:
    """Everything in a message: texts, labels, what controls carry, and what pictures are said to show."""
    found = [one for one in components(view(screen).to_components()) if isinstance(one, dict)]
    return "\n".join([str(found), *(image.alt for image in screen.images)])


def public_reading(position: Position) -> Iterator[str]:
    """All that everybody can open, apart from the list of moves."""
    here: Any = SimpleNamespace(position=position, title=position.title, id=GAME, game=SimpleNamespace(id=GAME))
    for seat in position.state.players:
        yield read(cards.player_screen(here, seat))
    for corp in position.title.corporations:
        yield read(cards.company_screen(here, corp, None))
    yield read(cards.privates_screen(here)) + read(cards.trains_screen(here))
    yield where(position)
    yield renderer.table_picture(position.table()).alt + renderer.market_picture(position.market()).alt
    yield renderer.map_picture(position.board(), width=400).alt
    yield repr(position.table()) + repr(position.market())


async def public_moves(position: Position) -> str:
    screen = Screen("x", game=GAME, seq=position.seq)
    kept = {"secret": secret_kinds(position).difference(LISTED), "standing": standing_kinds(position)}
    add_controls(screen, await public_choices(position), position.labels(), **kept)
    return read(screen)


async def private_reading(position: Position, seat: str) -> Iterator[str]:
    """What one person can open, have completed, or be refused with."""
    actions, labels, found = await position.actions(seat), position.labels(seat), []
    screen = Screen("x", game=GAME, seq=position.seq)
    add_controls(screen, actions, labels)
    for kind, some in by_kind(actions).items():
        add_menu(screen, kind, some, labels)
    found += [read(screen), *(full_label(labels, one) for one in actions)]
    found += [repr(position.table(seat)), *refusals(position, seat)]
    return iter(found)


def refusals(position: Position, seat: str) -> Iterator[str]:
    """What the engine answers to the moves of whoever is up, tried by somebody else or with absurd sums."""
    t, s = position.title, position.state
    up = position.up[0]
    for action in list(engine.legal(t, s, up))[:80] if up != CHANCE else []:
        tries = [replace(action, by=PlayerId(seat))]
        tries += [replace(one, price=99_991) for one in tries if hasattr(one, "price")]  # type: ignore[call-arg]
        tries += [replace(one, amount=99_991) for one in tries if hasattr(one, "amount")]  # type: ignore[call-arg]
        for one in tries:
            refusal = engine.judge(t, s, one)
            if refusal is not None:
                yield str(refusal)


def game_with_odd_sums(options: list[str], players: int, seed: int, most: int) -> Iterator[tuple[Title, State, State]]:
    """(title, position, next position) of a random game in which nobody's money could be anything else."""
    t, chance, rich = engine.build("1890", players, options), Random(seed), set[CorpId]()
    s = engine.start(t, NAMES[:players])
    for player, purse in zip(s.players, PURSES, strict=False):
        s.cash[player] = purse
    for _ in range(most):
        if s.over:
            return
        after = engine.apply(t, s, choose(t, s, chance))
        for corp in set(after.floated) - rich:
            after.cash[corp] += TREASURE + 1013 * len(rich)
            rich.add(corp)
        yield t, s, after
        s = after


@pytest.mark.rule("1890-VAR-05", "1890-SEC-02")
@pytest.mark.parametrize("options", CONTENTS, ids=lambda options: "+".join(options))
@pytest.mark.long
async def test_no_message_list_picture_or_refusal_tells_what_another_has(options: list[str], work: Work) -> None:
    looked = 0
    for number, (t, s, after) in enumerate(game_with_odd_sums(options, 3, 5, 260)):
        position = Position(t, s, 54321, dict(s.names), work, s.facts)
        told = "\n".join(narrate(after.facts, position.lexicon()))
        if not after.over:
            assert not numbers(told) & secrets_from(t, after, None), told
        if number % 20 or not position.up or position.chance:
            continue
        looked += 1
        for words in [await public_moves(position), *public_reading(position)]:
            leaked = numbers(words) & secrets_from(t, s, None)
            assert not leaked, (leaked, words[:300])
        for seat in s.players:
            for words in await private_reading(position, seat):
                leaked = numbers(words) & secrets_from(t, s, seat)
                assert not leaked, (seat, leaked, words[:300])
    assert looked >= 10


@pytest.mark.long
@pytest.mark.rule("1890-VAR-05", "1890-SEC-02")
def test_no_chart_tells_what_another_has_or_ever_had_until_the_end() -> None:
    *_, (t, _, last) = game = list(game_with_odd_sums(["hidden_cash"], 3, 5, 200))
    states = [game[0][1], *(after for _, _, after in game)]
    for viewer in (None, "p2"):
        secret = set().union(*(secrets_from(t, one, viewer) for one in states))
        for name in CHARTS:
            view = chart(t, states, name, None if viewer is None else PlayerId(viewer))
            for words in (repr(view), renderer.chart_picture(view).alt):
                assert not numbers(words) & secret, (viewer, name, words)
    mine = t.policy.holdings.worth(t, last, PlayerId("p2"))
    assert mine in numbers(repr(chart(t, states, "worth", PlayerId("p2"))))
    over = engine.apply(t, last, a.EndGame(PlayerId("p1")))
    assert {worth for _, worth in engine.scores(t, over)} <= numbers(repr(chart(t, [*states, over], "worth")))


@pytest.mark.rule("1890-VAR-05", "1890-SEC-02")
@pytest.mark.parametrize("options", CONTENTS, ids=lambda options: "+".join(options))
@pytest.mark.long
def test_no_program_tells_its_owner_what_another_has(options: list[str], work: Work) -> None:
    """What a program does, and why it stops, are the same in words for whoever could press it."""
    orders, told = Orders({}, {}), 0
    for seq, (t, s, after) in enumerate(game_with_odd_sums(options, 3, 5, 260)):
        names = Position(t, s, 54321, dict(s.names), work).lexicon()
        for seat in s.players:
            started = list(s.par) or [next(iter(t.corporations))]
            mine = [corp for corp in t.corporations if s.president_of(corp) == seat and corp in s.floated]
            kinds = [PassAhead(), BidFor(private=list(t.privates)[-1], most=5), Buy(corp=started[-1], most=60)]
            kinds += [Operate(corp=corp, trains="next") for corp in mine]
            for program in kinds if len(orders.desk(seat).kept) < 4 else []:
                orders.desks[seat] = orders.desk(seat).having(program)
        action = next((one for one in engine.legal(t, s, s.up) if isinstance(one, a.Pass)), a.Pass(s.up))
        orders.move(t, s, engine.decision(t, s))
        orders.moved(t, s, action, after, seq)
        for seat, halt in orders.halts:
            assert halt.program is not None
            words, told = stopped(halt.program, halt.cause, names) + sentence(halt.program, names), told + 1
            assert not numbers(words) & secrets_from(t, s, seat), words
        orders.halts = []
    assert told >= 10


@pytest.mark.broad
async def test_the_search_finds_what_is_open(work: Work) -> None:
    t, s, _ = next(game_with_odd_sums([], 3, 5, 1))
    position = Position(t, s, 54321, dict(s.names), work)
    found = set().union(*(numbers(words) for words in public_reading(position)))
    assert set(PURSES[:3]) <= found


async def test_whoever_has_the_money_sees_it(work: Work) -> None:
    t, s, _ = next(game_with_odd_sums(["hidden_cash"], 3, 5, 1))
    position = Position(t, s, 54321, dict(s.names), work)
    assert PURSES[0] in numbers(repr(position.table("p1")))
    assert PURSES[1] not in numbers(repr(position.table("p1")))


@pytest.mark.rule("1890-VAR-05")
async def test_the_public_list_of_moves_is_the_same_for_rich_and_poor(work: Work) -> None:
    """What somebody can pay for is listed to him alone."""
    shown = []
    for purse in (4, 4000):
        t, s = table("1890", 3, "hidden_cash").cash(p1=purse).build()
        shown.append(await public_moves(Position(t, s, 5, dict(s.names), work)))
    assert shown[0] == shown[1]
    assert CONTROLS[a.Par].opener in shown[0]


@pytest.mark.rule("1860-TRN-11", "1860-SEC-02")
@pytest.mark.parametrize("cash", [0, 900])
async def test_what_nobody_could_do_however_rich_is_not_on_offer(work: Work, cash: int) -> None:
    """With hidden cash, *Start a company…* stood there when all had started, and *Buy from a player…* in the first
    stock round, in which no private changes hands.
    """

    def at(t: Title, s: State) -> Position:
        return Position(t, s, 5, dict(s.names), work)

    box = table("1890", 3, "hidden_cash", "plain_kinki").private(A="p2").cash(p1=cash)
    first = await public_moves(at(*box.stock(turn=1).build()))
    assert "Start a company…" in first
    assert "Buy from a player…" not in first
    for corp in (one for one, said in box.title.corporations.items() if said.shares > 1):
        box = box.par(corp, 100).shares(corp, p2=5)
    later = await public_moves(at(*box.stock(turn=2).build()))
    assert "Start a company…" not in later
    assert "Buy from a player…" in later


async def test_a_company_with_secret_credits_is_offered_the_end_of_its_turn_whether_it_must_buy_or_not(
    work: Work,
) -> None:
    """That it was missing told everybody that the company had the money, and its director nothing."""
    shown = []
    for credits in (0, 900):
        built = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").cash(**{"C&N": credits}).build()
        shown.append(await public_choices(Position(*built, 5, dict(built[1].names), work)))
    assert shown[0] == shown[1]
    assert a.Pass(PlayerId("p1")) in shown[0]


@pytest.mark.rule("1860-TRN-11", "1860-SEC-02")
@pytest.mark.parametrize("trains", [0, 1])
async def test_the_others_are_asked_the_same_about_a_late_director_whether_the_company_must_buy_or_not(
    work: Work, trains: int
) -> None:
    """That they could not pass for them told everybody that the company had the money for a train."""
    asked = []
    for credits in (0, 900):
        laid = table("1860").par("C&N").shares("C&N", p1=5).operating("C&N", "trains").cash(**{"C&N": credits})
        t, s = laid.trains("C&N", *["2"] * trains).build()
        here: Any = SimpleNamespace(position=Position(t, s, 5, dict(s.names), work), tenures=Tenures())
        look: Any = SimpleNamespace(clock=SimpleNamespace(can_wait=lambda seat: True))
        run: Any = SimpleNamespace(seat="p1")
        asked.append(await Late(here, look, run, run).ways())
    assert asked[0] == asked[1] == ["wait", *(["pass"] if trains else []), "bot", "open"]


@pytest.mark.parametrize(("title", "options"), [("1889", []), ("1860", []), ("1890", ["earthquake"])])
@pytest.mark.long
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_all_that_can_be_done_is_public_where_a_treasury_is_hidden(
    title: str, options: list[str], work: Work, whole: bool
) -> None:
    """Also what a step does not offer, but the owner of a private or a company may do at any time."""
    t, found = engine.build(title, 3, options), set[type[a.Action]]()
    wanted = {a.LayTile, a.PlaceToken, a.BuyTrain}
    for seed in (1, 2):
        if wanted <= found and not whole:
            break
        for number, (_, s) in enumerate(islice(steps(t, NAMES[:3], seed), None if whole else 500)):
            position = Position(t, s, 5, dict(s.names), work)
            if number % 5 or not position.up or position.chance or not treasury_hidden(position):
                continue
            public, real = await public_choices(position), await position.choices()
            assert {type(one) for one in real} <= {type(one) for one in public}
            found |= {type(one) for one in real}
    assert wanted <= found


@pytest.mark.rule("1889-PRV-06")
async def test_the_tile_of_a_private_is_offered_where_a_treasury_is_hidden(work: Work) -> None:
    """It is no part of a step."""
    box = table("1889").par("AR", 100, (0, 3)).shares("AR", p1=5).par("IR", 100, (0, 3)).shares("IR", p2=5)
    t, s = box.private(B="p1").operating("AR", "track").cash(AR=300).build()
    position = Position(t, s, 5, dict(s.names), work)
    assert treasury_hidden(position)
    assert a.LayPowerTile in map(type, await public_choices(position))


def in_need(work: Work, purse: int, *options: str, phase: str = "2") -> Position:
    """Hankyu has a route and must buy a train, in phase 2 a 3 for 180, with its 15 and what its president has."""
    laid = table("1890", 3, *options).phase(phase).par("Hankyu").shares("Hankyu", p1=6).par("Nankai", 70)
    laid = laid.shares("Nankai", president="p2", p1=4, p2=5).operating("Hankyu", "trains")
    t, s = laid.tile("E12", "57", 1).tile("E10", "57", 1).cash(p1=purse, Hankyu=15).build()
    return Position(t, s, 5, dict(s.names), work)


@pytest.mark.rule("1890-VAR-05")
async def test_a_forced_sale_does_not_show_what_is_missing(work: Work) -> None:
    position = in_need(work, 10, "hidden_cash")
    assert a.SellShares in map(type, await position.choices())
    assert a.SellShares in secret_kinds(position)
    assert "SellShares|" not in (await public_moves(position)).replace("menu|SellShares", "")


@pytest.mark.rule("1890-VAR-05", "1890-EMR-02")
@pytest.mark.parametrize(("phase", "bankrupt"), [("2", False), ("6", True)])
@pytest.mark.parametrize("options", [["hidden_cash"], ["hidden_cash", "open_treasuries"]])
async def test_whether_a_president_can_pay_for_a_forced_train_is_told_to_nobody_else(
    work: Work, options: list[str], phase: str, bankrupt: bool
) -> None:
    in_want, at_ease = [in_need(work, purse, *options, phase=phase) for purse in (10, 900)]
    poor, rich = await public_moves(in_want), await public_moves(at_ease)
    assert (a.GoBankrupt in map(type, await in_want.choices())) == bankrupt
    assert poor == rich
    assert CONTROLS[a.SellShares].opener in poor
    assert ("Buy a 3-train: ¥180" in poor) != bankrupt


@pytest.mark.rule("1889-SEC-03", "1889-EMR-03")
@pytest.mark.parametrize(("phase", "bankrupt"), [("3", False), ("6", True)])
async def test_whether_a_treasury_and_its_president_can_pay_for_a_forced_train_is_told_to_nobody_else(
    work: Work, phase: str, bankrupt: bool
) -> None:
    shown, ruin = [], []
    for treasury in (0, 100, 1500):
        laid = table("1889").phase(phase).par("AR", 80).shares("AR", p1=5).par("IR", 90).shares("IR", p2=5, p1=2)
        laid = laid.operating("AR", "trains", then=("IR",)).tile("K8", "57", 1)
        t, s = laid.cash(AR=treasury, IR=1600 - treasury, p1=100).build()
        ruin += [one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, a.GoBankrupt)]
        shown.append(await public_moves(Position(t, s, 5, dict(s.names), work)))
    assert shown[0] == shown[1] == shown[2]
    assert CONTROLS[a.SellShares].opener in shown[0]
    assert bool(ruin) is bankrupt


@pytest.mark.rule("1890-VAR-06")
def test_the_price_of_a_train_between_companies_is_told_to_nobody_else(work: Work) -> None:
    laid = table("1890", 3, "hidden_train_price").operating("Hanshin", "trains").par("Hanshin", 80)
    laid = laid.shares("Nankai", president="p2", p2=5).par("Nankai", 70).trains("Nankai", "2", "2")
    t, s = laid.cash(Hanshin=800).build()
    action = a.BuyTrain(PlayerId("p1"), CorpId("Hanshin"), engine.actions.Rank("2"), "Nankai", 437)
    assert engine.judge(t, s, action) is None
    position = Position(t, s, 5, dict(s.names), work)
    seats = {seat: SimpleNamespace(user_id=int(seat[1:])) for seat in s.players}
    here: Any = SimpleNamespace(title=t, position=position, seats=seats, game=SimpleNamespace(id=GAME))
    offer: Any = SimpleNamespace(body=deals.json.dumps(to_json(action)), to_seat="p2", seq=5, id=1)
    shown = read(deals.offer_screen(here, offer))
    assert 437 not in numbers(shown)
    assert "See the price" in shown
    assert 437 in numbers(deals.described(here, action, public=False))
    after = engine.apply(t, s, action)
    told = narrate(after.facts, position.lexicon())
    assert any("buys a 2-train" in line for line in told)
    assert not any(437 in numbers(line) for line in told)
    game = Game(GAME, 1, 2, "1890", '["hidden_train_price"]', "{}", "running", 1, 0, 0, None, None, 5, 1)
    people = [Seat(GAME, number, number, f"N{number}", 0, None) for number in (1, 2, 3)]
    followed = Table(SimpleNamespace(), work, game, people)  # type: ignore[arg-type]
    followed.moves = [Move(5, action, 1, None, after)]
    everything = Watch(1, GAME, "follow", 9, 0, ",".join(EVENTS), 60, 0, 0, None)
    digest = digest_text(followed, everything)
    assert digest is not None
    assert "buys a 2-train" in digest
    assert 437 not in numbers(digest)


def test_a_host_who_acts_for_others_would_see_their_money() -> None:
    for options in ([], ["hidden_cash"], ["hidden_train_price"]):
        with pytest.raises(TableError, match="cannot act for other players"):
            host_must_not_see("1890", options)


def test_the_export_says_that_the_other_program_does_not_play_it() -> None:
    t = engine.build("1890", 3, ["hidden_cash"])
    game = SimpleNamespace(started_at=None, created_at=0)
    here: Any = SimpleNamespace(title=t, moves=[], names={"p1": "A", "p2": "B", "p3": "C"}, game=game)
    with pytest.raises(TableError, match=r"18xx\.games does not have"):
        game_files.record_of(here)


@pytest.mark.rule("1890-VAR-06")
async def test_buyer_and_seller_open_the_price_and_nobody_else(club: Club) -> None:
    here = await club.begin(3, "1890", options="hidden_train_price")
    laid = table("1890", 3, "hidden_train_price").operating("Hanshin", "trains").par("Hanshin", 80)
    laid = laid.shares("Nankai", president="p2", p2=5).par("Nankai", 70).trains("Nankai", "2", "2")
    _, s = laid.cash(Hanshin=800).build()
    here.position = Position(here.title, s, here.position.seq, here.names, here.work)
    buyer, seller, other = (club.who(seat, here) for seat in ("p1", "p2", "p3"))
    made = await buyer.slash(club.channel, "train buy", train="BuyTrain|Hanshin|2|Nankai|437|", price=437)
    assert "¥437" in text(private_answer(made))
    offer = club.packet()
    assert "437" not in text(offer)
    for member in (buyer, seller):
        assert "¥437" in text(private_answer(await member.click(offer, label="See the price")))
    refused = private_answer(await other.click(offer, label="See the price"))
    assert "Only the buyer and the seller" in text(refused)
    assert "437" not in text(refused)
    await seller.click(offer, label="Decline")
    assert not any("437" in text(message) for message in club.channel.history())
