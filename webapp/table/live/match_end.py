"""Ends a match: it becomes a record like any other, and its luck is no longer secret."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from engines import registry as engine_registry
from engines.protocol import Budget
from games import registry as game_registry
from webapp.people.accounts.system import system_account
from webapp.records import lineups, recorder, stored_matches
from webapp.records.models import Experiment, Match
from webapp.table.hooks import announce
from webapp.table.live import position_cache, signals, turn
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
from worker import spec as specs
from worker.course import Course
from worker.records import Failure, MatchRecord, PlyRecord
from worker.runner import results
from worker.spec import ArmSpec, SeatSpec


def finish(match: LiveMatch, course: Course, now: datetime) -> None:
    """The rules say that it is over: write its result. The caller has locked the match."""
    if match.is_taken_back:  # positions may be equal by their keys, and not in what their states have counted
        course = position_cache.replay_course(match)
    ranks = course.game.ranks(course.state)
    record = dataclasses.replace(
        _record(match, "finished"),
        scores=course.game.scores(course.state),
        ranks=ranks,
        results=results(ranks, course.game.traits.has_teams),
        metrics=course.game.metrics(course.state),
    )
    _close(match, LiveMatch.Status.FINISHED, {"kind": "finished", "seat": None, "message": ""}, record, now)


def end(match: LiveMatch, kind: str, seat: int | None, message: str) -> None:
    """End the match early, because of `seat` (None: nobody's doing). The caller has locked the match.

    kind: "resigned", "agreed", "over_time", "absent", or what `worker.records.Failure` knows.
    """
    record = None
    if match.ply or match.experiment_id:
        record = dataclasses.replace(_record(match, "failed"), failure=Failure(seat, kind, message))
    _close(match, LiveMatch.Status.ENDED, {"kind": kind, "seat": seat, "message": message}, record, timezone.now())


def _close(match: LiveMatch, status: str, ending: Mapping[str, Any], record: MatchRecord | None, now: datetime) -> None:
    match.status, match.ending = status, dict(ending)
    match.on_turn, match.turn_began_at, match.is_engine_due, match.resumes_at = None, None, False, None
    match.ended_at = now
    if record is not None:
        match.match = _write(match, record)
    turn.save_change(match)
    announce.over(match.code, match.version, match.ply, match.seats.values_list("agent_id", flat=True))
    signals.over.send(LiveMatch, match=match)


def _write(match: LiveMatch, record: MatchRecord) -> Match:
    experiment = match.experiment or _own_experiment(match)
    psycopg_connection = connection.connection
    target = recorder.Target(experiment.pk, lineups.configurations_by_arm(psycopg_connection, experiment.pk), "live")
    recorder.write(psycopg_connection, target, [record])
    written = Match.objects.get(experiment=experiment, arm_index=record.arm, deal=record.deal, rotation=record.rotation)
    if match.renewal is not None:
        written.renewal = match.renewal
        written.save(update_fields=["renewal"])
    return written


def _own_experiment(match: LiveMatch) -> Experiment:
    """A match in play that belongs to no experiment becomes one of a single match."""
    entries = list(match.seats.select_related("configuration").order_by("lineup_index"))
    seats = tuple(seat_spec(entry) for entry in entries)
    names = [entry.name for entry in sorted(entries, key=lambda entry: entry.seat)]
    spec = specs.ExperimentSpec(
        game=match.game,
        options=match.options,
        seats=match.num_seats,
        arms=(ArmSpec("played", seats),),
        deals=1,
        rotation="none",
        seed=match.seed,
        record="full",
    )
    experiment = Experiment.objects.create(
        owner_id=match.creator_id or system_account().pk,
        kind=Experiment.Kind.PLAY,
        title=" : ".join(names)[:200],
        game=match.game,
        spec=specs.to_json(spec),
        num_matches=1,
        status=Experiment.Status.FINISHED,
        started_at=match.started_at,
        finished_at=match.ended_at,
    )
    lineups.add_arms(experiment, spec.arms)
    return experiment


def seat_spec(entry: LiveSeat) -> SeatSpec:
    """Seat as specs write it; where an engine took over, all who sat there by name."""
    if entry.replaced:
        names = [note["name"] for note in entry.replaced]
        return SeatSpec(lineups.REPLACED, {"name": ", then ".join([*names, entry.name])}, Budget())
    if entry.kind == LiveSeat.Kind.ENGINE:
        assert entry.configuration is not None
        row = entry.configuration
        return SeatSpec(row.engine, row.options, Budget.from_json(row.budget))
    if entry.kind == LiveSeat.Kind.AGENT:
        return SeatSpec(f"{lineups.AGENT}{entry.name}", {}, Budget())
    return SeatSpec(lineups.PERSON, {"name": entry.name}, Budget())


def _record(match: LiveMatch, status: str) -> MatchRecord:
    """Record of the match as the rows have it so far."""
    rows: Sequence[LivePly] = list(match.plies.order_by("ply"))
    kept = match.experiment.spec["record"] if match.experiment else "full"
    entries = list(match.seats.select_related("configuration").order_by("seat"))
    game = game_registry.get(match.game)
    versions = {game.id: match.game_version or game.version}
    for entry in entries:
        versions |= {note["engine"]: note["version"] for note in entry.replaced or [] if note.get("version")}
        if entry.configuration is not None and engine_registry.is_known(entry.configuration.engine):
            engine_id = entry.configuration.engine
            versions[engine_id] = engine_registry.get(engine_id).version
    return MatchRecord(
        arm=match.arm_index,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=tuple(entry.lineup_index for entry in entries),
        status=status,
        num_plies=match.ply,
        digest=match.digest,
        elapsed_s=sum(row.elapsed_s for row in rows),
        cpu_s=sum(row.cpu_s for row in rows),
        versions=versions,
        plies=tuple(_ply(row, kept) for row in rows) if kept != "matches" else (),
    )


def _ply(row: LivePly, kept: str) -> PlyRecord:
    """A ply as records keep it; whole tables only where the spec asks for them."""
    record = stored_matches.ply_record(row)
    if record.info is None or kept == "full":
        return record
    return dataclasses.replace(record, info={name: value for name, value in record.info.items() if name != "table"})
