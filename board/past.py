"""Looking back: any position of the game as it was, charts of all of it, and the rules that hold in it."""

from board import holdings, map_parts
from board.markup import Html, el, message, said, text
from bot.core.errors import TableError
from bot.core.position import Position
from bot.core.table import Table
from bot.rooms.learning import ledger
from bot.rooms.learning.rules import here
from bot.rooms.past import history
from bot.rooms.past.room import parts_of
from bot.rooms.past.workshop import MAKING
from bot.words.narration import gathered
from engine import Title
from engine.secrets import revealed

MOST_RULES = 12


def panel(table: Table, lines: list[Html]) -> Html:
    """What leads back, with the latest of what happened."""
    count = len(table.moves)
    slider = el(
        "label", "Look back", el("output", f"move {count} of {count}", id="when-said"),
        el("input", type="range", min=0, max=count, value=count, id="when", aria_label="Move"), cls="when",
    )  # fmt: skip
    back = el("button", "Back to now", type="button", data_now=True)
    then = el("div", el("div", id="then"), back, id="looking", hidden=True)
    drawn = [el("button", label, type="button", data_chart=name) for name, label in history.CHART_NAMES.items()]
    parts = [el("option", name, value=of) for name, of in parts_of(table)]
    film = el("form", el("select", parts, name="of", aria_label="Of"), _go("Make it"), cls="find", data_film=MAKING)
    words = el("input", type="search", name="q", placeholder="Words, or its number", aria_label="Rules", maxlength=80)
    find = el("form", words, _go("Find"), cls="find", data_rules=True)
    return text(
        [
            slider if count else None,
            then,
            el("h2", "What happened"),
            holdings.log(lines),
            el("h2", "Charts"),
            el("div", drawn, cls="charts"),
            el("div", id="chart", data_kept=True),
            text([el("h2", "Film"), film]) if parts else None,
            el("div", id="film", role="status", data_kept=True),
            el("h2", "Rules"),
            find,
            el("div", id="rules", role="status", data_kept=True),
        ]
    )


def _go(label: str) -> Html:
    return el("button", label, type="submit")


def result(table: Table) -> Html:
    """What is shown of a game that is over instead of a turn; what is about a move leads there."""
    lines = [_leading(line, move) if move else message([line]) for line, move in history.result(table)]
    return el("div", lines, cls="result")


def _leading(line: str, move: int) -> Html:
    return el("button", said(line.removeprefix("-# ")), type="button", cls="moment", data_move=move)


def at(table: Table, user: int, number: int) -> dict[str, Html]:
    """The parts of the page as they were after so many moves, as far as the person may know. Raises TableError."""
    states = table.states()
    if not 0 <= number < len(states):
        raise TableError("There is no such move in this game.")
    state, viewer, local = states[number], table.viewer_for(user), table.position.local_names
    facts = state.facts if number else ()
    title = revealed(table.title) if table.position.over else table.title
    then = Position(title, state, number, table.names, table.work, facts, local_names=local)
    board, names, open_to = then.board(), then.lexicon(), then.table(viewer)
    told = gathered(table.tell(table.moves[number - 1 : number])) if number else ["The game begins."]
    return {
        **map_parts.layers(then),
        "routes": Html(""),
        "glow": map_parts.glowing(board, board.changed),
        "marks": Html(""),
        "hexes": map_parts.touched(board, names, {}),
        "market": holdings.market(then.market(), names),
        "companies": holdings.companies(open_to, names),
        "players": holdings.players(open_to, names, viewer),
        "bank": holdings.bank(then, open_to, names),
        "then": text([el("p", el("b", open_to.round)), [el("p", said(line)) for line in told]]),
    }


async def chart(table: Table, user: int, name: str) -> bytes:
    """A chart of the game as a PNG. Raises TableError."""
    if name not in history.CHART_NAMES:
        raise TableError("There is no such chart.")
    return (await history.chart_image(table, name, table.viewer_for(user))).png


def rules(game: Title, words: str) -> Html:
    """The rules that the words fit, or the one of this number, as they stand in the game."""
    exact = ledger.by_id(words, game.id)
    found = [exact] if exact is not None else ledger.search(words, game.id)[:MOST_RULES]
    if not found:
        return el("p", "No rule has these words.", cls="notes")
    return el("ul", [el("li", el("b", one.id), _standing(one, game), _more(one)) for one in found], cls="rows")


def _standing(rule: ledger.Rule, game: Title) -> Html:
    return el("p", said(f"{here(game, rule).said} {rule.text}".strip()))


def _more(rule: ledger.Rule) -> Html | None:
    return el("p", "For example: ", said(rule.example), cls="notes") if rule.example else None
