"""Compares a stored match with the same match replayed: by its actions, or played again by its engines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from games import registry
from games.protocol import Game, IllegalActionError
from worker.course import Course, Renewal, replay
from worker.records import MatchRecord, PlyRecord
from worker.runner import results

Comparison = tuple[str, Any, Any]
"""(field, what is stored, what was found)."""
Rows = Sequence[Mapping[str, float]]
THOUGHT = ("value", "playouts", "nodes", "depth")
"""Fields of a ply that say what the engine's decision rests on."""
ROUNDING = 1e-9
"""Relative difference of two values of an engine that are the same: processors round differently."""


def first_mismatch(
    game_id: str,
    options: Mapping[str, Any],
    record: MatchRecord,
    renewal: Renewal | None = None,
    left_out: dict[str, int] | None = None,
) -> dict[str, Any] | None:
    """The first difference between a record and its match walked again: ply, field, stored, found.

    left_out: counts metrics that are not compared, see `comparable_metrics`.
    """
    actions = [ply.action for ply in record.plies]
    course: Course | None = None
    try:
        for course in replay(game_id, options, len(record.lineup), record.deal_seed, actions, renewal):
            for name, kept, found in _around(course, record):
                if kept != found:
                    return {"ply": course.ply, "field": name, "stored": kept, "found": found}
    except IllegalActionError as error:
        ply = course.ply if course else 0
        return {"ply": ply, "field": "action", "stored": record.plies[ply].action, "found": str(error)}
    assert course is not None
    for name, kept, found in _at_end(course, record, left_out):
        if kept != found:
            return {"ply": course.ply, "field": name, "stored": kept, "found": found}
    return None


def first_decision(
    record: MatchRecord, played: MatchRecord, left_out: dict[str, int] | None = None
) -> dict[str, Any] | None:
    """The same for a match that its engines have played again: with the seat, and what each decision rests on."""
    for kept_ply, found_ply in zip(record.plies, played.plies, strict=False):
        for name, kept, found in _of_decision(kept_ply, found_ply):
            if not _same(kept, found):
                return {"ply": kept_ply.ply, "seat": kept_ply.seat, "field": name, "stored": kept, "found": found}
    for name, kept, found in _of_result(record, played, left_out):
        if kept != found:
            return {"ply": record.num_plies, "field": name, "stored": kept, "found": found}
    return None


def _around(course: Course, record: MatchRecord) -> Iterator[Comparison]:
    """Compare the ply that led to this position, and what is known before the next one."""
    game, state = course.game, course.state
    if course.ply:
        done = record.plies[course.ply - 1]
        yield "scores", list(done.scores), list(game.scores(state))
        yield "digest", done.digest, course.digest
    if course.ply < len(record.plies):
        following = record.plies[course.ply]
        yield "ply", following.ply, course.ply
        yield "seat", following.seat, course.player
        legal = game.legal_actions(state)
        yield "legal_count", following.legal_count, len(legal)
        yield "action", following.action, following.action if following.action in legal else "not legal"
        yield "notation", following.notation, game.notation(state, following.action)


def _at_end(course: Course, record: MatchRecord, left_out: dict[str, int] | None) -> Iterator[Comparison]:
    yield "num_plies", record.num_plies, course.ply
    yield "digest", record.digest, course.digest
    if record.status != "finished":
        return
    game, state = course.game, course.state
    is_over = game.is_terminal(state)
    yield "status", record.status, "finished" if is_over else "not over"
    if is_over:
        ranks = game.ranks(state)
        yield "scores", list(record.scores), list(game.scores(state))
        yield "ranks", list(record.ranks), list(ranks)
        yield "results", list(record.results), list(results(ranks, game.traits.has_teams))
        yield "metrics", *comparable_metrics(game, record.metrics, game.metrics(state), left_out)


def _of_decision(kept: PlyRecord, found: PlyRecord) -> Iterator[Comparison]:
    for name in ("seat", "legal_count", *THOUGHT, "action", "notation", "digest"):
        yield name, getattr(kept, name), getattr(found, name)
    yield "scores", list(kept.scores), list(found.scores)


def _of_result(record: MatchRecord, played: MatchRecord, left_out: dict[str, int] | None) -> Iterator[Comparison]:
    yield "status", record.status, played.status
    yield "num_plies", record.num_plies, played.num_plies
    for name in ("scores", "ranks", "results"):
        yield name, list(getattr(record, name)), list(getattr(played, name))
    yield "digest", record.digest, played.digest
    game = next(registry.get(name) for name in record.versions if name in registry.ids())
    yield "metrics", *comparable_metrics(game, record.metrics, played.metrics, left_out)


def comparable_metrics(game: Game, kept: Rows, found: Rows, left_out: dict[str, int] | None = None) -> tuple[Any, Any]:
    """Stored and found metrics of a match that is over, by seat, without those that only one of the two can have.

    The game has learned the others since (`later_metrics`: no stored seat has them), or counts them no more
    (`dropped_metrics`: no seat found has them). left_out counts each of these once.
    """
    stored_names, found_names = _names(kept), _names(found)
    later = {name for name in found_names - stored_names if _is_among(name, game.later_metrics)}
    dropped = {name for name in stored_names - found_names if _is_among(name, game.dropped_metrics)}
    if left_out is not None:
        left_out |= {name: left_out.get(name, 0) + 1 for name in later | dropped}
    return _without(kept, dropped), _without(found, later)


def _names(rows: Rows) -> set[str]:
    return set().union(*rows)


def _is_among(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _without(rows: Rows, names: set[str]) -> list[dict[str, float]]:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


def _same(kept: Any, found: Any) -> bool:
    if isinstance(kept, float) and isinstance(found, float):
        return math.isclose(kept, found, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return bool(kept == found)
