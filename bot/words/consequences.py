"""What an action leads to, in a few words: "leaves ¥173; you keep 30 %; price falls to ¥55; Ben becomes president".

No rule is told a second time: the action was tried in the engine, and here stands what the reader may know of the
positions before and after it, and of what happened in between.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from bot.words.lexicon import Lexicon, listed
from engine import BANK, CHANCE, Action, CorpId, PrivateId, State, TableView, Title, a_rank
from engine import actions as a
from engine import facts as f
from engine.powers import Exchange, ExtraLay, Power, Survives, TokenExchange, lost_to_company
from engine.viewing import Rows

FactT = TypeVar("FactT", bound=f.Fact)


@dataclass(frozen=True, slots=True)
class Trial:
    """An action that was tried, and the table before and after it as far as the reader may know."""

    action: Action
    before: TableView
    after: Rows
    facts: Sequence[f.Fact]
    names: Lexicon

    def happened(self, kind: type[FactT]) -> Iterator[FactT]:
        """What happened before the next company's turn begins, which is another story."""
        here = takewhile(lambda fact: not isinstance(fact, f.TurnBegan), self.facts)
        return (fact for fact in here if isinstance(fact, kind))

    def is_you(self, seat: str) -> bool:
        return self.names.is_you(seat, self.action.by)

    def who(self, do: str, does: str) -> str:
        """Whoever acts and what they do, as the reader is told it: "you keep", "Ben keeps"."""
        seat = self.action.by
        return f"you {do}" if self.is_you(seat) else f"{self.names.plain_player(seat)} {does}"

    @property
    def round_ends(self) -> bool:
        return any(True for _ in self.happened(f.RoundBegan))

    @property
    def hides(self) -> bool:
        """Whether money is hidden that decides what follows of itself, such as steps skipped for want of it."""
        hidden = any(row.operating and row.treasury is None for row in self.before.companies)
        return hidden or any(row.cash is None for row in self.before.players)


def consequences(trial: Trial) -> str:
    """What is worth knowing before the action is chosen; plain text, "" if it says all itself."""
    tellers = AT_ONCE if trial.hides else TELLERS
    return "; ".join(clause for tell in tellers for clause in tell(trial))


def _lost_power(trial: Trial) -> Iterator[str]:
    """What ends with the sale of a private to a company."""
    if isinstance(trial.action, a.CompanyBuysPrivate):
        yield from filter(None, [lost_power(trial.after.title, trial.after.state, trial.action.private)])


def lost_power(title: Title, state: State, private: PrivateId) -> str:
    """What only a player can do with the private, so that it is lost when a company buys it; "" if it is nothing."""
    lost = [LOST[type(one)] for one in title.privates[private].powers if lost_to_company(one)]
    return f"in a company's hands it {listed(lost)}" if lost and private not in state.used else ""


LOST: Mapping[type[Power], str] = {
    ExtraLay: "can no longer lay its tile",
    Exchange: "can no longer be exchanged for a share",
    TokenExchange: "can no longer be exchanged for a share",
    Survives: "closes with the others",
}


def _cost(trial: Trial) -> Iterator[str]:
    """What the president's certificate costs; other labels name their price."""
    if isinstance(trial.action, a.Par):
        moved = [one for one in trial.happened(f.CashMoved) if one.source == trial.action.by and one.why == "share"]
        if paid := sum(one.amount for one in moved):
            yield f"costs {trial.names.money(paid)}"


BUYERS = (a.BuyTrain, a.PlaceToken, a.BuyPassage, a.CompanyBuysPrivate)
"""What a company pays for."""


def _money(trial: Trial) -> Iterator[str]:
    """What the player and the company have left. A new round brings money of its own, so nothing is said then."""
    if isinstance(trial.action, a.Dividend) or trial.round_ends or trial.action.by == CHANCE:
        return
    if isinstance(trial.action, a.ExchangePrivate | a.ClosePrivate) and any(
        row.treasury is None for row in trial.before.companies
    ):
        return  # a company that is merged or closed may pay its owner
    money = trial.names.money
    company = trial.action.corp if isinstance(trial.action, BUYERS) else None
    if company is not None:
        left = _changed(trial.before.company(company).treasury, trial.after.company(company).treasury)
        if left is not None:
            yield f"leaves {company} {money(left[1])}"
    mine = _changed(trial.before.player(trial.action.by).free_cash, trial.after.player(trial.action.by).free_cash)
    if mine is None:
        return
    if mine[1] > mine[0] or isinstance(trial.action, a.GoBankrupt):
        yield f"{trial.who('then have', 'then has')} {money(mine[1])}"
    elif company is not None:
        added, rest = money(mine[0] - mine[1]), money(mine[1])
        yield trial.who(f"add {added} and have {rest} left", f"adds {added} and has {rest} left")
    else:
        yield f"leaves {money(mine[1])}"


