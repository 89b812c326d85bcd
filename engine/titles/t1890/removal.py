"""Tiles that leave the map, and what becomes of the tokens on them; for the earthquake and the air raids."""

from engine.board.board import keeps_track
from engine.board.tiles import turned
from engine.facts import TileRemoved, TokenPlaced, TokenReturned
from engine.ids import CorpId, HexId, TileId, stop_id
from engine.printed import COLOURS
from engine.state import State
from engine.steps.token import spend_token
from engine.steps.track import put_tile
from engine.title import Title
from engine.titles.t1890 import printed
from engine.titles.t1890.companies import RETURNED, give_back_token, has_closed, waiting_homes
from engine.titles.t1890.own import own
from engine.titles.t1890.track import NOT_AFTER, OWN_TILES


def tokens_on(s: State, hex_id: HexId) -> list[CorpId]:
    """Companies with a token in the hex, in the order of stops and places."""
    stops = range(len(s.board.face(hex_id).face.stops))
    return [corp for index in stops for corp in s.board.places(hex_id, index) if corp]


def take_tokens(s: State, hex_id: HexId) -> list[CorpId]:
    """All tokens of the hex go back to their charters, to be placed again for 100; whose they were."""
    corps = tokens_on(s, hex_id)
    for corp in corps:
        give_back_token(s, corp, hex_id)
    return corps


def remove_tile(s: State, hex_id: HexId) -> None:
    """The map shows again; the hex must be without tokens."""
    if hex_id in s.board.placed:
        tile, _ = s.board.placed[hex_id]
        s.supply[tile] += 1
        s.board = s.board.without_tile(hex_id)
        s.facts.append(TileRemoved(hex_id, tile, None))


def is_home(corp: CorpId, hex_id: HexId) -> bool:
    """Whether the company began in the hex; Kobe Rapid only came to Kobe."""
    return corp != printed.KOBE_RAPID and any(home == hex_id for home, _ in printed.CORPORATIONS[corp].homes)


def free_stop(t: Title, s: State, hex_id: HexId, corp: CorpId) -> int | None:
    """A city of the hex with a place that is kept for no home to come and no token out of use; its home first."""
    homes = [index for home, index in printed.CORPORATIONS[corp].homes if home == hex_id]
    order: list[int] = [s.board.printed_stop(hex_id, index) for index in homes]
    order += range(len(s.board.face(hex_id).face.stops))
    for index in order:
        keepers = [other for other in waiting_homes(t, s, hex_id, index) if other != corp]
        if hex_id == printed.ITAMI:  # 1890-VAR-17d
            keepers += [other for other in own(s).face_down if other != corp and not has_closed(s, other)]
        if s.board.places(hex_id, index).count(None) > len(keepers):
            return index
    return None


def put_back(t: Title, s: State, hex_id: HexId, corp: CorpId) -> bool:
    """Lay a returned token into the hex again, free of charge, if a place is free."""
    index = free_stop(t, s, hex_id, corp)
    if index is None or RETURNED not in s.tokens[corp] or has_closed(s, corp):
        return False
    spend_token(s, corp, RETURNED)
    s.board = s.board.with_token(hex_id, index, corp)
    s.facts.append(TokenPlaced(corp, stop_id(hex_id, index), 0, back=True))
    return True


def lower_tile(t: Title, s: State, hex_id: HexId) -> None:
    """The hex goes down one colour: to the tile with the most track that could have been upgraded to this one.

    Tokens without a place return to their owners, home tokens last. {1890-VAR-17c}
    """
    if hex_id not in s.board.placed:
        return
    old, _ = s.board.placed[hex_id]
    corps = sorted(take_tokens(s, hex_id), key=lambda corp: not is_home(corp, hex_id))
    lower = _lower(t, s, hex_id, old)
    if lower is None:
        remove_tile(s, hex_id)
    else:
        put_tile(t, s, hex_id, *lower)
        s.facts.append(TileRemoved(hex_id, old, lower[0]))
    for corp in corps:
        if not put_back(t, s, hex_id, corp):
            s.facts.append(TokenReturned(corp, hex_id))


def _lower(t: Title, s: State, hex_id: HexId, old: TileId) -> tuple[TileId, int] | None:
    present = s.board.face(hex_id)
    kinds = [stop.kind for stop in present.face.stops]
    for colour in reversed(COLOURS[: COLOURS.index(present.face.colour)]):
        fitting = [
            (len(turned(face, rotation).exits), tile, rotation)
            for tile, left in s.supply.items()
            for face in (t.tiles[tile].face,)
            if left and face.colour == colour and tile not in OWN_TILES and [stop.kind for stop in face.stops] == kinds
            if old not in NOT_AFTER.get(tile, ())
            for rotation in range(6)
            if keeps_track(turned(face, rotation), present)
        ]
        if fitting:
            _, tile, rotation = max(fitting, key=lambda item: item[0])
            return tile, rotation
    return None
