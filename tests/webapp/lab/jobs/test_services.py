"""Every kind of job is steered, put away and deleted in the same way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.webapp.lab.jobs.conftest import Sample, exists, set_to
from webapp.common.errors import RefusedError
from webapp.lab.jobs import registry, services
from webapp.lab.jobs import share_links as sharing
from webapp.records.models import ShareLink

pytestmark = pytest.mark.django_db


def test_pause_resume_stop(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    assert services.pause(job)
    assert job.status == "paused"
    assert not services.pause(job)
    assert services.resume(job)
    assert job.status == "running"
    assert not services.resume(job)
    assert services.stop(job)
    assert job.status == "stopped"
    assert job.finished_at is not None
    assert not services.stop(job)
    assert services.resume(job)
    assert job.finished_at is None


def test_what_goes_on_wakes_who_works_on_it_and_forgets_why_it_was_stopped(
    alice: Any, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, woken = sample.running(alice), []
    kind = replace(registry.of(job), wake=woken.append)
    monkeypatch.setattr(registry, "of", lambda _: kind)
    set_to(job, status="stopped", notice="Stopped: its specification is no longer valid.")
    services.resume(job)
    assert (woken, job.notice) == ([job], "")
    services.resume(job)
    assert woken == [job]


def test_what_is_finished_stays_so(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    set_to(job, status="finished")
    assert not services.pause(job)
    assert not services.resume(job)
    assert not services.stop(job)
    assert job.status == "finished"


def test_archive_is_for_what_is_over(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    with pytest.raises(RefusedError, match=f"Stop the {sample.word} first"):
        services.archive(job)
    services.stop(job)
    services.archive(job)
    assert job.archived_at is not None
    services.unarchive(job)
    assert job.archived_at is None


def test_what_is_resumed_leaves_the_archive(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    services.stop(job)
    services.archive(job)
    assert services.resume(job)
    assert (job.status, job.finished_at, job.archived_at) == ("running", None, None)


def test_delete_refuses_what_runs_and_what_was_shared(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    for status in ("running", "paused"):
        set_to(job, status=status)
        with pytest.raises(RefusedError, match=f"Stop the {sample.word} first"):
            services.delete(job)
    services.stop(job)
    set_to(job, was_shared=True)
    with pytest.raises(RefusedError, match="was shared"):
        services.delete(job)
    assert exists(job)


def test_delete_takes_its_links_and_leaves_others(alice: Any, sample: Sample) -> None:
    kept, gone = sample.complete(alice), sample.complete(alice)
    for job in (kept, gone):
        ShareLink.objects.create(slug=f"of-{job.pk}", **{job.field: job}, withdrawn_at="2026-01-01T00:00Z")
    services.stop(gone)
    services.delete(gone)
    assert (exists(kept), exists(gone)) == (True, False)
    assert [link.job for link in ShareLink.objects.all()] == [kept]


def test_sharing_twice_gives_one_address(alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    link = sharing.share(job)
    assert sharing.share(job) == link
    assert (link.job, link.job_key) == (job, (job.field, job.pk))
    job.refresh_from_db()
    assert job.was_shared
    sharing.withdraw(link)
    assert sharing.share(job).withdrawn_at is None
    assert ShareLink.objects.of(job).count() == 2
