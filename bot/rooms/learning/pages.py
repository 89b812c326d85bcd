"""What newcomers may look up: how a game runs, its terms, what is special in each title; linked to one another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


def flowing(text: str) -> str:
    """The text with its lines joined: Discord breaks a line at every newline. Lists and paragraphs stay."""
    return re.sub(r"(?<=\S)\n(?=[^\n-])(?!\d\. )[ ]*", " ", text)


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `links` are keys of other pages."""

    heading: str
    text: str
    links: tuple[str, ...] = ()
    section: str = ""
    """The letters of the section in the ledgers that has the rules: "SR"."""


FIRST = "play"
"""The page to begin with."""

TOPICS: Mapping[str, Page] = {
    "play": Page(
        "How to play",
        """The newest message pings whoever must decide, and its buttons are all you need.
- `/game create` sets up a game in this channel; press **Join**, then **Start**. Opponents played by the bot can join.
- **My hand** shows your cards and what only you may see; *Programs…* there move for you while you are away.
- **What if I pass?** says what would follow, **Why not?** what you cannot do now and why; `/rule` looks up any rule.
- Prefer typing? Use `/lay`, `/token`, `/run`, `/dividend`, `/train`, `/stock`, `/bid`, `/private` and `/pass`; `/do`
  lists everything you may do.
- `/show map`, `market`, `table`, `company`, `player`, `privates`, `tiles`, `trains` and `/game phases` show the game.
- `/game status` says where it stands, and `/game history` how it got there.
- `/game undo` takes back your last decision, or asks the others to go back further; `/game redo` brings it back.
- `/my games` lists your games on every server, and which are waiting for you; `/my settings` has your time zone, quiet
  hours and absences, and `/pace` says how much time there is.""",
        ("aim", "rounds"),
    ),
    "aim": Page(
        "The aim of the game",
        """You are an investor. You buy shares of railway companies, and whoever holds most of one runs it as its
president. **The richest player wins**, not the richest company: what counts is your cash, your shares at their
prices, and the privates you still own.

You get richer by dividends and by rising prices. Companies pay when their trains run between cities, so a good
president builds track, buys trains, and pays. But what a company owns is not yours, and a company is easily left to
somebody else.""",
        ("rounds", "stock", "company", "end"),
        "END",
    ),
    "rounds": Page(
        "How a game runs",
        """1. **The opening**: the private companies are sold.
2. **A stock round**: everybody in turn buys and sells shares, until all pass.
3. **Operating rounds**, one to three in a set: privates pay, then each company takes a turn, the dearest share first.

Then comes the next stock round, and so on. The first train of each new kind begins a phase: better tiles, more
operating rounds, and old trains rust. `/game phases` shows them all.""",
        ("opening", "stock", "company", "phase", "end"),
        "OR",
    ),
    "opening": Page(
        "The opening",
        """Private companies pay a little in every operating round, and some have a power. Mostly one is on offer: you
buy it, or bid on a later one, or pass. Money in a bid is set aside until that private is sold. If several players
have bid on the one that comes up, they raise until one is left.

Do not spend everything: the stock round comes next, and the president's certificate of a company costs twice its par.
1860 has an auction of its own; see its page.""",
        ("private", "stock", "par", "t1860"),
        "AUC",
    ),
    "stock": Page(
        "A stock round",
        """In your turn you may sell shares and buy one certificate. When all have passed in a row, the round is over.
- Shares nobody has had yet cost par; those in the open market cost the price.
- Selling brings the price and mostly lowers it. What you sold, you cannot buy again in this round.
- Whoever has more shares than the president becomes president.
- The first to buy into a company starts it: the president's certificate is 20 % and costs twice the par you choose.""",
        ("par", "float", "price", "president", "limit", "soldout", "priority"),
        "SR",
    ),
    "company": Page(
        "A company's turn",
        """The president decides, with the company's money:
1. **Track**: lay a tile or upgrade one.
2. **Token**: place a station, for a price.
3. **Run** the trains; the bot proposes the best routes.
4. **Dividend**: pay the revenue to the shareholders, or keep it in the treasury.
5. **Trains**: buy some. A company with a route usually must own one.

While the rules allow it, companies also buy privates from players.""",
        ("tile", "token", "route", "dividend", "rust", "must", "treasury"),
        "OR",
    ),
    "end": Page(
        "The end, and who wins",
        """Mostly the game ends because the bank is broken; what is left to play then depends on the title. A bankrupt
player ends it at once (not in 1860). Then everybody counts cash, shares at their prices, and privates. Company
treasuries and trains count nothing.""",
        ("bank", "bankrupt", "aim"),
        "END",
    ),
}

