"""A kind of study: independent pieces of work, and the result made from their rows.

A piece depends on the spec and its own number alone (of a `StagedKind` on rows of earlier stages, too),
so any number of workers gives the same rows, with or without a crash, and a study that is stopped keeps
the rows it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from games.protocol import Game
from worker.fields import Field


@dataclass(frozen=True)
class StudySpec:
    """The question of a study; `parameters` are complete and checked by the kind."""

    study: str
    game: str
    parameters: Mapping[str, Any]
    seed: int = 0


class StudyKind(Protocol):
    """One kind of study. Instances keep no state.

    One that people start by a form is a `FormKind`. Two attributes are optional: ``timed_fields``, names of fields of
    its rows that hold seconds, besides cpu_s and elapsed_s; ``measures_time``, True where nothing else is in them
    (`worker.studies.again`).
    """

    id: str
    version: str
    label: str
    summary: str
    row_fields: Mapping[str, Field]
    """What the fields of its rows mean; `pieces` lets none pass that is not among them."""

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


class StagedKind(StudyKind, Protocol):
    """A kind whose pieces come in stages: what a piece does follows from the rows of all stages before its own.

    So any number of workers gives the same rows all the same: no piece begins before the stages before have ended.
    """

    def stages(self, spec: StudySpec) -> Sequence[int]:
        """Return the number of pieces of each stage, in their order; together all that there are."""

    def staged_piece(self, spec: StudySpec, index: int, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Do one piece; return its row. rows: of all stages before, but for pieces that failed."""


class FormKind(StudyKind, Protocol):
    """A kind that people start by a form.

    Two methods are optional. ``to_form(game, parameters)`` is the inverse of `complete_parameters` where that
    turns the values of the form into something longer; it raises SpecError for parameters that the form cannot
    express. ``list_choices(game)`` gives, by option, the choices that go with a game where not all do; a form
    begins with the first of them.
    """

    options: type
    """An options class (games.options) whose values are parameters."""


def is_staged(kind: StudyKind) -> TypeGuard[StagedKind]:
    """Whether the pieces of this kind come in stages."""
    return hasattr(kind, "stages")


def stage_of(kind: StudyKind, spec: StudySpec, index: int) -> range:
    """The pieces of the stage that a piece is in; all of a kind without stages. Those before it must have ended."""
    if not is_staged(kind):
        return range(kind.num_pieces(spec))
    first = 0
    for size in kind.stages(spec):
        if index < first + size:
            return range(first, first + size)
        first += size
    raise ValueError(f"there is no piece {index} among {first}")


def has_form(kind: StudyKind) -> TypeGuard[FormKind]:
    """Whether people start this kind by a form."""
    return hasattr(kind, "options")
