"""The local web page that shows a room."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from playground.server import LocalServer

# SimCord redraws a whole message when a list in it opens. For a moment a picture has no data and sits in a button only
# as wide as its alternative text, so the message shrinks and the channel scrolls; when the picture is back, the list
# has left the window and SimCord closes it. A button of full width keeps the height, as the picture's shape is known,
# unless its text is higher: what does not fit is hidden.
# SimCord keeps the place itself; the browser's own anchoring would move the opened list besides.
# On a narrow page it puts the button of a section below its text; Discord keeps it beside.
# Beside a message without a head, "(edited)" would stand on the time, or be cut off by the edge.
# Below a text, a picture stands as close as if it were part of it.
# There, SimCord's own tools that no player needs leave their room to the game.
STYLE = """
.component-gallery .media-lightbox-trigger { width: 100%; }
.gallery-image { overflow: hidden; }
#channel-timeline { overflow-anchor: none; }
.text-display + .component-gallery { margin-top: 6px; }
.message-gutter-time .message-edited, .message-edited-compact { display: none; }
.component-section { grid-template-columns: minmax(0, 1fr) auto; }
@media (max-width: 600px) {
  .preview-shell { --toolbar-height: 44px; }
  #messages-toggle, #capture-open, #inspector-toggle, #action-status, #view-action-output { display: none; }
  .session-menu, .channel-header { display: none; }
}
"""


def page(here: LocalServer, port: int | None = None) -> Any:
    """The room's page, for use with `async with`; on any free port if `port` is None."""
    preview = here.env.preview(here.channel, viewers=here.people, layout="channel", port=port)
    _add_style(preview, STYLE)
    _open_as_asked(preview, here)
    _tell_the_time(preview)
    return preview


@asynccontextmanager
async def kept_current(preview: Any, here: LocalServer) -> AsyncIterator[None]:
    """Show what is told after a move on the board. SimCord shows only what follows a press in the chat."""
    task = asyncio.create_task(_keep_current(preview, here))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


LOOKS_EVERY = 0.3
"""Seconds."""


async def _keep_current(preview: Any, here: LocalServer) -> None:
    publish = getattr(preview, "_publish_message_pages", None)
    shown = _told(here)
    while publish is not None:
        await asyncio.sleep(LOOKS_EVERY)
        told = _told(here)
        if told != shown and getattr(preview, "_active_action", None) is None:  # else what is pressed is shown then
            publish()
            shown = told


def _told(here: LocalServer) -> list[tuple[int, str | None]]:
    """Which messages the channel has, and when each was edited last."""
    messages = here.env.backend.messages.get(here.channel.id, {})
    return [(one.id, one.edited_timestamp) for one in list(messages.values())]


def _tell_the_time(preview: Any) -> None:
    """Have every answer say what time it is, so that "2 minutes ago" is right. SimCord's is that of the last press."""
    plain, advance = (getattr(preview, name, None) for name in ("_publish", "_advance_presentation_time"))
    if plain is None or advance is None:
        return

    def published(*given: Any, **more: Any) -> Any:
        advance()
        return plain(*given, **more)

    preview._publish = published


def _open_as_asked(preview: Any, here: LocalServer) -> None:
    """Open the page as whoever must decide then. SimCord would open it as the first person."""
    plain = getattr(preview, "_open_page", None)
    if plain is None:
        return

    def opened(viewer: Any = None, target: Any = None) -> Any:
        return plain(str(here.asked().id) if viewer is None else viewer, target)

    preview._open_page = opened


def _add_style(preview: Any, style: str) -> None:
    """Add `style` to the page's own. SimCord has no setting for it; a release built differently is left alone."""
    server = getattr(preview, "_server", None)
    plain = getattr(server, "_static", None)
    if plain is None:
        return

    async def styled(request: Any) -> Any:
        answer = await plain(request)
        if request.path == "/preview.css":
            answer.text += style
        return answer

    server._static = styled  # type: ignore[union-attr]