def _holding(trial: Trial) -> Iterator[str]:
    """How much of the company is the player's then, and that the private given for it closes."""
    if not isinstance(trial.action, a.BuyShare | a.SellShares | a.ExchangePrivate):
        return
    for one in trial.happened(f.SharesMoved):
        if trial.action.by not in (one.source, one.target):
            continue
        held = dict(trial.after.player(trial.action.by).shares).get(one.corp, 0)
        if isinstance(trial.action, a.ExchangePrivate):
            share = trial.names.percent(one.corp, held)
            yield f"{trial.who('hold', 'holds')} {share} of {one.corp}{_worth(trial, one.corp)}"
            if trial.action.private not in trial.names.own.exchanges:
                yield f"{trial.action.private} closes"
        elif held:
            keeps = one.source == trial.action.by
            has = trial.who("keep", "keeps") if keeps else trial.who("hold", "holds")
            yield f"{has} {trial.names.percent(one.corp, held)}"
        else:
            yield trial.who("keep none", "keeps none")
        return


def _worth(trial: Trial, corp: CorpId) -> str:
    """What a share of the company is worth, if it has a price."""
    row = trial.after.company(corp)
    return "" if row.price is None else f", worth {trial.names.money(row.price)} a share"


def _presidents(trial: Trial) -> Iterator[str]:
    started = {one.corp for one in trial.happened(f.ParSet)}
    for one in trial.happened(f.PresidentChanged):
        if one.corp in started:
            continue
        if trial.is_you(one.target):
            yield f"you become {trial.names.own.head} of {one.corp}"
        elif one.target in trial.names.names:
            yield f"{trial.names.plain_player(one.target)} becomes {trial.names.own.head} of {one.corp}"
        else:
            yield f"{one.corp} then has no {trial.names.own.head}"


OPERATES = "can operate"
"""In place of "floats" of a company that lives on the shares it sells: it may need more sold when its turn comes."""


def _floats(trial: Trial) -> Iterator[str]:
    for one in trial.happened(f.Floated):
        row = trial.after.company(one.corp)
        known = row.treasury is not None and one.capital
        floats = "floats" if one.capital else row.status or OPERATES
        yield f"{one.corp} {floats}" + (f" with {trial.names.money(one.capital)}" if known else "")


def _own_price(trial: Trial) -> Iterator[str]:
    """Where the company's price moves, named where the label does not; a dividend's label says it already."""
    corp = getattr(trial.action, "corp", None)
    what = corp if isinstance(trial.action, a.GoBankrupt) else "price"
    if isinstance(trial.action, a.SellShares) or not (trial.hides or isinstance(trial.action, a.Dividend)):
        yield from (f"{what} {how}" for moved, how in _moves(trial) if moved == corp)


def _last_price(trial: Trial) -> Iterator[str]:
    """That a dividend brings the price to where the game ends."""
    if isinstance(trial.action, a.Dividend) and ends_by_price(trial, trial.action.corp):
        yield trial.names.own.after_price


def ends_by_price(trial: Trial, corp: CorpId) -> bool:
    last = trial.after.title.policy.milestones.last_price
    return last is not None and (trial.after.company(corp).price or 0) >= last


def _conditions(trial: Trial) -> Iterator[str]:
    """Companies that fail, recover or close; a minor closes with its private."""
    for one in trial.happened(f.CompanyChanged):
        if one.corp not in trial.names.privates:
            yield f"{one.corp} is {'then' if one.now else 'no longer'} {one.state}"


def _other_prices(trial: Trial) -> Iterator[str]:
    own = getattr(trial.action, "corp", None)
    yield from (f"{corp} {how}" for corp, how in _moves(trial) if corp != own)


