"""How much each thing weighs in the judgement of a regular. `benchmarks/tune.py` says what each of them does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How much things count; money where nothing else is said."""

    # What a position is worth
    cash_growth: float = 0.06
    """By how much money gains in an operating round by being invested."""
    rival: float = 0.35
    """What the worth of the best rival counts beside one's own."""
    rivals: float = 0.1
    """What the mean of all rivals counts."""
    pay_fear: float = 1.25
    """What money weighs that a president must pay for a train."""
    poor_fear: float = 2.5
    """What it weighs besides where it is due before long and he has not got it."""
    raised: float = 0.0
    """What counts as money there of what shares would bring in a need."""
    left_to: float = 0.5
    """What part of that counts for a holder to whom the president can leave the company."""
    control: float = 60.0
    """What it is worth to run a company."""
    treasury: float = 0.15
    """What a company's money counts beside the trains that it buys."""
    unsold: float = 0.75
    """What the price of a private counts that a company may buy later on."""
    # What speaks for an action beside what the position is worth that it leads to
    first_train: float = 700.0
    """For a train of a company that has none. The course takes for granted that others buy the trains that stand before
    the better ones: somebody has to. So this and the next are for trains of the bank; for a first one wherever it is
    bought, where presidents have to pay for it."""
    second_train: float = 600.0
    third_train: float = 250.0
    more_trains: float = 60.0
    follow_ups: bool = True
    """Whether a sale of shares is also judged by what it makes possible in the same turn."""
    kept: float = 0.5
    """By what part of what it brings a sale of shares for nothing in particular must be better than to keep them: what
    the rest of the game is thought to bring changes from one decision to the next."""
    begun: float = 500.0
    """For a share of one's own company that has not floated: what was begun is seen through."""
    usual: float = 25.0
    """For each operating round left, for what the rules of thumb would do: the further away the end, the less is known
    of the course."""
    # What counts of a lay in each operating round left
    runs_now: float = 0.6
    """What more is run for at once."""
    runs_later: float = 0.3
    """What more could be run for with the next train."""
    promise: float = 0.3
    """What more the map promises."""

    def train(self, owned: int) -> float:
        """What speaks for one more train of a company that has so many."""
        return (self.first_train, self.second_train, self.third_train, self.more_trains)[min(owned, 3)]


STANDARD = Weights()