TERMS: Mapping[str, Page] = {
    "par": Page(
        "Par",
        """The price of a company's shares when it starts, chosen by whoever starts it. Shares from the initial
offering cost par for the whole game. The president's certificate is two shares, so it costs twice par. A high par
gives the company more money, mostly ten times par; a low one is paid sooner and floats more easily.""",
        ("float", "offering", "price"),
        "SR",
    ),
    "float": Page(
        "Float",
        """A company floats when enough of it is sold: 50 % in 1889, 1860 and 1890, 60 % in 1888. Then it gets its
money, mostly ten times par, and takes a turn from the next operating round on. Before that it does nothing.""",
        ("par", "treasury", "company"),
        "FLT",
    ),
    "offering": Page(
        "Initial offering and open market",
        """Shares that nobody has bought yet are in the **initial offering** and cost par. Shares that somebody has
sold are in the **open market** and cost the present price. As a rule the market holds at most half of a company, in
1860 any number.""",
        ("par", "price", "dividend"),
        "SR",
    ),
    "price": Page(
        "Share price",
        """The company's token on the market. It rises when the company pays a dividend and falls when it pays none;
it falls when shares are sold; in most titles it rises when a company is sold out at the end of a stock round. The
dearest company operates first, and shares count their price at the end.""",
        ("dividend", "soldout", "offering"),
        "MKT",
    ),
    "president": Page(
        "President",
        """Who holds the president's (or director's) certificate, worth two shares, decides everything for the
company. Whoever gets more shares takes it over at once, with everything: trains, money, and the duty to buy a train.
Where the company cannot pay for that train its president must help (not in 1860).""",
        ("must", "treasury", "stock"),
        "SR",
    ),
    "limit": Page(
        "Certificate limit",
        """How many certificates a player may hold, privates included; it depends on the number of players. The
president's certificate counts once. In some areas of the market certificates do not count. Who holds too many must
sell before buying. No more than 60 % of one company may be held, save in some areas of the market; 1860 has no such
limit.""",
        ("stock", "president", "private"),
        "SR",
    ),
    "soldout": Page(
        "Sold out",
        """A company is sold out when players hold all ten shares of it. At the end of a stock round its price then
goes up a step (not in 1860).""",
        ("price", "stock"),
        "SR",
    ),
    "priority": Page(
        "Priority deal",
        """Who begins the next stock round. It goes to the player on the left of whoever bought or sold last. Being
first matters when several players want the same share or company.""",
        ("stock", "soldout", "rounds"),
        "SR",
    ),
    "private": Page(
        "Private companies",
        """They pay their owner at the start of every operating round, and some have a power or keep others from
building on a hex. In most titles companies may buy them from players for a while, which turns them into cash for
their owners. Sooner or later they close.""",
        ("opening", "phase", "company"),
        "PRV",
    ),
    "treasury": Page(
        "Treasury",
        """The company's own money. It pays for track, tokens and trains, and is never yours: at the end it counts
nothing. Who knows how much is in it depends on the game: in 1889 and 1890 its president alone, in 1860, where it is
called credits, its shareholders, in 1888 everybody.""",
        ("float", "dividend", "company"),
        "FLT",
    ),
    "dividend": Page(
        "Dividend",
        """A tenth of the revenue for each share. Shares in the open market mostly pay the company, those in the
initial offering nobody. Paying makes the price rise; keeping the money, for a train perhaps, makes it fall.""",
        ("price", "treasury", "must"),
        "DIV",
    ),
    "tile": Page(
        "Tiles and track",
        """Yellow tiles go on empty hexes, green ones replace yellow, brown ones green: the phase says which colours
may be laid. Old track stays. The company must reach the place from one of its tokens, and pays for mountains and
water. *Lay track…* shows only what is legal.""",
        ("token", "phase", "route"),
        "TRK",
    ),
    "token": Page(
        "Station tokens",
        """Each route needs one of the company's tokens. A city whose places are all taken by others lets none of your
trains through. The first token, at home, is free; others cost money, and there are few of them.""",
        ("route", "tile"),
        "TOK",
    ),
    "route": Page(
        "Routes",
        """A train runs from stop to stop, over track it uses only once, and must call at one of the company's tokens.
A 3-train counts three stops, a 4+2 four large and two small ones, a D any number. No two trains of a company use the
same track. The bot proposes the best set.""",
        ("token", "offboard", "dividend"),
        "RTE",
    ),
    "offboard": Page(
        "Off-board places",
        """Red places at the edge of the map: a route can begin or end there. Their value grows with the phase.""",
        ("route", "phase"),
        "REV",
    ),
    "phase": Page(
        "Phases",
        """The first train of a new kind begins a phase, at once: tiles of another colour, another train limit, old
trains rust, privates may be sold or close. Only the number of operating rounds waits for the next set. `/game phases`
shows the chart.""",
        ("rust", "trainlimit", "tile", "private"),
        "PHS",
    ),
    "rust": Page(
        "Rust",
        """Old trains leave the game when the first train of a later kind is bought, wherever they are and without
compensation. A company left without a train earns nothing and, if it has a route, mostly must buy one. Look who will
be hit before you buy, and what rusts your own.""",
        ("phase", "must", "trainlimit"),
        "TRN",
    ),
    "trainlimit": Page(
        "Train limit",
        """How many trains a company may own; it falls with the phases. Who has too many must give some up, without
compensation; a company at its limit cannot buy.""",
        ("phase", "rust"),
        "TRN",
    ),
    "must": Page(
        "When a train must be bought",
        """A company that has a route must not end its turn without a train. If its money is short, its president adds
the rest, and sells shares if need be. A player who cannot is bankrupt. 1860 is milder: the company becomes insolvent
and runs a leased train.""",
        ("rust", "bankrupt", "president", "t1860"),
        "EMR",
    ),
    "bankrupt": Page(
        "Bankruptcy",
        """A president who cannot pay for a train that must be bought, not even by selling, is bankrupt. That ends the
game at once. In 1860 only companies go bankrupt, and can be started again.""",
        ("must", "end"),
        "EMR",
    ),
    "bank": Page(
        "The bank is broken",
        """When the bank's money is used up, the end has come: payments go on without limit, and what is left is
played, in 1888 and 1889 to the end of the set of operating rounds.""",
        ("end", "bankrupt", "rounds"),
        "END",
    ),
}

