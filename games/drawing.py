"""Drawings of a game: functions of its `board/` and `play/`, which its face calls (`games.protocol.Game`).

They are handed what a seat may see of a position; only of a whole match all lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

from games.panels import Panel
from games.protocol import State

Seat = int | None
"""The seat that looks; None: a spectator."""


class Table(Protocol):
    """Draws a position as a picture."""

    def __call__(self, kernels: ModuleType, view: State, /, *, seat: Seat, theme: str, width: int) -> str:
        """`Game.svg`."""


class Match(Protocol):
    """Draws a whole match."""

    def __call__(
        self, kernels: ModuleType, states: Sequence[State], /, *, seat: Seat, ply: int | None, theme: str, prefix: str
    ) -> str:
        """`Game.replay_svg`."""


class Play(Protocol):
    """Draws a position for play."""

    def __call__(
        self, kernels: ModuleType, view: State, acts: list[int], /, *, seat: Seat, theme: str, prefix: str, recent: int
    ) -> str:
        """`Game.play_svg`; acts: what the seat may do now, none where it is not on turn."""


@dataclass(frozen=True)
class Drawing:
    """The pictures of a game. panel: what stands beside a view of a seat, its ids behind a prefix (`Game.panel`)."""

    table: Table
    match: Match
    play: Play
    panel: Callable[[State, Seat, str], Panel]
