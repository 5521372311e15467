"""What a study found so far: made by its kind from the rows, kept until another piece ends."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Count, Q, Sum

from webapp.records.models import Study, StudyPiece
from worker.spec import SpecError
from worker.studies import registry, report
from worker.studies import spec as specs

logger = logging.getLogger(__name__)

MAX_ENTRIES = 128
GONE = "This version of the lab cannot read it any more: {}. Its rows and its spec can still be exported."
BROKEN = "The result could not be made from the rows, the log says why. The rows can still be exported."

Kept = TypeVar("Kept")

_entries: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Found:
    """The result of the rows known so far (None: there is none), or why it cannot be told.

    cpu_s: of all pieces that ended; versions: of kind and game, as the pieces recorded them.
    """

    done: int
    failed: int
    cpu_s: float
    versions: Mapping[str, str]
    result: dict[str, Any] | None = None
    problem: str = ""

    @property
    def version_words(self) -> str:
        """The versions in words, e.g. "carcassonne 2, complexity 1"."""
        return ", ".join(f"{name} {version}" for name, version in sorted(self.versions.items()))


def version(study: Study) -> tuple[Any, ...]:
    """Changes with the status and the pieces that ended; cheap to ask."""
    counted = study.pieces.aggregate(
        done=Count("pk", filter=Q(status=StudyPiece.Status.DONE)),
        failed=Count("pk", filter=Q(status=StudyPiece.Status.FAILED)),
        cpu_s=Sum("cpu_s", default=0.0),
    )
    return (study.pk, study.status, counted["done"], counted["failed"], counted["cpu_s"])


def kept(key: tuple[Any, ...], make: Callable[[], Kept]) -> Kept:
    """What was made for this key, made now where it is new."""
    with _lock:
        if key in _entries:
            _entries.move_to_end(key)
            return _entries[key]
    made = make()
    with _lock:
        _entries[key] = made
        while len(_entries) > MAX_ENTRIES:
            _entries.popitem(last=False)
    return made


def current(study: Study) -> Found:
    """What the rows of this moment say."""
    key = version(study)
    return kept(("result", *key), lambda: _made(study, *key[2:]))


def _made(study: Study, done: int, failed: int, cpu_s: float) -> Found:
    rows, versions = rows_of(study)
    values = {"done": done, "failed": failed, "cpu_s": cpu_s, "versions": versions}
    if not rows:
        return Found(**values)
    try:
        spec = specs.from_json(study.spec)
    except SpecError as error:
        return Found(**values, problem=GONE.format(error))
    try:
        return Found(**values, result=registry.get(study.kind).result(spec, rows))
    except Exception:  # rows of another version of the kind; the page with them still has to be shown
        logger.exception("the result of study %s cannot be made", study.pk)
        return Found(**values, problem=BROKEN)


def rows_of(study: Study) -> tuple[dict[int, dict[str, Any]], dict[str, str]]:
    """Rows by piece, and the versions that made them."""
    rows, versions = {}, {}
    pieces = study.pieces.filter(status=StudyPiece.Status.DONE).order_by("index")
    for index, row, used in pieces.values_list("index", "row", "versions").iterator():
        rows[index] = row
        versions |= used or {}
    return rows, versions


def failures_of(study: Study) -> dict[int, str]:
    """Why pieces have failed, by piece."""
    failed = study.pieces.filter(status=StudyPiece.Status.FAILED).order_by("index")
    return dict(failed.values_list("index", "failure"))


def whole(study: Study) -> dict[str, Any]:
    """Everything about the result as one JSON object. Raises SpecError for a spec of another version."""
    rows, versions = rows_of(study)
    return report.report(specs.from_json(study.spec), rows, failures_of(study), versions)
