"""What a kind of study is: independent pieces of work, and what they say together.

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
    """What is to be found out; `parameters` are complete and checked by the kind."""

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

    def checked(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with their defaults, as JSON keeps them.

        Raises worker.spec.SpecError with the place below ``parameters``.
        """

    def num_pieces(self, spec: StudySpec) -> int:
        """How many pieces of work there are, at least 1; each of a few seconds at most."""

    def seconds(self, spec: StudySpec) -> float:
        """Estimated CPU seconds of all pieces together, right within a factor of three."""

    def piece(self, spec: StudySpec, index: int) -> dict[str, Any]:
        """Do one piece; return its row, JSON-ready."""

    def result(self, spec: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """What the rows known so far (by piece number) say, JSON-ready; pages and exports read it."""


class FormKind(StudyKind, Protocol):
    """A kind that people start by a form.

    Where `checked` turns the values of the form into something longer, it has ``asked(game, parameters)``,
    too, which turns that back into them, or raises SpecError where they cannot say it. Where not every
    choice goes with every game, ``fitting(game)`` lists, by option, those that do, the one that a form
    begins with first.
    """

    options: type
    """An options class (games.options) whose values are parameters."""


def has_form(kind: StudyKind) -> TypeGuard[FormKind]:
    """Whether people start this kind by a form."""
    return hasattr(kind, "options")
