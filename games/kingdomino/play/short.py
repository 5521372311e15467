"""A move as one tells it at the table: which terrain grows, what is taken next."""

from __future__ import annotations

from games.kingdomino import metrics, reading
from games.kingdomino import state as layout
from games.kingdomino.board.small import small_svg
from games.kingdomino.play.spelling import domino_words
from games.protocol import Game, MoveWords, Piece, State


def short_words(game: Game, state: State, action: int) -> MoveWords:
    """``wheat grows, takes 33``; ``discards, takes 12``; ``takes 7``."""
    spelt, placed, said = reading.move(state, action), reading.to_place(state), []
    if placed is not None and spelt.squares is None:
        said.append("discards")
    elif placed is not None:
        grown = _grown(game, state, action)
        said.append(f"{grown} grows" if grown else "" if spelt.chosen is not None else "lays the last one")
    if spelt.chosen is not None:
        said.append(f"takes {spelt.chosen}")
    piece = "" if placed is None else f"Domino {domino_words(placed)}"
    return MoveWords(piece, ", ".join(filter(None, said)))


def _grown(game: Game, state: State, action: int) -> str:
    """The terrain whose areas gain most points by a move; empty where none gains any."""
    seat = int(state[layout.PLAYER])
    was, now = (_points(one, seat) for one in (state, game.apply(state, action)))
    gains = {terrain: points - was.get(terrain, 0) for terrain, points in now.items()}
    best = max(gains, key=lambda terrain: gains[terrain], default="")
    return best if best and gains[best] > 0 else ""


def _points(state: State, seat: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for area in metrics.areas(reading.kingdom(state, seat)):
        found[area.terrain] = found.get(area.terrain, 0) + area.points
    return found


def piece_of(notation: str) -> Piece | None:
    """The domino that a move lays, else the one that it takes. notation: ``12 at 1,0 2,0, takes 33``."""
    first, _, taken = notation.partition("takes ")
    number = first.split(" ")[0] or taken
    if not number.isdigit():
        return None
    places = [f"domino-{number}"] if first else []
    return Piece(small_svg(int(number)), (*places, *((f"offer-{taken}", f"place-{taken}") if taken else ())))
