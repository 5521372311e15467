"""A position and what might be played from it, marked as `games.variations` says.

The table is that of the seat on turn, its hand open, other hands face down. Whatever the plies of a
variation change is drawn again with its new value: cards in play and in the hand, piles, figures of
seats, what is left of the turn. Rings mark what the last ply shown has played, gained or trashed.
A ply that ends a turn leaves the cards where they lie, so that one sees what was bought with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType

from games import readiness
from games.dominion import reading
from games.dominion import state as layout_of
from games.dominion.board import layered_table, layout, render, small
from games.dominion.board.layered_table import LayeredTable, Marks
from games.dominion.board.layout import Arrangement
from games.dominion.board.picture import Picture, build_picture, visible_state
from games.protocol import Game, State
from games.svg import Canvas, Theme, tag

_ENDS = "The turn ends"


def svg(game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
    """The table of `state` with every variation in it; see `games.variations`."""
    kernels, player = readiness.rules(game), game.current_player(state)
    seat = None if player < 0 else player
    position = _picture(kernels, state, seat)
    plies = [_course(kernels, position, states, seat) for states in variations]
    table = _Position(position, plies, Theme("page"))
    canvas = Canvas(table.forms[0].box, render.WIDTH, table.theme, prefix)
    words = f"{render.description(position)} Beside it one chooses what might be played."
    return render.whole(canvas, table.markup(), position, layered_table.CSS, words, narrow=table.forms[1].box)


def _picture(kernels: ModuleType, state: State, seat: int | None) -> Picture:
    """Picture as the seat may see it; with nobody on turn the match is over, and nothing is hidden."""
    return (
        build_picture(kernels, state, None, is_open=True)
        if seat is None
        else build_picture(kernels, visible_state(kernels, state, seat), seat)
    )


def _course(kernels: ModuleType, position: Picture, states: Sequence[State], seat: int | None) -> list[Picture]:
    """Pictures after each ply of a variation."""
    found = [position]
    for state in states:
        after = _picture(kernels, state, seat)
        found.append(_before_clean_up(found[-1], after) if state[layout_of.KIND] == layout_of.CLEAN_UP else after)
    return found[1:]


def _before_clean_up(before: Picture, after: Picture) -> Picture:
    """The end of a turn, its cards still on the table."""
    holders = list(after.holders)
    was, now = before.holders[after.turn], holders[after.turn]
    more = Counter(now.owned).total() - Counter(was.owned).total()
    holders[after.turn] = replace(was, points=now.points, owned=now.owned, discard=was.discard + more)
    return replace(after, holders=holders, played=before.played, hand=before.hand, question=_ENDS)


def drawn_svg(game: Game, state: State, *, prefix: str = "") -> str:
    """The card that asks something; empty in the phases of a turn."""
    asked = reading.decision(state)
    return "" if asked is None or asked.card is None else small.held_svg(asked.card, prefix=prefix)


class _Position(LayeredTable):
    """A position; plies: for each variation a picture after 1, 2, ... of them."""

    def __init__(self, position: Picture, plies: Sequence[Sequence[Picture]], theme: Theme) -> None:
        super().__init__(position, theme)
        self.plies = plies

    def values(self, key: Callable[[Picture], Hashable]) -> Iterator[tuple[Picture, Marks]]:
        """The value in the position, then those that variations bring, each once."""
        now, gone = key(self.last), []
        found: dict[tuple[Hashable, int, int | None], tuple[Picture, list[int]]] = {}
        for number, pictures in enumerate(self.plies):
            keys = [now, *map(key, pictures)]
            starts = [n for n in range(1, len(keys)) if keys[n] != keys[n - 1]]
            if starts:
                gone.append(f"{number}:{starts[0]}")
            for start, end in zip(starts, [*starts[1:], None], strict=False):
                found.setdefault((keys[start], start, end), (pictures[start - 1], []))[1].append(number)
        yield self.last, {"data_gone": " ".join(gone) or None}
        for (_, start, end), (picture, numbers) in found.items():
            yield picture, _marks(numbers, start, end)

    def rings_of(self, form: Arrangement) -> str:
        """Rings of each ply, while it is the last one shown; equal ones are one."""
        found: dict[tuple[str, int], list[int]] = {}
        for number, pictures in enumerate(self.plies):
            for step, (before, after) in enumerate(zip([self.last, *pictures], pictures, strict=False), start=1):
                spots = self.touched(before, after, form)
                if sum(after.trash.values()) > sum(before.trash.values()):
                    spots.append(form.piles[layout.TRASH])
                rings = "".join(self.ring(spot) for spot in spots)
                if rings:
                    found.setdefault((rings, step), []).append(number)
        return "".join(tag("g", rings, **_marks(numbers, step, step + 1)) for (rings, step), numbers in found.items())


def _marks(numbers: Sequence[int], start: int, end: int | None) -> Marks:
    """Marks of a thing shown in these variations, from ply `start` on and before `end`."""
    shown = " ".join(map(str, numbers))
    return {"class_": layered_table.OFF, "data_variation": shown, "data_from": start, "data_to": end}