def _moves(trial: Trial) -> Iterator[tuple[CorpId, str]]:
    """Companies with where their prices go: "falls to ¥55"."""
    for corp, one in {one.corp: one for one in trial.happened(f.PriceMoved)}.items():
        was = trial.before.company(corp).price or 0
        if one.price != was:
            yield corp, f"{'falls' if one.price < was else 'rises'} to {trial.names.money(one.price)}"


def _payout(trial: Trial) -> Iterator[str]:
    """Who gets what of a dividend: shares and revenue lie open, so this does, too."""
    if not isinstance(trial.action, a.Dividend):
        return
    seats = {str(row.id): row.name for row in trial.before.players}
    got = earned_by(trial)
    paid = [f"{seats[who]} {trial.names.money(amount)}" for who, amount in got.items() if who in seats and amount]
    if paid:
        yield f"pays {listed(paid)}"
    if kept := got.get(trial.action.corp):
        aid = subsidy_of(trial)
        said = " subsidy" if aid == kept else f", {trial.names.money(aid)} of it subsidy" if aid else ""
        yield f"{trial.action.corp} keeps {trial.names.money(kept)}{said}"


def earned_by(trial: Trial) -> dict[str, int]:
    """What players and the company get of a run."""
    got: dict[str, int] = {}
    for one in trial.happened(f.CashMoved):
        if one.why in ("dividend", "withheld", "subsidy"):
            got[one.target] = got.get(one.target, 0) + one.amount
    return got


def subsidy_of(trial: Trial) -> int:
    """What the company gets beside the revenue, whichever way that is paid."""
    return sum(one.amount for one in trial.happened(f.CashMoved) if one.why == "subsidy")


def _trains(trial: Trial) -> Iterator[str]:
    """What the next phase brings, and which trains go."""
    for begun in trial.happened(f.PhaseBegan):
        yield f"phase {begun.phase} begins"
    for rusted in trial.happened(f.TrainsRusted):
        owners = sorted({str(owner) for owner in rusted.owners} & {row.company.id for row in trial.before.companies})
        yield f"rusts the {rusted.rank}-trains" + (f" of {listed(owners)}" if owners else "")
    for exported in trial.happened(f.TrainExported):
        yield f"{a_rank(exported.rank)}-train leaves the game"
    discarded = sorted({one.corp for one in trial.happened(f.TrainDiscarded)} - {getattr(trial.action, "corp", "")})
    if discarded:
        yield f"{listed(discarded)} must discard"


def _privates(trial: Trial) -> Iterator[str]:
    own = getattr(trial.action, "private", None)
    closed = [one.private for one in trial.happened(f.PrivateClosed) if one.private != own]
    if closed:
        yield f"{listed(closed)} closes" if len(closed) == 1 else f"{listed(closed)} close"


def _bids_met(trial: Trial) -> Iterator[str]:
    """Privates that the bank then sells to those who bid for them."""
    own = getattr(trial.action, "private", None)
    for one in trial.happened(f.PrivateSold):
        if one.source == BANK and one.private != own and one.target in trial.names.names:
            gets = "you get" if trial.is_you(one.target) else f"{trial.names.plain_player(one.target)} gets"
            yield f"{gets} {one.private} for {trial.names.money(one.price)}"


def _ends(trial: Trial) -> Iterator[str]:
    """What ends: the game, or the round and who then has the priority deal."""
    if any(True for _ in trial.happened(f.GameEnded)):
        yield "the game ends"
        return
    if not trial.round_ends:
        return
    yield "the round ends"
    then = trial.after.state
    had = next((row for row in trial.before.players if row.priority), None)
    if had is None or had.id != then.priority:
        yield f"priority deal to {then.names[then.priority]}"


Teller = Callable[[Trial], Iterator[str]]
AT_ONCE: tuple[Teller, ...] = (
    _lost_power, _cost, _money, _payout, _holding, _presidents, _own_price, _last_price,
)  # fmt: skip
"""What the action itself does."""
TELLERS: tuple[Teller, ...] = (
    *AT_ONCE, _conditions, _floats, _trains, _privates, _bids_met, _other_prices, _ends,
)  # fmt: skip
"""And what follows of itself, in the order of what matters most: a list shows a hundred letters."""


def _changed(before: int | None, after: int | None) -> tuple[int, int] | None:
    """The two amounts if both are known and differ."""
    return None if before is None or after is None or before == after else (before, after)
