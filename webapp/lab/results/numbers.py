"""Every number of a result page as JSON: out of the selectors that the page's words are made from.

Rates are from 0 to 1 but for what the head of the page judges, which is as it writes it (`judged`).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils import timezone

from webapp.lab.results import notes, queries, versions
from webapp.lab.results.answer import answer, state
from webapp.lab.results.comparisons import Difference
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import Judged, judged
from webapp.lab.results.selectors import (
    Results,
    SideResult,
    focal_results,
    results,
    results_at_every_look,
)
from webapp.lab.results.sides import Side
from webapp.lab.results.stop_state import has_rule, stop_state
from webapp.lab.results.swept import responses
from webapp.records.models import Experiment
from worker.spec import stop

FORMAT = "meeple-lab/result"
VERSION = 1
"""Raise it where a number moves or means something else."""


def numbers(experiment: Experiment) -> dict[str, Any]:
    """All numbers of an experiment's page, all of one moment."""
    with queries.snapshot():
        experiment.refresh_from_db(fields=("status", "outcome", "summaries_rebuilt_at"))
        found, said = results(experiment), answer(experiment)
        made = {
            "format": FORMAT,
            "version": VERSION,
            "as_of": timezone.now().isoformat(),
            "title": experiment.title,
            "game": experiment.game,
            "status": experiment.status,
            "answer": {"sentence": said.sentence, "rests_on": said.under, "caution": said.caution},
            "matches": _matches(found),
            "judged": _judged(judged(experiment, found, notes.of_nothing(found))),
            "stop": _stop(experiment, said.stop.facts if said.stop else ()),
            **_tables(found),
            "by_version": _by_version(experiment, found),
            "at_every_look": None if found.is_always_valid else _tables(results_at_every_look(experiment)),
            "sweep": responses(experiment),
        }
    whole: dict[str, Any] = plain(made)
    return whole


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses are objects, and what is no finite number is null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _matches(found: Results) -> dict[str, Any]:
    """How many matches there are, and how many of them are in the numbers."""
    rows = [
        {"name": name or None, **dataclasses.asdict(arm), "left_out": arm.left_out}
        for name, arm in zip(found.lineups.arms, found.arms, strict=True)
    ]
    names = ("planned", "finished", "failed", "left_out", "beyond", "repeats")
    return {name: getattr(found, name) for name in names} | {"arms": rows}


def _judged(said: Judged) -> dict[str, Any]:
    """What the head of the page says: differences in percentage points of the win rate, points or places."""
    rows = {
        name: [_compared(said, row) for row in shown] for name, shown in (("rows", said.rows), ("leads", said.leads))
    }
    return {
        "measure": said.measure,
        "baseline": said.baseline,
        "best": said.best,
        "confidence": said.confidence,
        "is_always_valid": said.is_always_valid,
        "is_live": said.is_live,
        **rows,
    }


def _compared(said: Judged, row: Compared) -> dict[str, Any]:
    shown = {
        "mean": row.mean,
        "interval": row.interval,
        "deals": row.deals,
        "is_constant": row.is_constant,
        "dropped": row.dropped,
        "state": state(said, row)[1],
        "course": row.course,
    }
    return _side(row.side) | shown


def _stop(experiment: Experiment, facts: Sequence[tuple[str, str]]) -> dict[str, Any] | None:
    """Where the stop rule stands and what it saw; None where only the number of deals ends it."""
    if not has_rule(experiment):
        return None
    now = stop_state(experiment)
    return {
        "rule": stop.to_json(now.spec.stop),
        "deals": now.deals,
        "ruling": now.ruling.to_json(),
        "drops": now.drops,
        "course": now.course,
        "facts": dict(facts),
    }


def _side(side: Side) -> dict[str, Any]:
    return {"arm": side.arm, "place": side.place, "name": side.name, "description": side.description}


def _tables(found: Results) -> dict[str, Any]:
    """The tables of the page: sides by arm, seats, differences."""
    return {
        "measure": found.measure,
        "is_paired": found.is_paired,
        "is_always_valid": found.is_always_valid,
        "baseline_arm": found.lineups.baseline,
        "opponents": found.lineups.opponents,
        "fair_share": found.lineups.fair_share,
        "sides": [_side_result(row) for arm in found.sides for row in arm],
        "compared": [_side(row.side) for row in found.compared],
        "seats": found.seats,
        "first_seat": found.first,
        "differences": [_difference(row) for row in found.differences],
        "leads": [_difference(row) for row in found.leads],
        "versus": found.versus and _difference(found.versus),
        "pooled": [_difference(row) for row in found.pooled],
        "pools": [_side_result(row) for row in found.pools],
    }


def _side_result(row: SideResult) -> dict[str, Any]:
    numbers_of = {field.name: getattr(row.result, field.name) for field in dataclasses.fields(row.result)}
    return numbers_of | _side(row.side) | {"places": row.side.places, "failures": row.failures}


def _difference(row: Difference) -> dict[str, Any]:
    measures = ("wins", "points", "places")
    found = {name: plain(getattr(row, name)) | {"p_holm": getattr(row, f"{name}_p")} for name in measures}
    return {"side": _side(row.side), "baseline": _side(row.baseline), "confidence": row.confidence, **found}


def _by_version(experiment: Experiment, found: Results) -> list[dict[str, Any]]:
    """Where a game or an engine played in several versions: the compared side of each arm, by these."""
    return [
        _side(found.lineups.focal(played.arm))
        | {"versions": dict(played.versions), "result": focal_results(experiment, played.json)[played.arm]}
        for played, _ in versions.mixed(experiment)
    ]
