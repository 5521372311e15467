"""Which versions of game and engines played what a page shows."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery

from webapp.records.models import Experiment, Match


def versions(experiment: Experiment, match: Match | None = None) -> str:
    """Versions that one match, or the first and the last match of every arm, recorded.

    Each name once with each of its versions; empty where nothing has been played.
    """
    rows = [match.versions] if match is not None else _of_arms(experiment)
    pairs = sorted({(name, version) for row in rows for name, version in row.items()})
    return ", ".join(f"{name} {version}" for name, version in pairs)


def _of_arms(experiment: Experiment) -> list[dict[str, str]]:
    arms = experiment.arms.annotate(first=_at("", experiment), last=_at("-", experiment))
    return [row for pair in arms.values_list("first", "last") for row in pair if row is not None]


def _at(sign: str, experiment: Experiment) -> Any:
    played = experiment.matches.filter(arm_index=OuterRef("index"))
    return Subquery(played.order_by(f"{sign}deal", f"{sign}rotation").values("versions")[:1])
