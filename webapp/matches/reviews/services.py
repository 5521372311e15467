"""Starts the analysis of a match. Callers have checked who may see the match.

A match has one analysis for each number of playouts, no matter who asked for it first: it says
the same to everybody and belongs to the owner of the match, who alone can steer, share and delete it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet

from webapp.common.errors import RefusedError
from webapp.lab.studies import services as studies
from webapp.matches import replay
from webapp.people.accounts.models import User
from webapp.records.archive.errors import ArchiveError
from webapp.records.archive.plies import actions_of, has_plies
from webapp.records.models import Match, Study
from webapp.table.live.models import LiveMatch
from worker.studies import spec as study_specs
from worker.studies.protocol import StudySpec
from worker.studies.review import Review

EFFORTS: Mapping[int, str] = {200: "Quick", 500: "Usual", 2000: "Thorough"}
"""Playouts of an action -> what people call it."""
USUAL = 500
MAX_AT_WORK = 2
"""Analyses of one person that may be at work at once: all people share the workers that answer them."""
SEED = 1


def refusal(match: Match) -> str:
    """Say in a sentence why a match cannot be analysed; empty where it can."""
    if match.experiment.is_secret:
        return "Agents still play in its experiment: its matches can be analysed when all of them are over."
    try:
        if not has_plies(match):
            return "No moves of this match were kept."
        walked = replay.walk(match)
    except ArchiveError as error:
        return f"{error.sentence} It cannot be analysed until that file is back."
    if not walked.is_exact:
        return "This match does not replay exactly by today's rules, so it cannot be analysed."
    return ""


def of_match(match: Match) -> QuerySet[Study]:
    """The analyses that there are, those that somebody put away excepted; the last first."""
    return Study.objects.filter(match=match, kind=Review.id, archived_at=None).order_by("-created_at")


def spec_of(match: Match, playouts: int) -> StudySpec:
    """The spec of a match's analysis. Raises SpecError."""
    spec = match.experiment.spec
    live = LiveMatch.objects.filter(match=match).only("begun_at_ply").first()
    first = live.begun_at_ply if live is not None else 0
    data = {
        "version": study_specs.VERSION,
        "study": Review.id,
        "game": match.experiment.game,
        "parameters": {
            "options": spec["options"],
            "seats": int(spec["seats"]),
            "deal_seed": match.deal_seed,
            "actions": actions_of(match),
            "playouts": playouts,
            **({"renewal": match.renewal} if match.renewal else {}),
            **({"first": first} if first else {}),
        },
        "seed": SEED,
    }
    return study_specs.from_json(data)


def start(asker: User, match: Match, playouts: int) -> Study:
    """Make the study and wake a worker; where there is one already that was not stopped, that one.

    asker: may see the match; the study belongs to its owner. Raises RefusedError with a sentence, SpecError.
    """
    if why := refusal(match):
        raise RefusedError(why)
    if playouts not in EFFORTS:
        raise RefusedError(f"Choose {', '.join(map(str, EFFORTS))} playouts, not {playouts}.")
    with transaction.atomic():
        Match.objects.select_for_update(of=("self",)).get(pk=match.pk)  # two who ask at once get one
        for known in of_match(match).exclude(status=Study.Status.STOPPED):
            if known.spec["parameters"].get("playouts") == playouts:
                return known
        at_work = Study.objects.filter(asked_by=asker, kind=Review.id, status=Study.Status.RUNNING).count()
        if at_work >= MAX_AT_WORK:
            raise RefusedError(f"{MAX_AT_WORK} of your analyses are still at work. Wait for one to end.")
        title = f"Match {match.pk}: what decided it"
        spec = spec_of(match, playouts)
        owner = match.experiment.owner
        return studies.create(owner, title, spec, queue=Study.Queue.ANALYSIS, match=match, asked_by=asker)
