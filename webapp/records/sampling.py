"""Draws samples of what a job has done: at random, and no more than is played again in a minute or so."""

from __future__ import annotations

import random
from collections.abc import Iterable

from django.db.models import Max

from webapp.records.models import Experiment, Match, Study, StudyPiece

MOST = 20
"""Matches or pieces of a sample."""
LONGEST_S = 20.0
"""CPU seconds that a match or piece may have taken, so that it is played again: others are only walked, or refused."""
BUDGET_S = 60.0
"""CPU seconds that the matches or pieces of a sample took together, at most."""


def matches(experiment: Experiment) -> list[int]:
    """Ids of finished matches, in the order in which they are to be played again.

    Deals are drawn first, so that no more rows are read than those of a few deals.
    """
    finished = Match.objects.filter(experiment=experiment, status=Match.Status.FINISHED)
    last = finished.aggregate(last=Max("deal"))["last"]
    if last is None:
        return []
    deals = random.SystemRandom().sample(range(last + 1), min(MOST, last + 1))
    return _within_budget(finished.filter(deal__in=deals).values_list("pk", "cpu_s"))


def pieces(study: Study) -> list[int]:
    """Numbers of pieces that are done."""
    done = StudyPiece.objects.filter(study=study, status=StudyPiece.Status.DONE)
    return _within_budget(done.order_by("?").values_list("index", "cpu_s")[:MOST])


def _within_budget(rows: Iterable[tuple[int, float | None]]) -> list[int]:
    """The numbers of some rows, drawn from all. What takes longer than `LONGEST_S` costs nothing: it is only walked."""
    drawn = list(rows)
    random.SystemRandom().shuffle(drawn)
    chosen, spent = [], 0.0
    for number, cpu_s in drawn:
        cost = 0.0 if (cpu_s or 0.0) > LONGEST_S else cpu_s or 0.0
        if spent + cost <= BUDGET_S:
            chosen.append(number)
            spent += cost
        if len(chosen) == MOST:
            break
    return chosen
