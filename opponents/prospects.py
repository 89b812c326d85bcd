"""What positions are worth: the dividends, prices and duties to come of each company, along one course of the game."""

from __future__ import annotations

from engine import CLOSED, POOL, State, Title
from engine.ids import OR, RESERVED, SR, CorpId, PlayerId, PrivateId
from engine.money import free_cash, set_aside
from engine.shares import certificates, successor, worth
from opponents import ruin
from opponents.earning import awaited, opening, unformed
from opponents.facts import TitleFacts, facts_of
from opponents.forecast import NEVER, Course, Outcome, Prospect
from opponents.sketch import firm_of, takes_part, turn_left
from opponents.sketch_stock import JOINED
from opponents.weights import STANDARD, Weights

HURRIED = 0.5
"""How likely all is thought to come an operating round earlier, where that would ruin somebody."""
MINOR = 14.0
"""What the owner of a minor company that has not begun may get of it in an operating round."""
HOPE = 0.75
"""How likely others join in as far as they can."""
SOON = 4
"""How many operating rounds ahead a president must have the money for trains, or sell shares."""
COMES = 0.4
"""How likely the colour or phase that a company waits for comes as soon as thought: others may take their time."""
TRAINLESS = 2
"""For how many operating rounds a private pays that closes when the company buys a train that came with it."""
SAVING = 2
"""How many operating rounds before its last has a train, at most, a company begins to save for the next."""
SPARE = 1.3
"""How many times the shares needed to float a company others must have the money for, to be sure that they join in."""
DIVIDENDS = 40
"""What everybody may get until shares can be bought again."""


