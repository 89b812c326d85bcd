"""The program that answers offers: what others propose for the owner's trains and privates."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.actions import Action, BuyTrain, CompanyBuysPrivate, TradePrivate
from programs.program import Program, Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOffers(Program):
    """Agree to offers of a kind at or above a price, or decline those below it, until switched off."""

    kind: ClassVar[str] = "answer"

    deal: Literal["train", "private"]
    of: str = ""
    """The selling company or the private; all if empty."""
    agrees: bool
    price: int = 0
    """Offers at this or more are agreed to; those below it are declined, where 0 means every one."""

    def answer(self, p: Prompt, offer: Action) -> bool | None:
        """Agree or decline, where the offer is of this kind and the rules allow the deal."""
        match offer:
            case BuyTrain():
                deal, of, price = "train", str(offer.source), offer.price
            case CompanyBuysPrivate() | TradePrivate():
                deal, of, price = "private", str(offer.private), offer.price
            case _:
                return None
        if deal != self.deal or self.of not in ("", of):
            return None
        if self.agrees:
            return True if price >= self.price and p.allows(offer) else None
        return False if not self.price or price < self.price else None
