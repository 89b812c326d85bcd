"""A player for `tetsudo arena` in a few lines: reads a decision a line, and answers with the number of a choice.

    tetsudo arena 1889 regular "mine=python cli/arena/sample.py"

It starts companies, buys shares and trains, the cheapest first, and pays dividends.
"""

import json
import sys
from typing import Any

LIKED = "Par", "BuyShare", "BuyTrain", "RunTrains", "LayTile", "PlaceToken", "BuyPrivate"


def wish(asked: dict[str, Any], choice: dict[str, Any]) -> float:
    """How much it likes a choice."""
    cash = asked["position"]["cash"][asked["seat"]]
    match choice["do"]:
        case "Dividend":
            return 50 if choice["kind"] == "pay" else 0
        case "BuyPrivate" if cash < 400:
            return -1
        case "BuyTrain" if asked["position"]["trains"][choice["corp"]]:
            return -1
        case "SellShares" | "Bid" | "CompanyBuysPrivate" | "GoBankrupt":
            return -2
        case kind:
            return 10 - LIKED.index(kind) - choice.get("price", 0) / 1000 if kind in LIKED else 0


def main() -> None:
    """Answer until there is nothing more to read."""
    for line in sys.stdin:
        asked = json.loads(line)
        wishes = [wish(asked, choice) for choice in asked["choices"]]
        print(json.dumps({"choose": wishes.index(max(wishes))}), flush=True)


if __name__ == "__main__":
    main()