class Valuation:
    """What a position is worth to everybody along a course."""

    def __init__(self, t: Title, s: State, course: Course, weights: Weights = STANDARD) -> None:
        self.t, self.s, self.course, self.w = t, s, course, weights
        self.facts: TitleFacts = facts_of(t)

    def outcome(self) -> Outcome:
        """The worth of each seat at the end."""
        t, s, w = self.t, self.s, self.w
        seats = list(s.players)
        limit = t.policy.holdings.cert_limit(t, s)
        worth, owed, soon = [], [0.0] * len(seats), [0.0] * len(seats)
        for seat in seats:
            free = certificates(t, s, seat) < limit
            growth = 1 + w.cash_growth * max(0, self.course.rounds - self._until_shares()) if free else 1.0
            bid = set_aside(s, seat)
            worth.append((s.cash[seat] - bid) * growth + bid)
        firms = self.firms()
        for corp, prospect in firms.items():
            for index, seat in enumerate(seats):
                worth[index] += s.held(corp, seat) * prospect.worth
            head = s.president[corp]
            if head in s.names:
                index = seats.index(PlayerId(head))
                worth[index] += w.control + w.treasury * prospect.left
                for bearer, part in self._bearers(corp, PlayerId(head)):
                    owed[seats.index(bearer)] += part * prospect.owed
                    soon[seats.index(bearer)] += part * prospect.soon
                if t.corporations[corp].certificate is not None:
                    worth[index] += t.corporations[corp].shares * prospect.paid
        self._add_privates(seats, worth)
        for index, seat in enumerate(seats):
            worth[index] -= w.pay_fear * owed[index]
            shares = w.raised * ruin.to_raise(t, s, seat) if w.raised and soon[index] > s.cash[seat] else 0.0
            worth[index] -= w.poor_fear * max(0.0, soon[index] - s.cash[seat] - shares)
        self._expect_bankruptcy(worth, firms)
        return Outcome(worth, owed, firms)

    def firms(self) -> dict[CorpId, Prospect]:
        """What the companies promise, once those have a train that can get one of another of their president's."""
        shared = Valuation(self.t, self._shared(), self.course, self.w)
        return {corp: prospect for corp in self.t.corporations if (prospect := shared.prospect(corp)) is not None}

    def _shared(self) -> State:
        """The position once each company that can pay for no train has bought one, for next to nothing, of another of
        its president's that has two which last."""
        t, s, facts = self.t, self.s, self.facts
        rank = self.course.on_sale(0)
        if rank < 0 or not facts.presidents_pay or not t.phases[s.phase].trades_trains:
            return s
        for corp in t.corporations:
            if corp in s.floated and not s.trains[corp] and 0 < s.cash[corp] < facts.trains[rank].price:
                for other in t.corporations:
                    lasting = [own for own in s.trains[other] if self.course.rust[facts.place[own]] > 0]
                    if s.president[other] == s.president[corp] and len(lasting) > 1:
                        s = s.copy()
                        kept = list(s.trains[other])
                        kept.remove(lasting[0])
                        s.trains[corp], s.trains[other] = (lasting[0],), tuple(kept)
                        break
        return s

    def _expect_bankruptcy(self, worth: list[float], firms: dict[CorpId, Prospect]) -> None:
        """Who goes bankrupt loses all, and ends the game for all: they are worth, as likely as that is, what they have
        then."""
        dangers = self.dangers(firms)
        rounds, worst = max(dangers, key=lambda danger: danger[1])
        if not worst:
            return
        for index, then in enumerate(ruin.ended(self.t, self.s, firms, rounds)):
            own = dangers[index][1]
            worth[index] -= own * max(0.0, worth[index])
            if own < worst:
                worth[index] += worst * (then - worth[index])

    def dangers(self, firms: dict[CorpId, Prospect]) -> list[ruin.Danger]:
        """By seat, the bankruptcy to be feared: as the course is, or if all comes an operating round earlier."""
        plain = ruin.dangers(self.t, self.s, firms)
        if not self.facts.presidents_pay or not self.course.sale:
            return plain
        hurried = Valuation(self.t, self.s, self.course.hurried(), self.w)
        sooner = hurried.firms()
        return [
            max(one, (rounds, HURRIED * chance), key=lambda danger: danger[1])
            for one, (rounds, chance) in zip(plain, ruin.dangers(self.t, self.s, sooner), strict=True)
        ]

    def _bearers(self, corp: CorpId, head: PlayerId) -> list[tuple[PlayerId, float]]:
        """Who will pay for the company's trains, with what part: in a stock round a president may still leave it to
        the next."""
        t, s = self.t, self.s
        heir = successor(t, s, corp, head, 0) if s.round == SR and s.turn >= t.policy.holdings.first_sales else None
        if heir is None:
            return [(head, 1.0)]
        count = s.held(corp, head) - s.held(corp, heir) + 1
        if s.held(corp, POOL) + count > t.policy.holdings.pool_limit:
            return [(head, 1.0)]
        return [(head, 1 - self.w.left_to), (heir, self.w.left_to)]

    def _until_shares(self) -> int:
        """Operating rounds until shares can be bought again."""
        s = self.s
        if self.t.policy.milestones.ending(self.t, s):
            return NEVER
        if s.round == OR:
            return s.or_count - s.or_number + 1
        return self.t.phases[s.phase].operating_rounds if s.round == SR else 0

    def _add_privates(self, seats: list[PlayerId], worth: list[float]) -> None:
        for private, owner in self.s.owner.items():
            if owner in self.s.names:
                worth[seats.index(PlayerId(owner))] += self.private(private)

    def private(self, private: PrivateId) -> float:
        """What a private is worth to the player who has it."""
        t, s, facts, course = self.t, self.s, self.facts, self.course
        closing = next((at for at, phase in enumerate(course.phases) if phase >= facts.closing), course.rounds)
        closes = facts.closing < len(t.phases)
        sale = next((at for at, phase in enumerate(course.phases) if t.phases[phase].buys_privates), NEVER)
        income = s.revenue.get(private, t.privates[private].revenue)
        if private in facts.brings:
            brought = t.corporations[facts.brings[private]]
            shares = 0 if brought.id in s.par else brought.president_shares * facts.pars[0][0]
            return income * min(TRAINLESS, course.rounds) + shares
        rounds = course.rounds if not closes or not income else closing
        gain = float(income * rounds * (1 + self.w.cash_growth * rounds / 2))
        runs = self._runs(CorpId(private))
        if self._waits(private):
            gain += MINOR * runs * (1 + self.w.cash_growth * rounds / 2)
        if private in facts.survivors and closes:
            gain += facts.survivors[private] * max(0, course.rounds - closing)
            gain += t.policy.privates.value(t, s, private)
        elif runs == course.rounds and (not closes or not income):
            gain += t.policy.privates.value(t, s, private)
        if sale < closing and private in facts.private_prices and closes:
            sold = facts.private_prices[private] * (1 + self.w.cash_growth * (course.rounds - sale))
            gain = max(gain, income * sale + self.w.unsold * sold)
        return gain

    def _runs(self, minor: CorpId) -> int:
        """For how many operating rounds a minor company has trains, after which it is given up; all if it is not, or
        the private is none."""
        t, s, course = self.t, self.s, self.course
        if minor not in t.corporations or t.kind(minor) not in t.phases[s.phase].train_limit or awaited(t, s):
            return course.rounds
        trains = [self.facts.place[rank] for rank in s.trains[minor]] or [course.on_sale(0)]
        return min(course.rounds, 1 + max(course.rust[train] if train >= 0 else -1 for train in trains))

    def _waits(self, private: PrivateId) -> bool:
        """Whether the private is a minor company that has not begun."""
        corp, t, s = CorpId(private), self.t, self.s
        begun = corp in s.floated or s.president.get(corp) == CLOSED
        return corp in t.corporations and not begun and not t.privates[private].revenue

    # Companies

    def prospect(self, corp: CorpId) -> Prospect | None:
        """What the company promises; None where it has no shares that count, or no par."""
        t, s = self.t, self.s
        if not takes_part(t, s, corp) or (t.corporations[corp].certificate is None and corp not in s.cell):
            return None
        key = (
            "prospect", corp, s.cell.get(corp), s.cash[corp] if corp in s.floated else -1, s.trains[corp],
            s.held(corp, POOL), corp in s.floated, s.phase, self._turn_left(corp), self.course, self.w,
            s.income if s.operating == corp and s.step == "dividend" else -1, self._chance(corp), self._lent(corp),
        )  # fmt: skip
        known: Prospect | None = s.board.memo.get(key)
        if known is None:
            known = s.board.memo[key] = _Run(self, corp).prospect()
        return known

    def _lent(self, corp: CorpId) -> bool:
        """Whether the company can do without a train of its own when it operates last: another of its president's that
        needs its train no more then lets it have that for next to nothing."""
        t, s = self.t, self.s
        head, last = s.president_of(corp), self.course.rounds - 1
        if head is None or not t.policy.milestones.ending(t, s) or not t.phases[s.phase].trades_trains:
            return False
        return any(
            other != corp and s.president[other] == head and self.course.rust[self.facts.place[rank]] > last
            for other in t.corporations
            for rank in s.trains[other]
        )

    def _turn_left(self, corp: CorpId) -> int:
        """What is left of the company's turn in the operating round under way: 2 all, 1 from the trains on, 0 nothing.

        Between rounds 3: it operates in the next one.
        """
        s = self.s
        if s.round != OR:
            return 3
        if corp in s.queue:
            return 2
        return turn_left(self.t, s) if corp == s.operating else 0

    def _chance(self, corp: CorpId) -> float:
        """How likely the company soon earns what it can, from 0 to 1 in steps."""
        waits = opening(self.t, self.s, corp) > self.s.phase
        return self._floats(corp) * (COMES if waits else 1.0)

    def _floats(self, corp: CorpId) -> float:
        """How likely it floats soon."""
        t, s = self.t, self.s
        if corp in s.floated:
            return 1.0
        sold = t.policy.companies.float_count(t, s, corp)
        if sold is None:
            return 0.8
        needed = t.corporations[corp].float_shares - sold
        if needed <= 0:
            return 1.0
        more = 0 if s.round == SR else DIVIDENDS
        head = s.president_of(corp)
        mine = (free_cash(s, head) + more) // s.par[corp] if head else 0
        if mine >= needed:
            return 1.0
        waiting = {s.president_of(other) for other in s.par if other not in s.floated} - {None}
        others = sum(
            int(JOINED * (free_cash(s, seat) + more)) // s.par[corp]
            for seat in s.players
            if seat != head and seat not in waiting
        )
        reached = min(1.0, (mine + others // max(len(waiting), 1)) / (SPARE * needed))
        return round(HOPE * reached**3 * 20) / 20


class _Run:
    """One company along the course."""

    def __init__(self, of: Valuation, corp: CorpId) -> None:
        t, s = of.t, of.s
        self.of, self.t, self.facts, self.course = of, t, of.facts, of.course
        self.firm = firm_of(t, s, corp)
        if corp not in s.floated:
            self.firm.cash = (self.firm.shares - s.held(corp, RESERVED)) * self.firm.par
        self.chance = of._chance(corp)
        self.unformed = unformed(t, s, corp)
        self.pool = self.firm.pool if self.facts.banked else 0
        self.lent = of._lent(corp)
        self.turn = of._turn_left(corp)
        self.now: int | None = s.income if s.operating == corp and s.step == "dividend" else None

    def income(self, clock: int) -> float:
        """What it runs for with the trains that it has then."""
        return self.firm.income(self.course.phase(clock) if clock else self.of.s.phase, clock)

    def prospect(self) -> Prospect:
        """The company's dividends, price and duties until the end."""
        course, firm, w = self.course, self.firm, self.of.w
        paid = owed = soon = 0.0
        needed = NEVER
        first = self.income(0)
        for clock in range(course.runs(firm.corp)):
            if self.unformed and course.phase(clock) < firm.opening:
                continue
            left = 2 if clock else min(self.turn, 2)
            if clock:
                self._lose(clock - 1)
            if left == 2:
                each = self._turn(clock)
                paid += each * (1 + w.cash_growth * max(0, course.rounds - clock - 1))
            if left:
                due = self._buy(clock)
                owed += due
                soon += due if clock < SOON else 0.0
                needed = min(needed, clock) if due else needed
        floor = float(firm.price)
        if self.facts.halved and all(course.rust[train] < course.runs(firm.corp) for train in firm.trains):
            floor /= 2
        if self.chance < 1:
            paid *= self.chance
            owed *= self.chance
            soon *= self.chance
            floor = self.chance * firm.price + (1 - self.chance) * 0.8 * firm.par
        return Prospect(paid, floor, owed, soon, needed, first, int(firm.cash * self.chance))

    def _limit(self, clock: int) -> int:
        return self.t.phases[self.course.phase(clock)].train_limit.get(self.firm.kind, 2)

    def _own(self, trains: list[int]) -> None:
        self.firm.trains = trains
        self.firm.trains_changed()

    def _lose(self, clock: int) -> None:
        """Lose the trains that have rusted after that round, and those beyond the limit of its phase."""
        self._own([train for train in self.firm.trains if self.course.rust[train] > clock][-self._limit(clock) :])

    def _turn(self, clock: int) -> float:
        """Run and pay; what a share gets."""
        t, firm = self.t, self.firm
        gained = float(self.now) if clock == 0 and self.now is not None else self.income(clock)
        if firm.minor:
            firm.cash += gained / 2
            return gained / (2 * firm.shares)
        if not firm.trains:
            firm.cash += self.facts.rent(self.course.on_sale(clock), firm.cash, len(firm.sums) - 1)
        if gained <= 0 or firm.at is None:
            if firm.at is not None:
                firm.move(t, t.policy.prices.unpaid(t, firm.at))
            return 0.0
        if self._saves(clock, gained):
            firm.cash += gained
            firm.move(t, t.policy.prices.unpaid(t, firm.at))
            return 0.0
        each = gained * firm.division
        firm.cash += gained - firm.shares * each + each * self.pool
        firm.move(t, t.policy.prices.paid(t, firm.at, int(gained)))
        return each

    def _saves(self, clock: int, gained: float) -> bool:
        """Whether it keeps its revenue, since what its trains still earn is needed for the next when they have rusted.

        Where presidents need not pay for trains, only what pays for one at once is kept.
        """
        course = self.course
        last = max((course.rust[train] for train in self.firm.trains), default=clock)
        left = max(0, last - clock - 1)
        if left >= SAVING:
            return False
        rank = course.on_sale(clock)
        missing = self.facts.trains[rank].price - self.firm.cash if rank >= 0 else 0.0
        return missing > gained * left and (self.facts.presidents_pay or missing <= gained)

    def _buy(self, clock: int) -> float:
        """Buy trains; what the president must add."""
        course, firm = self.course, self.firm
        limit = self._limit(clock)
        rank = course.on_sale(clock)
        if rank < 0:
            return 0.0
        price = self.facts.trains[rank].price
        lasting = [train for train in firm.trains if course.rust[train] > clock]
        owed = 0.0
        if not lasting:
            if firm.cash < price:
                if not self.facts.presidents_pay or firm.minor:
                    return 0.0
                if self.lent and clock == course.rounds - 1 and firm.cash >= 1:
                    return 0.0
                owed = price - firm.cash
                firm.cash = price
            firm.cash -= price
            self._own([*lasting, rank])
            lasting = firm.trains
        for _ in range(1 if clock else 2):
            worthwhile = course.rust[rank] - clock >= 3 and course.rounds - clock >= 3
            if len(lasting) >= limit or firm.cash < price or not worthwhile:
                break
            firm.cash -= price
            self._own(sorted([*firm.trains, rank]))
            lasting = [*lasting, rank]
        return owed


def value(
    t: Title, s: State, seat: PlayerId, course: Course, weights: Weights = STANDARD
) -> tuple[float, Outcome | None]:
    """What the position is worth to the seat: its worth at the end, less parts of its rivals'."""
    if s.over:
        return compared([worth(t, s, player) for player in s.players], s.players.index(seat), weights), None
    outcome = Valuation(t, s, course, weights).outcome()
    return compared(outcome.worth, s.players.index(seat), weights), outcome


def compared(worth: list[float] | list[int], mine: int, weights: Weights) -> float:
    """What those worths mean to a seat: its own, less parts of its rivals'."""
    others = [amount for index, amount in enumerate(worth) if index != mine]
    return worth[mine] - weights.rival * max(others) - weights.rivals * sum(others) / len(others)
