"""Plays stored matches again from their seed and actions, and compares everything stored."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from games import registry
from games.protocol import IllegalActionError
from webapp.records import stored_matches
from webapp.records.models import Match
from worker.course import Course, Renewal, replay
from worker.records import MatchRecord
from worker.runner import results


@dataclass
class Report:
    """Findings of a verification; `mismatches` holds the first one of each match."""

    matches: int = 0
    plies: int = 0
    mismatches: list[dict[str, Any]] = field(default_factory=list)
    not_comparable: list[dict[str, Any]] = field(default_factory=list)

    def add(self, match: Match, record: MatchRecord) -> None:
        """Check one match; its experiment must be loaded."""
        spec = match.experiment.spec
        reason = _not_comparable(spec["game"], record)
        if reason is not None:
            self.not_comparable.append({"match": match.pk, "reason": reason})
            return
        self.matches += 1
        self.plies += len(record.plies)
        renewal = Renewal.from_json(match.renewal)
        found = first_mismatch(spec["game"], spec.get("options", {}), record, renewal)
        if found is not None:
            self.mismatches.append({"match": match.pk, **found})


def verify(match_ids: Sequence[int]) -> Report:
    """Check these matches, in this order."""
    report, rest = Report(), iter(match_ids)
    while ids := list(islice(rest, stored_matches.BATCH)):
        by_id = Match.objects.select_related("experiment").in_bulk(ids)
        matches = [by_id[pk] for pk in ids if pk in by_id]
        for match, record in zip(matches, stored_matches.load_records(matches), strict=True):
            report.add(match, record)
    return report


def _not_comparable(game_id: str, record: MatchRecord) -> str | None:
    if game_id not in registry.ids():
        return f"the game {game_id} is not part of this lab"
    version, ours = record.versions.get(game_id), registry.get(game_id).version
    if version is None:
        return "the match died before its game began"
    if version != ours:
        return f"played with version {version} of {game_id}, this is version {ours}"
    if len(record.plies) < record.num_plies:
        return "its plies were not recorded"
    return None


def first_mismatch(
    game_id: str, options: Mapping[str, Any], record: MatchRecord, renewal: Renewal | None = None
) -> dict[str, Any] | None:
    """The first difference between a record and its match played again: ply, field, stored, found."""
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
    for name, kept, found in _at_end(course, record):
        if kept != found:
            return {"ply": course.ply, "field": name, "stored": kept, "found": found}
    return None


Comparison = tuple[str, Any, Any]
"""(field, what is stored, what was found)."""


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


def _at_end(course: Course, record: MatchRecord) -> Iterator[Comparison]:
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
        kept = [dict(row) for row in record.metrics]
        yield "metrics", kept, _counted_then(course, set().union(*kept))


def _counted_then(course: Course, kept: Collection[str]) -> list[dict[str, float]]:
    """The metrics of a match that is over, without those that its game learned later and that no seat has."""
    rows, learned = course.game.metrics(course.state), course.game.later_metrics
    later = {name for row in rows for name in row.keys() - kept if any(fnmatchcase(name, one) for one in learned)}
    return [{name: value for name, value in row.items() if name not in later} for row in rows]
