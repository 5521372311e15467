"""A verification in sentences: what was compared, what differs and why that may be, what was left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from webapp.records.replayed import THOUGHT
from webapp.records.verification import Report

SHOWN = 5
"""Matches that a sentence names."""

_ENGINE = (
    "an engine decides otherwise than it did under the same version: its code changed without a new version, or "
    "this machine computes otherwise. Matches played then and now are not of one kind"
)
_METRICS = "the game counts otherwise under the same version; the match itself is as stored"
_RULES = "the rules go another way under the same version, or rows were changed"


def sentences(report: Report) -> Iterator[str]:
    """All that an operator should know, the verdict first."""
    verdict = f"{len(report.mismatches)} of them differ" if report.mismatches else "all as stored"
    by_engines = f", {report.resimulated:,} of them played again by their engines" if report.resimulated else ""
    yield f"{report.matches:,} matches with {report.plies:,} plies compared{by_engines}: {verdict}."
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in report.mismatches:
        groups[row["game"], _cause(row)].append(row)
    for (game, cause), rows in groups.items():
        fields = ", ".join(f"{name} ({count})" for name, count in Counter(row["field"] for row in rows).most_common())
        matches = ", ".join(str(row["match"]) for row in rows[:SHOWN]) + (", …" if len(rows) > SHOWN else "")
        yield f"{game}: {len(rows)} differ first in {fields}: {cause}. Matches {matches}."
    if report.left_out:
        named = ", ".join(f"{name} ({count:,})" for name, count in sorted(report.left_out.items()))
        yield f"Metrics that are counted no more, or were not yet, left out of the comparison: {named}."
    yield from _reasons("of older versions", report.older)
    yield from _reasons("that cannot be played again", report.not_comparable)


def _cause(row: dict[str, Any]) -> str:
    if row["field"] == "metrics":
        return _METRICS
    return _ENGINE if row["field"] in THOUGHT else _RULES


def _reasons(what: str, rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    reasons = Counter(row["reason"] for row in rows)
    if reasons:
        listed = "; ".join(f"{reason} ({count:,})" for reason, count in reasons.most_common())
        yield f"{reasons.total():,} matches {what} were not compared: {listed}."
