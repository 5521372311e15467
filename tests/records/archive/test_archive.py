"""Plies in files: all that reads them reads the same, nothing is lost by a kill, damage is said and known."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.webapp.lab.results import factory
from webapp.lab.jobs import services as jobs
from webapp.lab.results import cache, exports
from webapp.lab.watch import trouble
from webapp.matches import replay, selectors, trace
from webapp.ops import backup
from webapp.records import nightly, rebuild, removal, retention, stored_matches, verification
from webapp.records.archive import checks, moving, parquet_file, plies
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Experiment, Match, Ply, PlyFile
from webapp.table.live.playing_on import taken_over

CHARTS = ("score-by-ply", "lead-by-ply", "legal-by-ply", "cpu-by-ply", "strength-cpu")


@pytest.fixture(autouse=True)
def small_parts(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ARCHIVE_FOLDER = tmp_path / "archive"
    monkeypatch.setattr(moving, "PART", 3)
    monkeypatch.setattr(moving, "GRACE", timedelta(0))
    monkeypatch.setattr(parquet_file, "GROUP", 2)
    moving._waiting.clear()


def _played(owner: Any, deals: int = 2, **changes: Any) -> Experiment:
    made = factory.played(owner, deals=deals, **changes)
    Experiment.objects.filter(pk=made.pk).update(status="finished", finished_at=timezone.now() - timedelta(days=9))
    made.refresh_from_db()
    return made


def _archive(made: Experiment) -> None:
    """Move all plies, and see that no row is left."""
    call_command("archive", "archive", str(made.pk), stdout=io.StringIO(), stderr=io.StringIO())
    while moving.sweep():
        pass
    assert not Ply.objects.filter(match__experiment=made).exists()
    made.refresh_from_db()
    with cache._lock:
        cache._entries.clear()
    replay._walk.cache_clear()
    plies._kept.cache_clear()


def _rows(made: Experiment) -> list[tuple[Any, ...]]:
    return list(Ply.objects.filter(match__experiment=made).order_by("match_id", "ply").values_list())


def _records(made: Experiment) -> list[Any]:
    return [record for batch in stored_matches.match_records(made.pk) for record in batch]


def _read(made: Experiment, client: Client) -> dict[str, Any]:
    """What pages, files and commands say of an experiment."""
    found: dict[str, Any] = {"records": _records(made)}
    for match in Match.objects.filter(experiment=made).select_related("experiment", "code").order_by("pk"):
        page = selectors.page(match)
        kept = [vars(ply) | {"_state": None} for ply in page.plies]
        found[f"match {match.pk}"] = (kept, page.moves, page.frames, trace.build_trace(match))
        found[f"on {match.pk}"] = [ply.action for ply in taken_over(match, 5, ["open"] * 2)]
    for format_id in exports.FORMATS:
        data = b"".join(exports.stream(made, "plies", format_id))
        found[format_id] = _of_parquet(data) if format_id == "parquet" else data
    first, *_, last = Match.objects.filter(experiment=made).order_by("pk")
    found["part"] = b"".join(exports.stream(made, "plies", "csv", exports.Span(first.pk, last.pk - 1)))
    found["read"] = [exports.read(made, "plies", chosen) for chosen in (last, exports.Span(first.pk, last.pk - 1))]
    found["one"] = b"".join(exports.stream(made, "plies", "csv", Match.objects.filter(experiment=made).latest("pk")))
    for chart in CHARTS:
        answer = client.get(f"/experiments/{made.pk}/charts/{chart}.json")
        found[chart] = answer.json()
    report = verification.verify([match.pk for match in Match.objects.filter(experiment=made)])
    found["verify"] = (report.matches, report.plies, report.mismatches, report.not_comparable)
    return found


def _of_parquet(data: bytes) -> list[dict[str, Any]]:
    return list(parquet.read_table(io.BytesIO(data)).to_pylist())


@pytest.mark.django_db(transaction=True)
def test_all_that_reads_plies_reads_the_same_from_files_and_they_come_back_bit_for_bit(
    alice: Any, client: Client
) -> None:
    made = _played(alice, deals=4, game="kingdomino")
    Ply.objects.filter(ply=1).update(notation='a "b",\nc', value=None, info=None, cpu_s=1e-17 / 3)
    Ply.objects.filter(ply=2).update(notation="", info={"x": [1.50, None, 'é"\\ ,']}, value=-0.1 - 0.2)
    client.force_login(alice)
    rows, before = _rows(made), _read(made, client)
    _archive(made)
    assert made.ply_files.count() == 3
    assert _read(made, client) == before
    assert "plies are in the archive" in client.get(f"/experiments/{made.pk}/settings/").text
    assert nightly._ready([match.pk for match in made.matches.all()])
    assert rebuild.rebuild(made.pk) == 8
    call_command("archive", "restore", str(made.pk), stdout=io.StringIO(), stderr=io.StringIO())
    assert _rows(made) == rows
    assert not PlyFile.objects.exists()
    assert list(moving.settings.ARCHIVE_FOLDER.iterdir()) == []
    made.refresh_from_db()
    assert _read(made, client) == before
    _check_that_files_go_with_their_experiment(made)


def _check_that_files_go_with_their_experiment(made: Experiment) -> None:
    _archive(made)
    path = plies.path_of(made.ply_files.latest("number"))
    jobs.delete(made)
    with backup._snapshot():
        removal.sweep(60.0)
        assert path.exists(), "a backup may still need it"
    removal.sweep(60.0)
    assert not path.parent.exists()
    assert not Experiment.with_removed.filter(pk=made.pk).exists()


class KilledError(Exception):
    """Stands for a kill."""


KILL_POINTS = (
    pytest.param(Path, "rename", marks=pytest.mark.slow),
    (moving, "_compare"),
    pytest.param(PlyFile, "save", marks=pytest.mark.slow),
    (moving, "_close"),
    (moving, "_remove_rows"),
)


@pytest.mark.django_db
@pytest.mark.parametrize(("owner", "name"), KILL_POINTS, ids=lambda value: value if isinstance(value, str) else "")
def test_killed_at_any_step_plies_are_in_one_place_or_both_and_a_repeat_ends_it(
    alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    made = _played(alice)
    before = _records(made)
    settings.LAB_ARCHIVE_DAYS = 8
    for is_before in (True, False):
        step = getattr(owner, name)

        def killed(*values: Any, step: Any = step, is_before: bool = is_before, **named: Any) -> None:
            if not is_before:
                step(*values, **named)
            raise KilledError

        with monkeypatch.context() as patched:
            patched.setattr(owner, name, killed)
            with pytest.raises(KilledError):
                moving.sweep()
        assert _records(made) == before
    while moving.sweep():
        assert _records(made) == before
    assert not Ply.objects.filter(match__experiment=made).exists()
    assert made.ply_files.count() == 2


def _damage(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "missing":
        path.unlink()
    elif how == "short":
        path.write_bytes(content[: len(content) // 2])
    else:
        content[len(content) // 3] ^= 0xFF
        path.write_bytes(content)


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["missing", "flipped", pytest.param("short", marks=pytest.mark.slow)])
def test_a_missing_or_damaged_file_is_a_sentence_everywhere_and_an_alarm(
    alice: Any, client: Client, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = _played(alice)
    _archive(made)
    file = made.ply_files.get(number=1)
    path = plies.path_of(file)
    whole = path.read_bytes()
    _damage(path, how)
    client.force_login(alice)
    of_file = [pk for pk in made.matches.order_by("pk").values_list("pk", flat=True) if pk <= file.last_match]
    states = {pk: client.get(f"/matches/{pk}/").text for pk in of_file}
    broken = [pk for pk, text in states.items() if "The moves cannot be read just now" in text]
    assert broken == of_file if how != "flipped" else broken, "a single match needs its own rows alone"
    assert all(file.name in states[pk] for pk in broken)
    for place in ("trace.json", "board.svg", "export/plies.csv"):
        assert client.get(f"/matches/{broken[0]}/{place}").status_code == 503, place
    assert client.get(f"/matches/{broken[0]}/trace.json", headers={"accept": "text/html"}).status_code == 503
    assert client.get(f"/experiments/{made.pk}/").status_code == 200
    assert file.name in client.get(f"/experiments/{made.pk}/charts/lead-by-ply.json").text
    report = verification.verify(of_file)
    assert {row["match"] for row in report.not_comparable} >= set(broken)
    assert not report.mismatches
    (found,) = trouble._archive()
    assert file.name in found.sentence
    assert "backup" in found.advice
    with pytest.raises(CommandError, match="1 of 2 files"):
        call_command("archive", "check")
    assert file.name in capsys.readouterr().err
    with pytest.raises(ArchiveError):
        rebuild.rebuild(made.pk)
    with pytest.raises(CommandError, match="backup"):
        call_command("archive", "restore", str(made.pk))
    path.write_bytes(whole)
    checks.look()
    assert not list(trouble._archive())
    assert "The moves cannot be read" not in client.get(f"/matches/{broken[0]}/").text


@pytest.mark.django_db
def test_only_what_finished_long_ago_goes_and_retention_takes_files_too(
    alice: Any, settings: Any, tmp_path: Path
) -> None:
    old, stopped, lately, match = (_played(alice, deals=1) for _ in range(4))
    Experiment.objects.filter(pk=stopped.pk).update(status="stopped")
    Experiment.objects.filter(pk=lately.pk).update(finished_at=timezone.now() - timedelta(days=1))
    Experiment.objects.filter(pk=match.pk).update(kind="match")
    assert moving.sweep() == 0, "off by default"
    settings.LAB_ARCHIVE_DAYS = 8
    while moving.sweep():
        pass
    assert set(PlyFile.objects.values_list("experiment", flat=True)) == {old.pk}
    with pytest.raises(CommandError, match="stopped"):
        call_command("archive", "archive", str(stopped.pk))
    (tmp_path / "archive" / "experiment-77").mkdir()
    (tmp_path / "archive" / "experiment-77" / "plies-0001.parquet").touch()
    assert [path.parent.name for path in checks.unknown()] == ["experiment-77"]
    settings.LAB_KEEP_PLIES_DAYS = 8
    Experiment.objects.filter(pk=stopped.pk).update(was_shared=True)
    retention.sweep()
    retention.sweep()
    old.refresh_from_db()
    assert (old.plies_filed_at, old.keeps_plies, old.ply_files.count()) == (None, False, 0)
    assert not (tmp_path / "archive" / f"experiment-{old.pk}").exists()


@pytest.mark.django_db
def test_rows_that_a_file_does_not_give_back_stay(alice: Any, settings: Any) -> None:
    made = _played(alice, deals=1)
    Ply.objects.filter(match=made.matches.first(), ply=3).update(scores=[1, 2, 3])
    with pytest.raises(CommandError, match=r"ply 3 .* so the rows stay"):
        call_command("archive", "archive", str(made.pk))
    settings.LAB_ARCHIVE_DAYS = 1
    assert moving.sweep() == 0
    assert not PlyFile.objects.exists()
