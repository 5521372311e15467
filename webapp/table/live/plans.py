"""Plans for a match before it is opened: who is to sit where, on which terms."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.table.live.models import LiveMatch
from worker.spec import SeatSpec

INVITED, ANYBODY = "By invitation", "Open to anybody"
"""Names of seats that nobody has taken: reserved for those invited, or open to the first who comes."""


@dataclass(frozen=True)
class SeatPlan:
    """Plan of one seat: one of person, agent, engine, or none of them (open).

    name: as tables show it, INVITED or ANYBODY of an open seat; level: id of the engine's level,
    empty for a configuration of one's own; place: of the line-up, in matches of an experiment.
    """

    name: str = ""
    person: User | None = None
    agent: Agent | None = None
    engine: SeatSpec | None = None
    level: str = ""
    place: int | None = None


@dataclass(frozen=True)
class Terms:
    """Terms of a match; see the fields of `LiveMatch`."""

    visibility: str = LiveMatch.Visibility.PRIVATE
    has_aids: bool = True
    spectator_delay: int = 0
    ply_limit_s: int | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    replaces_absent: bool = True
    is_rated: bool = False
