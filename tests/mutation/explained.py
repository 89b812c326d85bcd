"""Survivors that no test can find, and why: by title and key of the mutant; `*` stands for anything."""

from __future__ import annotations

from fnmatch import fnmatchcase

_PAR_AGAIN = "Who sold a company's shares sold them at a price, so its par is set: not_started refuses too."
_NO_STADIUM = "The hex of 1890's stadium has no stop on this map."
_NONE_KEPT = "No share waits for a private that is exchanged for it."
_SAID = "No rule: the bot says by it when a round is the last, or that a price ends the game."
_NOT_ASKED = "1860 has its own auction, sales, runs, payouts, duty and rounds, none of which asks for it."
_NOT_ASKED_1890 = "1890 has its own auction, runs and end of rounds, none of which asks for it."

IN_EVERY_TITLE = {
    "policy auctions.bought <lambda> -> t1890.bought": "Only privates of 1890 bring shares, pars or companies.",
    "policy prices.moved no_consequence -> t1890.price_moved": "Only the market of 1890 has an area that closes.",
    "policy companies.lays_free <lambda> -> t1890.lays_free": "Only 1890 has a Subway.",
    "policy milestones.foreseeable <lambda> -> t1860.foreseeable": "Always, unless 1860's own mark is there.",
    "policy milestones.reminder <lambda> -> *": "Nothing, unless another title's own marks are there.",
    "policy trains.rent *": "No rule: opponents reckon with what a lease brings.",
}
"""Another title's answer that is the same as the default wherever that title's own marks are missing."""

EXPLAINED: dict[str, dict[str, str]] = {
    "1889": {
        "policy milestones.last_price None -> *": _SAID,
        "policy milestones.last_round last_of_set -> t1890.*": _SAID,
        "policy auctions.every_stall_ends_set *": "Nothing happens in 1889 when a set ends.",
        "policy routes.sensible *": "Presidents of 1889 have one aim: one set is best.",
        "guard SR/shares/Par without not_sold_before": _PAR_AGAIN,
        "guard OR/track/LayTile without fixed_rotation": "No tile of 1889 lies one way round only.",
        "guard interrupt/bonus tile/LayPowerTile without colour_open": "C can be sold when green tiles are open.",
        "guard interrupt/bonus tile/LayPowerTile without right_colour": "With Ohzu green nothing of C's can be laid, "
        "so nobody is asked; yellow Ohzu takes green alone, which is all that C lays.",
        "guard interrupt/bonus tile/LayPowerTile without same_label": "Neither Ohzu nor C's tiles have a label.",
        "guard anytime/LayPowerTile without in_supply": "The one port tile is B's alone and laid once.",
        "guard anytime/LayPowerTile without same_label": "Neither the coast nor the port tile has a label.",
        "guard anytime/LayPowerTile without keeps_old_track": "The coast towns are printed without track.",
    },
    "1888": {
        "guard SR/shares/Par without not_sold_before": _PAR_AGAIN,
        "policy holdings.kept <lambda> -> t1860.reserved": _NONE_KEPT,
        "guard OR/track/LayTile without fixed_rotation": "What lies one way alone is laid by privates alone.",
        "guard interrupt/second tile/LayPowerTile without fixed_rotation": "The ferry comes whole.",
        "policy secrecy.sees_treasury president_sees -> *": "All treasuries of 1888-N are open.",
        "policy milestones.last_turn None -> *": _SAID,
        "policy milestones.last_price None -> *": _SAID,
        "policy milestones.last_round last_of_set -> t1890.*": _SAID,
        "policy routes.turn_incomes each_by_itself -> t1890.with_tigers": _NO_STADIUM,
    },
    "1860": {
        "guard SR/shares/Par without not_sold_before": "Who sold it has its par before him, unless it went bankrupt by "
        "that; then the round begins anew and nothing has been sold in it.",
        "policy routes.turn_incomes each_by_itself -> t1890.with_tigers": _NO_STADIUM,
        "policy routes.best_required False -> True": _NOT_ASKED,
        "policy auctions.next_bidder *": _NOT_ASKED,
        "policy trains.duty *": _NOT_ASKED,
        "policy trains.exported *": _NOT_ASKED,
        "policy auctions.every_stall_ends_set *": _NOT_ASKED,
        "policy holdings.first_sales *": _NOT_ASKED,
        "policy trains.discards_in_order *": _NOT_ASKED,
        "policy holdings.pool_limit *": _NOT_ASKED,
        "policy privates.company_price *": _NOT_ASKED,
        "policy privates.blocks *": "No private of 1860 blocks a hex.",
        "policy milestones.stock_closing *": _NOT_ASKED,
        "policy milestones.stock_ended *": _NOT_ASKED,
        "policy milestones.last_turn None -> *": _NOT_ASKED,
        "policy dividends.*": _NOT_ASKED,
        "policy holdings.holding_limit 10 -> 11": "A company has ten tenths.",
        "policy holdings.excess_sold_off True -> False": "No holding is above its limit, and every certificate counts.",
        "step solvency never asked": "It never is: it settles insolvency as it is passed.",
        "policy companies.homes float -> round": "Operating rounds of 1860 place no home tokens.",
    },
    "1890": {
        "guard SR/shares/Par without not_sold_before": _PAR_AGAIN,
        "policy holdings.kept <lambda> -> t1860.reserved": _NONE_KEPT,
        "policy privates.note *": "No rule: it is the text of a card, which tests of the bot read.",
        "guard anytime/LayPowerTile without leads_somewhere": "No side of Arima is closed in any scenario.",
        "guard interrupt/last tile/LayPowerTile without leads_somewhere": "No side of Arima is closed in any scenario.",
        "guard interrupt/last tile/LayPowerTile without hex_untouched": "It is asked while Arima is bare.",
        "policy routes.best_required *": _NOT_ASKED_1890,
        "policy trains.exported *": _NOT_ASKED_1890,
        "policy auctions.every_stall_ends_set *": _NOT_ASKED_1890,
        "policy routes.sensible <lambda> -> t1888n.sensible": "Presidents of 1890 have one aim: one set is best.",
        "policy routes.sensible <lambda> -> t1860.sensible": "It changes only what is not proved, as on full maps.",
    },
}


def reason(title: str, key: str) -> str:
    """Why nothing can find the mutant; "" where a test is missing."""
    known = EXPLAINED[title] | IN_EVERY_TITLE
    return next((why for pattern, why in known.items() if fnmatchcase(key, pattern)), "")
