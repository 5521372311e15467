"""Pictures of boards as plain data: kingdoms, the two rows of the draft, points by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.play import kingdoms
from games.protocol import State

Cell = tuple[int, int]
MIDDLE, HARMONY, TOTAL = "middle", "harmony", "total"
_OFF = {MIDDLE: (layout.MIDDLE, 3), HARMONY: (layout.HARMONY, 2)}


class Laid(NamedTuple):
    """A domino in a kingdom; ends: the squares of its ends a and b, x east and y south of the castle."""

    number: int
    seat: int
    ends: tuple[Cell, Cell]

    @property
    def cells(self) -> dict[Cell, int]:
        """Square -> 0 (end a) or 1 (end b)."""
        return {cell: end for end, cell in enumerate(self.ends)}


class Offer(NamedTuple):
    """A domino of the draft; seat: whose king stands on it (None: nobody's); is_done: it has been placed."""

    number: int
    seat: int | None
    is_done: bool = False


@dataclass(frozen=True)
class Picture:
    """Contents of a board.

    num_seats, limit, kings, row: seats, squares along a kingdom's side, kings of all seats together, dominoes of a row;
    laid: in the order of placing; settled: of each ply that placed or discarded one, in order (None:
    discarded); last: the domino placed by the last ply, if it placed one;
    now: the row being placed, next: the row on offer, each in ascending order; turn: how many
    of `now` (in round 1: of `order`, seats of the kings) have had their turn; player: seat on
    turn or None; points: kind -> points, by seat; kinds: those that this match has.
    """

    num_seats: int
    limit: int
    kings: int
    row: int
    round: int
    rounds: int
    laid: Sequence[Laid]
    settled: Sequence[Laid | None]
    last: Laid | None
    now: Sequence[Offer]
    next: Sequence[Offer]
    order: Sequence[int]
    turn: int
    player: int | None
    points: Sequence[Mapping[str, int]]
    kinds: Sequence[str]

    @property
    def title(self) -> str:
        """The round, or that the match is over."""
        is_over = self.player is None and self.round == self.rounds and not self.now
        return "Final points" if is_over else f"Round {self.round} of {self.rounds}"

    def of_seat(self, seat: int) -> list[Laid]:
        """The dominoes in a kingdom."""
        return [one for one in self.laid if one.seat == seat]


def build_picture(kernels: ModuleType, state: State) -> Picture:
    """Read the picture of a state."""
    seats, kings = int(state[layout.NUM_SEATS]), int(state[layout.NUM_KINGS])
    round_, turn, player = (int(state[word]) for word in (layout.ROUND, layout.TURN, layout.PLAYER))
    fates = reading.fates(state)
    settled = [laid_of(fate) for fate in fates if fate.status != layout.WAITS]
    rest = [place for place in range(kings) if state[layout.LAST + place]]
    return Picture(
        num_seats=seats,
        limit=int(state[layout.LIMIT]),
        kings=kings,
        row=reading.row_length(state),
        round=round_,
        rounds=int(state[layout.NUM_ROWS]) + 1,
        laid=[laid for fate in fates if (laid := laid_of(fate))],
        settled=settled,
        last=settled[-1] if settled else None,
        now=[Offer(int(state[layout.LAST + i]), int(state[layout.OWNER + i]) - 1, i < turn) for i in rest],
        next=[
            Offer(number, int(state[layout.CLAIM + i]) - 1 if state[layout.CLAIM + i] else None)
            for i, number in enumerate(reading.offered_dominoes(state))
        ],
        order=[int(word) - 1 for word in state[layout.ORDER :][: state[layout.NUM_ORDERED]]] if round_ == 1 else [],
        turn=turn,
        player=player if player >= 0 else None,
        points=[points(kernels, state, seat) for seat in range(seats)],
        kinds=kinds(state),
    )


def laid_of(fate: reading.Fate) -> Laid | None:
    """The domino where it lies; None where it waits or has been discarded."""
    return Laid(fate.domino, fate.seat, fate.squares) if fate.squares else None


def kinds(state: State) -> list[str]:
    """Kinds of points in this match, the total last."""
    return [*dominoes.TERRAINS, *(kind for kind, (word, off) in _OFF.items() if state[word] != off), TOTAL]


def points(kernels: ModuleType, state: State, seat: int) -> dict[str, int]:
    """Points of a kingdom by kind."""
    found = dict.fromkeys(dominoes.TERRAINS, 0)
    for area in kingdoms.areas(state, seat):
        found[area.terrain] += area.points
    at = layout.KINGDOMS + layout.KINGDOM * seat
    found[MIDDLE] = int(kernels.middle_points(state, at, seat))
    found[HARMONY] = int(kernels.harmony_points(state, at, seat))
    return found | {TOTAL: sum(found.values())}


def faces(number: int) -> tuple[tuple[str, int], tuple[str, int]]:
    """Terrain and crowns of both ends of a domino."""
    terrain, crowns = reading.TABLES.terrain, reading.TABLES.crowns
    at = 2 * (number - 1)
    first, second = ((dominoes.TERRAINS[int(terrain[at + end])], int(crowns[at + end])) for end in (0, 1))
    return first, second
