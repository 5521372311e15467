"""Reads stored matches back as the records they came from (worker.records)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from webapp.records import metric_numbers
from webapp.records.archive import plies as kept_plies
from webapp.records.metric_numbers import Names
from webapp.records.models import Experiment, Match, Seat
from worker.records import Failure, MatchRecord, PlyRecord

BATCH = 200
Value = TypeVar("Value")


def match_records(experiment_id: int, after: int = 0, until: int | None = None) -> Iterator[list[MatchRecord]]:
    """Matches of an experiment with their plies, in batches, by id: all, or those behind one id and up to another.

    No more than `BATCH` are in memory at once.
    """
    last = after
    while True:
        found = Match.objects.filter(experiment_id=experiment_id, pk__gt=last)
        if until is not None:
            found = found.filter(pk__lte=until)
        matches = list(found.order_by("pk")[:BATCH])
        if not matches:
            return
        yield load_records(matches)
        last = matches[-1].pk


def load_records(matches: list[Match], unreadable: dict[int, str] | None = None) -> list[MatchRecord]:
    """The records of these matches, in the same order.

    unreadable: takes the matches whose plies are in a file that cannot be read, with a sentence: they are without
    plies then. Without it such a file raises ArchiveError.
    """
    ids = [match.pk for match in matches]
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(match_id__in=ids).order_by("match_id", "seat"):
        seats[seat.match_id].append(seat)
    plies = kept_plies.of_matches(matches, unreadable)
    experiments = {match.experiment_id for match in matches}
    games = dict(Experiment.objects.filter(pk__in=experiments).values_list("pk", "game"))
    names = {game: metric_numbers.of_game(game) for game in set(games.values())}
    return [
        _record(match, seats[match.pk], [ply_record(ply) for ply in plies[match.pk]], names[games[match.experiment_id]])
        for match in matches
    ]


def ply_record(ply: Any) -> PlyRecord:
    """A row of plies as a record (`Ply`, or a row of another table with the same columns)."""
    return PlyRecord(
        ply=ply.ply,
        seat=ply.seat,
        action=ply.action,
        notation=ply.notation,
        legal_count=ply.legal_count,
        scores=tuple(ply.scores),
        value=ply.value,
        playouts=ply.playouts,
        nodes=ply.nodes,
        depth=ply.depth,
        elapsed_s=ply.elapsed_s,
        cpu_s=ply.cpu_s,
        digest=ply.digest,
        info=ply.info,
    )


def _record(match: Match, seats: list[Seat], plies: list[PlyRecord], names: Names) -> MatchRecord:
    is_finished = match.status == Match.Status.FINISHED
    failure = match.failure
    return MatchRecord(
        arm=match.arm_index,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=tuple(seat.lineup_index for seat in seats),
        status=match.status,
        scores=_known(seat.score for seat in seats) if is_finished else (),
        ranks=_known(seat.rank for seat in seats) if is_finished else (),
        results=_known(seat.result for seat in seats) if is_finished else (),
        metrics=_known(names.read(seat) for seat in seats) if is_finished else (),
        num_plies=match.num_plies,
        digest=match.digest,
        elapsed_s=match.elapsed_s,
        cpu_s=match.cpu_s,
        versions=match.versions,
        failure=None if failure is None else Failure(failure["seat"], failure["kind"], failure["message"]),
        plies=tuple(plies),
    )


def _known(values: Iterable[Value | None]) -> tuple[Value, ...]:
    """Values that all seats of a finished match have."""
    return tuple(value for value in values if value is not None)
