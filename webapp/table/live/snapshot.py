"""A match in play as somebody may see it: the one shape of which page, script and API are made.

Names are those of the JSON that scripts and agents read. What is annotated with a text is explained
by it in the API's schema, which `webapp.api.schemas` derives from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, get_args

SeatKind = Literal["open", "person", "agent", "engine"]
Status = Literal["open", "running", "finished", "ended", "cancelled"]
SEAT_KINDS: Mapping[str, SeatKind] = {kind: kind for kind in get_args(SeatKind)}
STATUSES: Mapping[str, Status] = {status: status for status in get_args(Status)}
DISCLOSED = ("seed", "deal_seed", "salt", "result")
"""Fields of a snapshot whose names, too, appear only once the match is over."""


@dataclass(frozen=True)
class Part:
    """One part of an action, spelt out."""

    name: str
    value: str
    label: str
    element: str


@dataclass(frozen=True)
class Action:
    """A legal action."""

    id: int
    notation: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Seat:
    """A seat as lists show it."""

    seat: int
    kind: SeatKind
    name: str
    level: str


@dataclass(frozen=True)
class SeatInPlay(Seat):
    """A seat with its points and clock. replaced: notes of `substitute_engines.sit_down`."""

    score: int
    projected: Annotated[int, "If the match ended here"]
    left_s: Annotated[float | None, "On its clock, before the present ply (see waited_s)"]
    replaced: list[dict[str, Any]] | None


@dataclass(frozen=True)
class Scored:
    """Something that scored."""

    kind: str
    points: int
    seats: tuple[int, ...]
    returned: tuple[int, ...]
    elements: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """One ply as all may see it."""

    ply: int
    seat: int
    action: int
    notation: str
    words: Annotated[str, "The same in words; empty where an older version of the lab played it"]
    scores: tuple[int, ...]
    played_by: SeatKind


@dataclass(frozen=True)
class LastMove(Move):
    """The ply that led to a position, and what it scored."""

    scored: tuple[Scored, ...]


@dataclass(frozen=True)
class Ending:
    """Ending of a match. kind: "finished", or as `match_end.end` takes it."""

    kind: str
    seat: int | None
    message: str


@dataclass(frozen=True)
class Result:
    """Result of a seat."""

    score: int | None
    rank: int | None
    result: str | None


@dataclass(frozen=True)
class Snapshot:
    """A match after some ply as the holder of some seats, or a spectator, sees it.

    actions: only on their own turn and now; observation: the game's own, None before the match
    begins; last: the ply before; rematch: its code, for those who played. A reader who is shown an
    earlier ply gets no offers and clocks.
    """

    code: str
    game: str
    options: dict[str, Any]
    has_aids: bool
    is_rated: Annotated[bool, "Whether it counts for ratings"]
    status: Status
    version: Annotated[int, "Rises with every change; hand it back as ?version= to wait for the next"]
    ply: Annotated[int, "Plies played in the position shown; name it when you act"]
    latest: Annotated[int, "The last ply that you may see"]
    seats: tuple[SeatInPlay, ...]
    on_turn: Annotated[int | None, "Null also between two rounds, until all people are ready for the next"]
    your_seats: tuple[int, ...]
    your_turn: bool
    observation: Annotated[
        dict[str, Any] | None, "The position, as the game describes it to this seat; null before the match begins"
    ]
    actions: Annotated[tuple[Action, ...], "Legal actions, on your turn in the present position only"]
    last: LastMove | None
    offers: Annotated[tuple[int, ...], "Seats that offer to end the match"]
    ply_limit_s: int | None
    clock_s: float | None
    increment_s: Annotated[float, "Seconds that the clock of a seat gains with each ply of its own"]
    waited_s: Annotated[float | None, "Seconds of the present ply so far, where there is a limit"]
    commitment: Annotated[str, "SHA-256 of salt:deal_seed; both are disclosed when the match is over"]
    is_taken_back: Annotated[
        bool, "Practised: a decision was taken back at some time, so the match counts for no rating and no figure"
    ]
    rematch: str | None
    ending: Ending | None
    seed: int | None = None
    deal_seed: int | None = None
    salt: str | None = None
    result: tuple[Result, ...] | None = None

    def members(self) -> dict[str, Any]:
        """All of it by name; what is disclosed at the end is not even named before."""
        hidden = () if self.seed is not None else DISCLOSED
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in hidden}

    def to_json(self) -> dict[str, Any]:
        """The same down to what is JSON already."""
        return {name: as_json(value) for name, value in self.members().items()}


def as_json(value: Any) -> Any:
    """Dataclasses as objects (those with a `to_json` by that) and tuples as lists, down to what is JSON already."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    return [as_json(item) for item in value] if isinstance(value, tuple) else value
