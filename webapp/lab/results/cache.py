"""Numbers of an experiment, kept in this process until something new is written."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db import connection

from webapp.records.models import Chunk, Experiment, Match

MAX_ENTRIES = 256
PATIENCE = 10
"""Of the time that the numbers of what runs are counted again and again, this is the reciprocal."""

Result = TypeVar("Result")
Version = tuple[Any, ...]

_WRITTEN = f"""
SELECT coalesce(sum(written), 0)::bigint, count(*),
       (SELECT max(finished_at) FROM {Match._meta.db_table} WHERE experiment_id = %(experiment)s)
FROM {Chunk._meta.db_table} WHERE experiment_id = %(experiment)s
"""
"""Asked dozens of times a page: put together by the ORM, it takes five times as long as to answer it."""

_entries: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
_lock = threading.Lock()


def version(experiment: Experiment) -> Version:
    """Changes with the matches written, the summaries rebuilt and the status; cheap to ask."""
    with connection.cursor() as cursor:
        cursor.execute(_WRITTEN, {"experiment": experiment.pk})
        written = cursor.fetchone()
    outcome = json.dumps(experiment.outcome, sort_keys=True)
    return (experiment.status, *written, experiment.summaries_rebuilt_at, outcome)


def per_version(function: Callable[..., Result]) -> Callable[..., Result]:
    """Keep the results of ``function(experiment, *hashable)`` for the version they are of."""

    @wraps(function)
    def kept(experiment: Experiment, *arguments: Any) -> Result:
        key = (function.__qualname__, experiment.pk, experiment.hides_people, version(experiment), *arguments)
        with _lock:
            if key in _entries:
                _entries.move_to_end(key)
                known: Result = _entries[key]
                return known
        result = function(experiment, *arguments)
        with _lock:
            _entries[key] = result
            while len(_entries) > MAX_ENTRIES:
                _entries.popitem(last=False)
        return result

    return kept


def patient(function: Callable[..., Result]) -> Callable[..., Result]:
    """As `per_version`, but while an experiment runs a slow result stands for PATIENCE times what it took."""

    @wraps(function)
    def kept(experiment: Experiment, *arguments: Any) -> Result:
        key = ("patient", function.__qualname__, experiment.pk, experiment.hides_people, *arguments)
        now, of = time.monotonic(), version(experiment)
        with _lock:
            entry: tuple[Version, float, Result] | None = _entries.get(key)
            if entry is not None:
                known, until, result = entry
                if known == of or (now < until and experiment.status == Experiment.Status.RUNNING):
                    _entries.move_to_end(key)
                    return result
        made = function(experiment, *arguments)
        with _lock:
            _entries[key] = (of, now + (1 + PATIENCE) * (time.monotonic() - now), made)
            _entries.move_to_end(key)
            while len(_entries) > MAX_ENTRIES:
                _entries.popitem(last=False)
        return made

    return kept
