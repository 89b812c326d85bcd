"""The page itself, as it is first sent: everything in place, so that it shows before any script runs."""

from board import map_parts
from board.assets import ASSETS
from board.markup import Html, el, said
from board.view import View
from bot.core.position import Position
from renderer import vector

TABS = {
    "turn": ("Turn", "M12 2l9 5v10l-9 5-9-5V7z"),
    "market": ("Market", "M3 20h18M6 16l4-5 4 3 5-8"),
    "companies": ("Companies", "M4 20V8l8-5 8 5v12M9 20v-6h6v6"),
    "players": ("Players", "M8 11a3 3 0 100-6 3 3 0 000 6zm8 0a3 3 0 100-6M2 20c0-8 12-8 12 0m-1-5c4-2 9 0 9 5"),
    "bank": ("Bank", "M3 10l9-6 9 6M5 10v8m5-8v8m4-8v8m5-8v8M3 20h18"),
    "log": ("More", "M5 4h14v16H5zM8 8h8M8 12h8M8 16h5"),
}  # fmt: skip
"""The panels beside the map: their names and icons."""
TOOLS = (("in", "+", "Closer"), ("out", "−", "Farther"), ("fit", "⤢", "Whole map"))


STYLES = [el("link", rel="stylesheet", href=ASSETS.url(name)) for name in ("theme.css", "board.css")]


def head(title: str, script: str, styles: list[Html]) -> Html:
    """What stands before the body of a page with a script."""
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1, viewport-fit=cover"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        styles,
        el("link", rel="icon", href="data:,"),
        [el("link", rel="modulepreload", href=ASSETS.url(one)) for one in ASSETS.imports(script)],
        el("script", type="module", src=ASSETS.url(script)),
    )


def document(position: Position, view: View, *, csrf: str, may_act: bool, viewers: Html | None = None) -> str:
    """The whole page for one viewer."""
    board = position.board()
    tools = [el("button", sign, type="button", data_zoom=way, aria_label=label) for way, sign, label in TOOLS]
    stage = el(
        "section",
        map_parts.svg(board, view.parts),
        el("div", tools, cls="zoom", role="group", aria_label="Zoom"),
        id="stage", aria_label="Map",
    )  # fmt: skip
    main = el(
        "main",
        el("div", view.parts["head"], id="head", cls="head"),
        el("p", id="told", role="status", cls="said"),
        el("div", id="banner", role="status"),
        stage,
        el(
            "aside",
            _tabs(),
            el("div", id="focus", hidden=True),
            el("div", id="drawbar", hidden=True),
            el("div", el("p", id="past-said"), el("button", "Back to now", type="button", data_now=True), id="past"),
            _panels(view),
            cls="side",
        ),
    )
    body = el(
        "body",
        el("svg", el("defs", Html(vector.token_symbols(board.companies))), cls="symbols", aria_hidden="true"),
        viewers,
        main,
        el("dialog", id="ask"),
        data_seq=view.seq, data_stamp=view.stamp, data_csrf=csrf, data_acts=may_act,
    )  # fmt: skip
    return f"<!doctype html>{el('html', head(f'{board.title} – Tetsudo', 'board.js', STYLES), body, lang='en')}"


def _panels(view: View) -> Html:
    made = [
        el("section", part, id=name, cls="panel", role="tabpanel", aria_labelledby=f"tab-{name}", hidden=name != "turn")
        for name, part in ((name, view.parts[name]) for name in TABS)
    ]
    return el("div", made, cls="panels", tabindex=0, role="group", aria_label="Panel")


def _tabs() -> Html:
    made = [
        el(
            "button", el("svg", el("path", d=icon), viewBox="0 0 24 24", aria_hidden="true"), el("span", label),
            type="button", role="tab", id=f"tab-{name}", aria_controls=name, aria_selected="false" if n else "true",
            tabindex=-1 if n else 0,
        )
        for n, (name, (label, icon)) in enumerate(TABS.items())
    ]  # fmt: skip
    return el("div", made, cls="tabs", role="tablist", aria_label="Beside the map")


def plain(title: str, words: str) -> str:
    """A page that only says something."""
    viewport = el("meta", name="viewport", content="width=device-width, initial-scale=1")
    plainly = el("head", el("meta", charset="utf-8"), viewport, el("title", title), STYLES)
    body = el("main", el("h1", title), el("p", said(words)), cls="plain")
    return f"<!doctype html>{el('html', plainly, el('body', body), lang='en')}"
