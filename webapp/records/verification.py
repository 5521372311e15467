"""Plays stored matches again and compares everything stored.

A match whose plies were recorded is walked again by its actions, unless a kernel that plays its policies whole comes
to the same plies. One of which only the result was recorded is
played again by its engines, from its seed; `again` has the engines play the others, too, and compares what they
thought.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from games import registry
from webapp.records import stored_matches
from webapp.records.models import Match
from webapp.records.replayed import first_decision, first_mismatch
from webapp.records.resimulation import EngineRoom
from worker.course import Renewal
from worker.records import MatchRecord
from worker.replayable import Refusal

LONGEST_S = 60.0
"""CPU seconds that a match may have taken, so that its engines play it again."""


@dataclass
class Report:
    """Findings of a verification.

    matches, plies: compared; resimulated: how many of the matches their engines played again; mismatches: the
    first one of each match that differs; walked_only: compared matches whose engines were to play them again and could
    not, with the reason; older: matches of other versions than this lab has; not_comparable:
    others that could not be played again, with the reason; left_out: metrics that are counted no more, or were not
    yet, and in how many matches: all else of them was compared.
    """

    matches: int = 0
    plies: int = 0
    resimulated: int = 0
    mismatches: list[dict[str, Any]] = field(default_factory=list)
    walked_only: list[dict[str, Any]] = field(default_factory=list)
    older: list[dict[str, Any]] = field(default_factory=list)
    not_comparable: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)


def verify(match_ids: Sequence[int], *, again: bool = False, longest_s: float = LONGEST_S) -> Report:
    """Check these matches, in this order."""
    report, room, rest = Report(), EngineRoom(longest_s), iter(match_ids)
    while ids := list(islice(rest, stored_matches.BATCH)):
        by_id = Match.objects.select_related("experiment").in_bulk(ids)
        matches = [by_id[pk] for pk in ids if pk in by_id]
        unreadable: dict[int, str] = {}
        for match, record in zip(matches, stored_matches.load_records(matches, unreadable), strict=True):
            if match.pk in unreadable:
                report.not_comparable.append({"match": match.pk, "reason": unreadable[match.pk]})
            else:
                _check(report, room, match, record, again)
    return report


def _check(report: Report, room: EngineRoom, match: Match, record: MatchRecord, again: bool) -> None:
    has_plies = len(record.plies) >= record.num_plies
    refusal = _of_game(match.experiment.spec["game"], record)
    by_engines = None
    if refusal is None and (again or not has_plies):
        by_engines = room.refusal(match, record)
        if not has_plies:
            refusal = by_engines and by_engines._replace(reason=f"its plies were not recorded, and {by_engines.reason}")
    if refusal is not None:
        listed = report.older if refusal.is_version else report.not_comparable
        listed.append({"match": match.pk, "reason": refusal.reason})
        return
    if by_engines is not None:
        report.walked_only.append({"match": match.pk, "reason": by_engines.reason})
    is_alike = has_plies and not again and room.is_played_alike(match, record)
    found = _walked(report, match, record) if has_plies and not is_alike else None
    if found is None and (again or not has_plies) and by_engines is None:
        report.resimulated += 1
        found = first_decision(record, room.play(match, record), None if has_plies else report.left_out)
    report.matches += 1
    report.plies += record.num_plies
    if found is not None:
        report.mismatches.append({"match": match.pk, "game": match.experiment.spec["game"], **found})


def _walked(report: Report, match: Match, record: MatchRecord) -> dict[str, Any] | None:
    spec, renewal = match.experiment.spec, Renewal.from_json(match.renewal)
    return first_mismatch(spec["game"], spec.get("options", {}), record, renewal, report.left_out)


def _of_game(game_id: str, record: MatchRecord) -> Refusal | None:
    """Why these rules cannot play the match again."""
    if game_id not in registry.ids():
        return Refusal(f"the game {game_id} is not part of this lab")
    version, ours = record.versions.get(game_id), registry.get(game_id).version
    if version is None:
        return Refusal("the match died before its game began")
    if version != ours:
        return Refusal(f"played with version {version} of {game_id}, this is version {ours}", is_version=True)
    return None
