"""Final scoring: areas of each kingdom, then what a kingdom gets as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from games import readiness
from games.endings import Counted, Ending, times, winners
from games.kingdomino import metrics, reading
from games.kingdomino import state as layout
from games.kingdomino.board import victory as pictures
from games.protocol import TERMINAL, Game, State


def ending(game: Game, before: State, after: State) -> Ending | None:
    """The final scoring, where the match ended between two states."""
    if game.current_player(before) == TERMINAL or game.current_player(after) != TERMINAL:
        return None
    rows: list[Counted] = []
    number = 0  # of an area, as the drawing counts them (`board.play`)
    for seat in range(game.num_seats(after)):
        areas = metrics.areas(reading.kingdom(after, seat))
        rows += [_area(seat, area, number + place) for place, area in enumerate(areas, start=1) if area.points]
        rows += _whole(game, after, seat)
        number += len(areas)
    return Ending(
        title="Final scoring",
        is_over=True,
        rows=tuple(rows),
        how="The last domino has been placed",
        rule="Every area counts its squares times its crowns.",
        tie_rule="Points are equal: the largest area decides, then who has more crowns.",
        picture=victory(game, after, winners(game.ranks(after))),
    )


def victory(_game: Game, state: State, seats: Sequence[int]) -> str:
    """The picture of the pieces of those who have won."""
    return pictures.picture(state, seats)


def _area(seat: int, area: metrics.Area, number: int) -> Counted:
    size = times(len(area.squares), "square", "squares")
    return Counted(
        label=area.terrain.capitalize(),
        points=area.points,
        seats=(seat,),
        owner=seat,
        detail=f"{size} \N{MULTIPLICATION SIGN} {times(area.crowns, 'crown', 'crowns')}",
        kind=area.terrain.capitalize(),
        elements=(f"kingdom-{seat}",),
        feature=str(number),
    )


def _whole(game: Game, state: State, seat: int) -> list[Counted]:
    """Points for the castle in the middle, and for a kingdom without gaps."""
    kernels, at = readiness.rules(game), layout.KINGDOMS + layout.KINGDOM * seat
    found = (
        ("Middle kingdom", "castle in the middle", "Middle", int(kernels.middle_points(state, at, seat))),
        ("Harmony", "no gap", "Harmony", int(kernels.harmony_points(state, at, seat))),
    )
    return [
        Counted(label, points, (seat,), seat, detail, kind, elements=(f"kingdom-{seat}",))
        for label, detail, kind, points in found
        if points
    ]
