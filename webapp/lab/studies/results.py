"""The result of a study so far: its kind makes it from the rows, and it is cached until another piece ends."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, Q, Sum

from webapp.records.models import Study, StudyPiece
from worker.spec import SpecError
from worker.studies import registry, report
from worker.studies import spec as specs

logger = logging.getLogger(__name__)

MAX_ENTRIES = 128
SLOW_S, PATIENCE = 0.2, 10
"""A value that took more than `SLOW_S` to make serves later versions for `PATIENCE` times as long as it took."""
GONE = "This version of the lab cannot read it any more: {}. Its rows and its spec can still be exported."
BROKEN = "The result could not be made from the rows; the log says why. The rows can still be exported."

T = TypeVar("T")

Version = tuple[int, str, int, int, float]
"""Study, status, pieces done, pieces failed, CPU seconds."""


class _Entry(NamedTuple):
    key: Version
    value: Any
    made_at: float
    took_s: float


_entries: OrderedDict[int, _Entry] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class CurrentResult:
    """The result of the rows known so far (None: there is none), or the problem that prevents it.

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


def version(study: Study) -> Version:
    """A key that changes with the status and the pieces that ended; cheap to ask."""
    counted = study.pieces.aggregate(
        done=Count("pk", filter=Q(status=StudyPiece.Status.DONE)),
        failed=Count("pk", filter=Q(status=StudyPiece.Status.FAILED)),
        cpu_s=Sum("cpu_s", default=0.0),
    )
    return (study.pk, study.status, counted["done"], counted["failed"], counted["cpu_s"])


def get_or_make(key: Version, make: Callable[[], T]) -> T:
    """The value for this version of a study, from the cache or made now.

    While a study runs, a value that took long to make also serves later versions for some time:
    otherwise every look at a large study would keep a process busy.
    """
    with _lock:
        entry = _entries.get(key[0])
        if entry is not None and _serves(entry, key):
            _entries.move_to_end(key[0])
            value: T = entry.value
            return value
    started = time.monotonic()
    made = make()
    ended = time.monotonic()
    with _lock:
        _entries[key[0]] = _Entry(key, made, ended, ended - started)
        while len(_entries) > MAX_ENTRIES:
            _entries.popitem(last=False)
    return made


def cached_version(key: Version) -> Version:
    """The version that `get_or_make` would answer with now: this one, or an earlier one that still serves."""
    with _lock:
        entry = _entries.get(key[0])
        return entry.key if entry is not None and _serves(entry, key) else key


def _serves(entry: _Entry, key: Version) -> bool:
    if entry.key == key:
        return True
    both_run = entry.key[1] == key[1] == Study.Status.RUNNING
    is_slow = entry.took_s > SLOW_S
    return both_run and is_slow and time.monotonic() - entry.made_at < PATIENCE * entry.took_s


def current(study: Study) -> CurrentResult:
    """The result from the rows of this moment, never from the cache."""
    return _compute(study, *version(study)[2:])


def _compute(study: Study, done: int, failed: int, cpu_s: float) -> CurrentResult:
    rows, versions = rows_of(study)
    current = CurrentResult(done, failed, cpu_s, versions)
    if not rows:
        return current
    try:
        spec = specs.from_json(study.spec)
    except SpecError as error:
        return replace(current, problem=GONE.format(error))
    try:
        return replace(current, result=registry.get(study.kind).result(spec, rows))
    except Exception:  # rows of another version of the kind; the page with them still has to be shown
        logger.exception("the result of study %s cannot be made", study.pk)
        return replace(current, problem=BROKEN)


def rows_of(study: Study) -> tuple[dict[int, dict[str, Any]], dict[str, str]]:
    """Rows by piece, and the versions that made them."""
    rows: dict[int, dict[str, Any]] = {}
    versions: dict[str, str] = {}
    pieces = study.pieces.filter(status=StudyPiece.Status.DONE).order_by("index")
    for index, row, used in pieces.values_list("index", "row", "versions").iterator():
        rows[index] = row or {}
        versions |= used or {}
    return rows, versions


def failures_of(study: Study) -> dict[int, str]:
    """Reasons of failed pieces, by piece."""
    failed = study.pieces.filter(status=StudyPiece.Status.FAILED).order_by("index")
    return dict(failed.values_list("index", "failure"))


def full_report(study: Study) -> dict[str, Any]:
    """The whole result as one JSON object. Raises SpecError for a spec of another version."""
    rows, versions = rows_of(study)
    return report.report(specs.from_json(study.spec), rows, failures_of(study), versions)
