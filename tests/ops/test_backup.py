from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from webapp.lab.watch.models import Report
from webapp.lab.watch.reports import BACKUP
from webapp.ops import backup, postgres_clients, restore
from webapp.ops.backup_file import Backup, BackupError
from webapp.ops.data_folder import DataFolder
from webapp.ops.postgres import PostgresError, Programs

NOW = datetime(2026, 11, 29, 20, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(("major", "chosen"), [(15, "15.18"), (16, "17.2"), (18, "18.6")])
def test_programs_of_the_servers_version_are_chosen_or_the_next_newer_ones(major: int, chosen: str) -> None:
    found = [Programs(Path(version), version) for version in ("18.6", "15.18", "17.2")]
    assert postgres_clients.fitting(major, found).version == chosen


def test_programs_that_are_too_old_are_refused_with_what_to_install() -> None:
    with pytest.raises(PostgresError, match=r"is Postgres 18, .* found here: 15\. .*postgresql-client-18"):
        postgres_clients.fitting(18, [Programs(Path("bin"), "15.18")])


def test_a_folder_gets_a_file_with_the_date(tmp_path: Path) -> None:
    assert backup.target(tmp_path, NOW) == tmp_path / "meeple-lab-2026-11-29-201530.zip"
    assert backup.target(tmp_path / "one.zip", NOW) == tmp_path / "one.zip"


def test_no_list_of_processes_shows_the_password(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "hidden one")
    (place, _), environment = postgres_clients.connection_arguments()
    assert "hidden" not in place
    assert f"dbname={connection.settings_dict['NAME']}" in place
    assert environment["PGPASSWORD"] == "hidden one"


@pytest.mark.long
def test_a_backup_holds_the_database_and_the_kept_files_alone(db: None, tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    kept = ("secret_key", "worker_password", "archive/7.parquet")
    for name in (*kept, "logs/web.log", "static/a.css", "kernels/x.nbi", "postgres/base"):
        (folder.root / name).parent.mkdir(parents=True, exist_ok=True)
        (folder.root / name).write_text(name)
    path = tmp_path / "lab.zip"
    backup.write_and_report(path, folder)
    with pytest.raises(BackupError, match="exists already"):
        backup.write_and_report(path, folder)
    report = Report.objects.get(name=BACKUP)
    assert report.sentence == f"{path} exists already: name another file, or a folder."
    assert not report.is_ok
    assert report.succeeded_at is not None, "the one before"
    with Backup(path) as found:
        found.check()
        assert set(found.manifest.members) == {"database.sql", *(f"data/{name}" for name in kept)}
        with found.database() as source:
            sql = source.read().decode()
        assert "CREATE TABLE public.records_match" in sql
        assert "OWNER TO" not in sql
        restore.refuse_what_does_not_fit(found)
        known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
        assert set(found.manifest.migrations) <= known
        found.manifest.migrations.append("records.9999_of_tomorrow")
        with pytest.raises(BackupError, match=r"newer lab .* records\.9999_of_tomorrow"):
            restore.refuse_what_does_not_fit(found)


def staged(tmp_path: Path, mark: str) -> DataFolder:
    """A restore that was killed: the new files wait, the old ones are in their places."""
    folder = DataFolder(tmp_path / "data")
    for name in ("secret_key", "archive/old", "media/old", "restoring/files/secret_key", "restoring/files/archive/new"):
        (folder.root / name).parent.mkdir(parents=True, exist_ok=True)
        (folder.root / name).write_text("new" if "restoring" in name else "old")
    (folder.restoring / "mark.json").write_text(f'{{"mark": "{mark}", "names": ["archive", "secret_key"]}}')
    return folder


def files(folder: DataFolder) -> dict[str, str]:
    return {str(path.relative_to(folder.root)): path.read_text() for path in folder.root.rglob("*") if path.is_file()}


def test_files_follow_a_database_that_was_restored(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = restore.MARK + "1"
    folder = staged(tmp_path, mark)
    with connection.cursor() as cursor:
        cursor.execute(f"comment on schema public is '{mark}'")
    rename = Path.rename

    def one_and_no_more(self: Path, target: Any) -> Path:
        rename(self, target)
        raise KeyboardInterrupt

    for _ in range(4):  # of the key, the old archive, the new one, the media that are no more
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", one_and_no_more)
            with pytest.raises(KeyboardInterrupt):
                restore.finish(folder)
    restore.finish(folder)
    assert files(folder) == {"secret_key": "new", "archive/new": "new"}
    restore.finish(folder)
    assert not folder.restoring.exists()


def test_files_of_a_restore_that_came_to_nothing_go(db: None, tmp_path: Path) -> None:
    folder = staged(tmp_path, restore.MARK + "2")
    restore.finish(folder)
    assert files(folder) == {"secret_key": "old", "archive/old": "old", "media/old": "old"}
    folder.restoring.mkdir()  # killed before anything was planned
    restore.finish(folder)
    assert not folder.restoring.exists()
