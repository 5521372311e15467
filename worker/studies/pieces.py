"""Does one piece of a study, for a worker of the queue or for the command line."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from games import registry as game_registry
from worker.stop_switch import StopAskedError, StopSwitch, UnwantedError, unless_wanted
from worker.studies import registry
from worker.studies.protocol import StudySpec, is_staged

logger = logging.getLogger(__name__)

MAX_FAILURE = 500
"""Characters of a failure that are kept."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of one piece: its row, or (row None) why it has none."""

    index: int
    row: dict[str, Any] | None
    failure: str
    cpu_s: float
    versions: Mapping[str, str]


class Piece(Protocol):
    """A claimed piece: the caller does it and writes what came out."""

    spec: StudySpec
    index: int
    rows: Mapping[int, dict[str, Any]]
    """Of earlier stages, where the kind has stages."""

    def is_wanted(self) -> bool:
        """Whether it is waited for; asked twice a second in the middle of the piece."""

    def write(self, outcome: Outcome) -> None:
        """Keep the outcome, once."""


def carry_out(spec: StudySpec, index: int, rows: Mapping[int, dict[str, Any]] | None = None) -> Outcome:
    """Do a piece. An exception of the kind costs this piece and nothing else.

    rows: of the stages before its own, where the kind has stages.
    """
    kind, game = registry.get(spec.study), game_registry.get(spec.game)
    versions = {kind.id: kind.version, game.id: game.version}
    began = time.process_time()
    try:
        row = kind.staged_piece(spec, index, rows or {}) if is_staged(kind) else kind.piece(spec, index)
        json.dumps(row, allow_nan=False)
        assert row.keys() <= kind.row_fields.keys(), f"no meaning of {sorted(row.keys() - kind.row_fields.keys())}"
    except Exception as error:  # whatever went wrong in there, the study goes on and says so
        logger.exception("piece %s of a study %s failed", index, spec.study)
        message = f"{type(error).__name__}: {error}"[:MAX_FAILURE]
        return Outcome(index, None, message, time.process_time() - began, versions)
    return Outcome(index, row, "", time.process_time() - began, versions)


def work_on(piece: Piece, stop: StopSwitch) -> None:
    """Do a claimed piece and write its outcome; a stop breaks it off and leaves it undone."""
    if stop.is_asked:
        return
    try:
        with stop.watching(unless_wanted(piece.is_wanted)), stop.interruptible():
            outcome = carry_out(piece.spec, piece.index, piece.rows)
    except (StopAskedError, UnwantedError):
        return
    piece.write(outcome)
