"""A kind of study: independent pieces of work, and the result made from their rows.

A piece depends on the spec and its own number alone, so any number of workers gives the same
rows, with or without a crash, and a study that is stopped keeps the rows it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from games.protocol import Game


@dataclass(frozen=True)
class StudySpec:
    """The question of a study; `parameters` are complete and checked by the kind."""

    study: str
    game: str
    parameters: Mapping[str, Any]
    seed: int = 0


class StudyKind(Protocol):
    """One kind of study. Instances keep no state.

    One that people start by a form is a `FormKind`.
    """

    id: str
    version: str
    label: str
    summary: str

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with their defaults, as JSON keeps them.

        Raises worker.spec.SpecError with the place below ``parameters``.
        """

    def num_pieces(self, spec: StudySpec) -> int:
        """Return the number of pieces of work, at least 1, each of a few seconds at most."""

    def seconds(self, spec: StudySpec) -> float:
        """Estimate the CPU seconds of all pieces together, right within a factor of three."""

    def piece(self, spec: StudySpec, index: int) -> dict[str, Any]:
        """Do one piece; return its row, JSON-ready."""

    def result(self, spec: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Make the result from the rows known so far (by piece number), JSON-ready; pages and exports read it."""


class FormKind(StudyKind, Protocol):
    """A kind that people start by a form.

    Two methods are optional. ``to_form(game, parameters)`` is the inverse of `complete_parameters` where that
    turns the values of the form into something longer; it raises SpecError for parameters that the form cannot
    express. ``list_choices(game)`` gives, by option, the choices that go with a game where not all do; a form
    begins with the first of them.
    """

    options: type
    """An options class (games.options) whose values are parameters."""


def has_form(kind: StudyKind) -> TypeGuard[FormKind]:
    """Whether people start this kind by a form."""
    return hasattr(kind, "options")
