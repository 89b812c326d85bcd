"""What the page loads beside itself: style, script and font, each under a name that changes with its content."""

import gzip
import re
from functools import cached_property
from hashlib import blake2s
from importlib import resources

from aiohttp import web

from renderer import text, theme

TYPES = {"css": "text/css", "js": "text/javascript", "otf": "font/otf"}


class Assets:
    """The files of `static/` and the font of the pictures."""

    @cached_property
    def files(self) -> dict[str, bytes]:
        """By name: what is in them."""
        folder = resources.files("board") / "static"
        found = {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in TYPES}
        return {**found, "letters.otf": text.latin_font(), "theme.css": _theme().encode()}

    @cached_property
    def packed(self) -> dict[str, bytes]:
        """The same, compressed."""
        return {name: gzip.compress(content, 9) for name, content in self.files.items()}

    @cached_property
    def version(self) -> str:
        """Changes whenever any of them does."""
        return blake2s(b"".join(content for _, content in sorted(self.files.items())), digest_size=5).hexdigest()

    def url(self, name: str) -> str:
        """Where the page finds a file."""
        return f"/static/{self.version}/{name}"

    def imports(self, script: str) -> list[str]:
        """The modules that a script asks for by itself."""
        return re.findall(r'^import .* from "\./(.+)";$', self.files[script].decode(), re.MULTILINE)

    async def serve(self, request: web.Request) -> web.Response:
        """Answer with a file, which never changes under its address; another version's is not kept as that."""
        name, version = request.match_info["name"], request.match_info["version"]
        if name not in self.files:
            raise web.HTTPNotFound
        zipped = "gzip" in request.headers.get("Accept-Encoding", "")
        keeps = "public, max-age=31536000, immutable" if version == self.version else "no-store"
        headers = {"Cache-Control": keeps, "Vary": "Accept-Encoding"}
        if zipped:
            headers["Content-Encoding"] = "gzip"
        body = (self.packed if zipped else self.files)[name]
        return web.Response(body=body, content_type=TYPES[name.rpartition(".")[2]], headers=headers)


def _theme() -> str:
    """The colours of the pictures, for what the style draws itself."""

    def colour(rgb: theme.Rgb, dark: float = 0.0) -> str:
        return "#{:02x}{:02x}{:02x}".format(*theme.mix(rgb, theme.INK, dark))

    def around(dark: float) -> str:
        bands = {"deep": theme.SEA, "plain": theme.LAND}
        bands |= {f"band{n}": one for n, one in enumerate(theme.SHORE)} | {
            f"hill{n}": one for n, one in enumerate(theme.FOOTHILLS)
        }
        return "".join(f"--{name}:{colour(one, dark)};" for name, one in bands.items())

    fixed = {"cell": theme.CELL, "cell-line": theme.CELL_LINE, "par": theme.PAR_FRAME, "hot-mark": theme.GLOW}
    named = "".join(f"--{name}:{colour(one)};" for name, one in fixed.items())
    zones = {name.replace(" ", "-").replace("_", "-"): one for name, one in theme.ZONE_BY_NAME.items()}
    tints = {f"z-{name}": one for name, one in zones.items()} | {f"t{n}": one for n, one in enumerate(theme.ZONE_TINTS)}
    classes = "".join(f".{name}{{background-color:{colour(one)}!important}}" for name, one in tints.items())
    return f":root{{{named}{around(0)}}}@media(prefers-color-scheme:dark){{:root{{{around(0.72)}}}}}{classes}"


ASSETS = Assets()
