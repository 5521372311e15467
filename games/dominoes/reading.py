"""Reads a state for people: hands, turns, the row of tiles, the score sheet. Holds no rule of its own."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, NamedTuple

from games.dominoes import state as layout
from games.dominoes import tiles
from games.protocol import State
from games.svg import SEAT_NAMES

SEATS = range(layout.MAX_SEATS)
COLOURS = tuple(name.split()[0] for name in SEAT_NAMES[: layout.MAX_SEATS])
"""Names of seats, as on their plates."""
KINDS = {layout.OUT: "out", layout.BLOCK: "block", layout.FOUL_END: "foul", layout.DOUBLES_END: "doubles"}


class Turn(NamedTuple):
    """One turn of the present round; ends: numbers at both ends before it, None on a bare table.

    is_upheld: of a call, whether the pass was wrong.
    """

    seat: int
    action: int
    ends: tuple[int, int] | None
    is_upheld: bool = False

    @property
    def tile(self) -> int | None:
        """Index of the tile laid, None for anything else."""
        return self.action >> 1 if self.action < layout.PASS else None


class Laid(NamedTuple):
    """A tile of the row as it lies, from left to right; turn: 0-based turn in which it was laid."""

    left: int
    right: int
    seat: int
    turn: int


class Line(NamedTuple):
    """A round on the score sheet; pips, points and bonuses: by seat, in favour of the winner, by team.

    winner: team, None where nobody; seat: who went out, blocked, or was at fault; turns: how many.
    """

    kind: str
    winner: int | None
    opener: int
    seat: int
    caller: int | None
    is_capicua: bool
    is_chuchazo: bool
    turns: int
    pips: tuple[int, ...]
    points: int
    bonuses: tuple[int, int]

    def credit(self, team: int) -> int:
        """All points of the round in favour of a team."""
        return self.bonuses[team] + (self.points if self.winner == team else 0)


def turns(state: State) -> list[Turn]:
    """The turns of the present round, or of the one that has just ended."""
    rows = []
    for word in state[layout.LOG : layout.LOG + int(state[layout.NUM_TURNS])].tolist():
        left, right = (word >> layout.LOG_LEFT & 7) - 1, (word >> layout.LOG_RIGHT & 7) - 1
        is_upheld = bool(word & layout.LOG_UPHELD)
        rows.append(Turn(word >> layout.LOG_SEAT & 3, word & 63, None if left < 0 else (left, right), is_upheld))
    return rows


def row(state: State) -> list[Laid]:
    """The tiles on the table from the left end to the right one."""
    laid: list[Laid] = []
    for number, turn in enumerate(turns(state)):
        if turn.tile is None:
            continue
        a, b = tiles.TILES[turn.tile]
        if turn.ends is None:
            laid.append(Laid(a, b, turn.seat, number))
        elif turn.action & 1 == layout.LEFT_SIDE:
            outer = a + b - turn.ends[0]
            laid.insert(0, Laid(outer, turn.ends[0], turn.seat, number))
        else:
            outer = a + b - turn.ends[1]
            laid.append(Laid(turn.ends[1], outer, turn.seat, number))
    return laid


def hand(state: State, seat: int) -> tuple[int, ...] | None:
    """Tiles of a hand in their order, None where it is unknown."""
    word = int(state[layout.HAND + seat])
    return None if word == layout.UNKNOWN else tiles.tile_indices(word)


def last_hands(state: State) -> tuple[tuple[int, ...], ...]:
    """Tiles that seats were left with in the last round that ended; empty before."""
    return tuple(tiles.tile_indices(max(0, int(state[layout.LAST_HAND + seat]))) for seat in SEATS)


def ends(state: State) -> tuple[int, int] | None:
    """Numbers at both ends, None on a bare table."""
    left, right = int(state[layout.LEFT]), int(state[layout.RIGHT])
    return None if left < 0 else (left, right)


def lacks(state: State, seat: int) -> tuple[int, ...]:
    """Numbers that a seat has passed on in this round."""
    return tuple(n for n in range(tiles.NUM_NUMBERS) if int(state[layout.LACKS + seat]) >> n & 1)


def is_hidden(state: State) -> bool:
    """Whether hands are hidden: a round is being dealt or played."""
    return bool(state[layout.NUM_DEALT])


def sheet(state: State) -> list[Line]:
    """The rounds that have ended, first to last."""
    lines = []
    for number in range(layout.MAX_ROUNDS):
        at = layout.SHEET + layout.SHEET_LINE * number
        words = state[at : at + layout.SHEET_LINE].tolist()
        facts = words[layout.FACTS]
        if not facts:
            break
        winner = (facts >> layout.F_WINNER & 3) - 1
        kind = facts & 7
        lines.append(
            Line(
                kind=KINDS[kind],
                winner=None if winner < 0 else winner,
                opener=facts >> layout.F_OPENER & 3,
                seat=facts >> layout.F_SEAT & 3,
                caller=facts >> layout.F_CALLER & 3 if kind == layout.FOUL_END else None,
                is_capicua=bool(facts >> layout.F_CAPICUA & 1),
                is_chuchazo=bool(facts >> layout.F_CHUCHAZO & 1),
                turns=facts >> layout.F_TURNS & 255,
                pips=tuple(words[layout.SHEET_PIPS] >> 7 * seat & 127 for seat in SEATS),
                points=words[layout.POINTS],
                bonuses=(words[layout.BONUS_0], words[layout.BONUS_1]),
            )
        )
    return lines


def newest(state: State) -> list[Line]:
    """The rounds that ended with the last ply, or at the deals after it; with the first ply, also those before it."""
    lines = sheet(state)
    at_deals = sum(1 for _ in takewhile(lambda line: not line.turns, reversed(lines)))
    if is_hidden(state) and state[layout.NUM_TURNS]:
        is_first = state[layout.NUM_TURNS] == 1 and at_deals == len(lines)
        return lines if is_first else []
    return lines[-1 - at_deals :]


def has_one_place(state: State) -> bool:
    """Whether a tile can go to one place only: the table is bare, or its ends are equal."""
    return int(state[layout.LEFT]) == int(state[layout.RIGHT])


def notation(state: State, action: int) -> str:
    """``2-5 left``, ``6-6`` where there is one place only, ``pass``, ``call orange``, ``partner opens``."""
    return in_words(action, has_one_place(state))


def in_words(action: int, is_one_place: bool) -> str:
    """The notation of an action. is_one_place: a tile could go to one place only."""
    if action == layout.PASS:
        return "pass"
    if action == layout.HAND_OVER:
        return "partner opens"
    if action >= layout.CALL:
        return f"call {COLOURS[action - layout.CALL]}"
    tile = tiles.name(action >> 1)
    if is_one_place:
        return tile
    return f"{tile} {'left' if action & 1 == layout.LEFT_SIDE else 'right'}"


def outcome_notation(state: State, outcome: int) -> str:
    """The hand that the next seat is dealt, or who opens."""
    if state[layout.TO_DRAW]:
        return f"{COLOURS[outcome]} opens"
    return " ".join(tiles.name(tile) for tile in tiles.tile_indices(outcome))


def observation(state: State) -> dict[str, Any]:
    """All that a view shows, JSON-ready: unknown hands are null."""
    hands = [hand(state, seat) for seat in SEATS]
    lies = ends(state)
    return {
        "round": int(state[layout.ROUND]),
        "opener": int(state[layout.OPENER]),
        "hands": [None if held is None else [list(tiles.TILES[tile]) for tile in held] for held in hands],
        "tiles_held": [int(state[layout.COUNT + seat]) for seat in SEATS],
        "row": [[tile.left, tile.right, tile.seat] for tile in row(state)],
        "ends": None if lies is None else list(lies),
        "passed_on": [list(lacks(state, seat)) for seat in SEATS],
        "turns": [[turn.seat, _turn_words(turn)] for turn in turns(state)],
        "sheet": [line._asdict() | {"pips": list(line.pips), "bonuses": list(line.bonuses)} for line in sheet(state)],
    }


def _turn_words(turn: Turn) -> str:
    if turn.tile is not None:
        return tiles.name(turn.tile)
    if turn.action in (layout.PASS, layout.HAND_OVER):
        return "pass" if turn.action == layout.PASS else "partner opens"
    return f"call: {'wrong' if turn.is_upheld else 'right'} pass"