TITLES: Mapping[str, Page] = {
    "t1889": Page(
        "What is special in 1889",
        """A short, classic game on Shikoku.
- In your turn you sell and then buy, or buy and then sell. All shares of a company go in one block.
- A company floats at 50 %. Its money is known to its president alone.
- A yellow tile joins track that the company reaches; the company need not be able to run there yet.
- Privates may be sold to companies in phases 3 and 4. Whoever sells one with a tile may lay it at once.
- In the orange area of the market you may hold more than 60 %.
- Six kinds of trains, quick to rust: the first 4 ends the 2s, the first 6 the 3s, the first D the 4s.
- A bankrupt player ends the game.""",
        ("stock", "private", "must", "price"),
    ),
    "t1888": Page(
        "What is special in 1888-N",
        """Around Beijing.
- You sell before you buy, and cannot buy before you sell. Companies float at 60 %.
- **Export**: after each set of operating rounds a 2, 3 or 4 leaves the bank, and begins its phase if it is the first.
- A route with the company's home and its destination earns a bonus, for each train.
- The harbour is an end that takes none of a train's range; the mountain brings money to the treasury, never to
  shareholders.
- Companies buy trains from one another only from phase 3 on.
- Privates lay special tiles once a company owns them; the Forbidden City can be exchanged for a share.""",
        ("phase", "route", "private", "float"),
    ),
    "t1860": Page(
        "What is special in 1860",
        """On the Isle of Wight, where companies fail rather than players.
- **The auction** is for the right to choose: who wins pays the bid, then takes a private or a director's certificate
  at its price.
- Companies open in four layers. Shares of a company without a train sell for half.
- Companies have credits, which are not money: they are for trains, bases and track only.
- A price moves by the dividend: one to four steps, or none if less than the price was paid.
- **Insolvent** without a train: the company leases one. **Receivership** without a director: it runs by itself.
  **Bankrupt** at price 0: it can be started again.
- Upgrades are limited by the company's own trains; large and small stations on the way must be called at, halts may
  be passed and pay the treasury.
- Late in the game the Southern Railway ends all building, and British Rail takes over the weakest companies.""",
        ("opening", "must", "price", "route"),
    ),
    "t1890": Page(
        "What is special in 1890",
        """Around Osaka, in four scenarios; C is the whole game.
- Bids in the opening stay, with their money, until their company is sold, over several game turns if need be.
- **Minors** belong to one player, run before the companies, and pay half to their owner. They become Kinki, or join
  it, sooner or later by force.
- **JR** starts at 100, lays two tiles at first, owns more trains, and pays out half.
- The buyer of OME sets the par of the Subway (scenarios C and D); privates pass between players for any price.
- A company whose price falls into the closing area closes for good.
- The game ends with its last game turn at the latest. Variants bring secret cash, air raids and the earthquake.""",
        ("opening", "private", "stock", "end"),
    ),
}

PAGES: Mapping[str, Page] = {**TOPICS, **TERMS, **TITLES}
ROUNDS = {"ISR": "opening", "DEAL": "opening", "SR": "stock", "OR": "company"}
"""The page for each kind of round."""
