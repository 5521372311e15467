"""Writing: make a ladder, add engines to it, play more deals, enter new versions. Callers have checked permissions."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db import connection, transaction

from webapp.lab.experiments.services import check
from webapp.lab.quotas import services as quotas
from webapp.lab.quotas.selectors import ask_of
from webapp.people.accounts.models import User
from webapp.records import ladders, lineups, work_source
from webapp.records.models import Arm, Experiment
from worker.spec import (
    MAX_DEALS,
    Entry,
    ExperimentSpec,
    Ladder,
    SpecError,
    check_presence,
    check_seat,
    entry_to_json,
    from_json,
    to_json,
)
from worker.spec.ladder import with_present_versions

Status = Experiment.Status


def create(owner: User, title: str, spec: ExperimentSpec, submission: uuid.UUID | None = None) -> Experiment:
    """Make a running ladder and wake the workers. The same form sent twice gives the ladder of the first time.

    Raises SpecError where the owner may not start it, or a match would take too long.
    """
    check_ladder(owner, spec)
    values = {
        "owner": owner,
        "kind": Experiment.Kind.LADDER,
        "title": title[:200],
        "game": spec.game,
        "spec": to_json(spec),
        "num_matches": spec.num_matches,
        "priority": spec.priority,
    }
    with transaction.atomic():
        content = [owner.pk, values["kind"], values["title"], values["spec"]]
        made, is_new = Experiment.make_once(submission, content, values)
        if is_new:
            quotas.check(owner, ask_of(spec), made)
            lineups.add_arms(made, spec.arms)
            _put_up(made)
    return made


def check_ladder(owner: User, spec: ExperimentSpec) -> ExperimentSpec:
    """The spec. Raises SpecError where it is no ladder's, or as `check` does."""
    if spec.ladder is None:
        raise SpecError(("ladder",), "is missing: it holds the engines that are rated")
    check_presence(spec)
    check(owner, spec)
    return spec


def add_entry(ladder: Experiment, entry: Entry) -> None:
    """Let another engine enter. Raises SpecError where it is there already, cannot play, or too many would play."""
    check_seat(entry.seat, ())
    with transaction.atomic():
        spec = _locked(ladder)
        assert spec.ladder is not None
        wanted = _with_entries(spec, [*spec.ladder.entries, replace(entry, is_late=True)])
        quotas.check(ladder.owner, ask_of(wanted, spec), ladder)
        _change(ladder, wanted)


def play_more(ladder: Experiment, deals: int) -> None:
    """Play so many deals of a table, or of an engine on average, where fewer were planned. Raises SpecError."""
    with transaction.atomic():
        spec = _locked(ladder)
        if deals > MAX_DEALS:
            raise SpecError(("deals",), f"must be at most {MAX_DEALS}")
        if deals <= spec.deals:
            raise SpecError(("deals",), f"must be more than {spec.deals}, which are played or planned already")
        wanted = replace(spec, deals=deals)
        quotas.check(ladder.owner, ask_of(wanted, spec), ladder)
        _change(ladder, wanted)


def enter_versions() -> int:
    """Enter the present version of each engine that has risen, in all ladders that are not stopped; return how many.

    The entries of before keep their matches and play no more.
    """
    found = Experiment.objects.filter(kind=Experiment.Kind.LADDER, archived_at=None).exclude(status=Status.STOPPED)
    changed = 0
    for ladder in found:
        with transaction.atomic():
            spec = _locked(ladder)
            assert spec.ladder is not None
            now = with_present_versions(spec.ladder)
            if now != spec.ladder:
                _change(ladder, _with_entries(spec, now.entries))  # the lab's wish: no quota refuses it
                changed += 1
    return changed


def _locked(ladder: Experiment) -> ExperimentSpec:
    """The spec as it is now, of a row that is locked until the end of the transaction."""
    row = Experiment.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    return from_json(row.spec)


def _with_entries(spec: ExperimentSpec, entries: Sequence[Entry]) -> ExperimentSpec:
    """The spec with these entries, checked as one that is read. Raises SpecError."""
    assert isinstance(spec.ladder, Ladder)
    data = to_json(spec)
    del data["arms"]
    data["ladder"]["entries"] = [entry_to_json(entry) for entry in entries]
    return from_json(data)


def _change(ladder: Experiment, spec: ExperimentSpec) -> None:
    """Keep the spec of a locked ladder and go on with it. Tables keep their numbers; new ones come after them."""
    check(ladder.owner, spec)
    known = ladder.arms.count()
    for index, arm in enumerate(spec.arms[:known]):
        Arm.objects.filter(experiment=ladder, index=index).exclude(name=arm.name).update(name=arm.name)
    lineups.add_arms(ladder, spec.arms[known:], known)
    Experiment.objects.filter(pk=ladder.pk).update(spec=to_json(spec))
    Experiment.objects.filter(pk=ladder.pk, status=Status.FINISHED).update(status=Status.RUNNING, finished_at=None)
    _put_up(ladder, has_changed=True)
    ladder.refresh_from_db()


def _put_up(ladder: Experiment, *, has_changed: bool = False) -> None:
    connection.ensure_connection()
    if not ladders.put_up(connection.connection, ladder.pk, has_changed=has_changed):
        _end_where_nothing_is_left(ladder)
    work_source.wake()


def _end_where_nothing_is_left(ladder: Experiment) -> None:
    if not ladder.chunks.exclude(status="done").exists():
        Experiment.objects.filter(pk=ladder.pk, status=Status.RUNNING).update(status=Status.FINISHED)
