"""What the things that 1860 alone has are called for people."""

from engine.wording import Wording

WORDING = Wording(
    stop="place",  # trains pass halts, and with some options small stations
    tasks={
        "bid": "bid for the right to choose, or drop out",
        "choose": "choose a private or a director's certificate",
        "home tile": "lay the home tile",
        "excess": "discard a train",
    },
    passes={"bid": "Drop out"},
    skips={"bid": "drops out", "home tile": "lays no home tile"},
    announcements={
        "layer 2": "Companies of the second layer can be started.",
        "layer 3": "Companies of the third layer can be started.",
        "layer 4": "All companies can be started.",
        "fishbourne": "",  # the phase that brings these two tells them
        "no limits": "",
        "southern": "The Southern Railway forms: companies may build only until the end of this set.",
        "southern over": "Building is over: no more tiles or bases, and halts no longer count.",
        "british": "British Rail forms: from now on there are only operating rounds, and the lowest earners close.",
    },
    endings={
        "price": "A share price has reached the end of the market.",
        "nationalisation": "British Rail has taken over the last company.",
    },
    states={
        "insolvent": "it keeps what a leased train earns until it can buy one, and builds only what is free",
        "bankrupt": "its shares go back to the initial offering, and it can be restarted at another par",
        "closed": "British Rail has taken it over; it keeps its price and never runs again",
        "leaderless": "in receivership it acts on its own, builds nothing and pays nothing",
    },
    after_bank="the game ends with this operating round or, in a stock round, with the next",
    company_money="credits",
    head="director",
    headship="directorship",
)
