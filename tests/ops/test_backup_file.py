from __future__ import annotations

import fcntl
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from webapp.ops import backup_file
from webapp.ops.backup_file import DATABASE, FILES, MANIFEST, PART, Backup, BackupError, Manifest, writing

DUMP = b"-- all the rows\n" * 1000
GIVEN = Manifest("0.1.0", "2026-11-29T20:00:00+00:00", "18.6", "18.6", ["records.0001_initial"], {"matches": 3})


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "lab.zip"
    with writing(path) as writer:
        writer.add(DATABASE, io.BytesIO(DUMP))
        writer.add(f"{FILES}secret_key", io.BytesIO(b"secret"), 0o600)
        writer.add(f"{FILES}archive/7/plies.parquet", io.BytesIO(b"columns"), 0o640)
        writer.finish(GIVEN)
    return path


def test_what_was_written_is_read(written: Path, tmp_path: Path) -> None:
    assert written.stat().st_mode & 0o777 == 0o600, "it holds a key and passwords' hashes"
    with Backup(written) as found:
        found.check()
        assert (found.manifest.lab, found.manifest.counts) == ("0.1.0", {"matches": 3})
        with found.database() as source:
            assert source.read() == DUMP
        found.extract_files(tmp_path / "out")
    kept = {path.relative_to(tmp_path / "out").as_posix(): path for path in (tmp_path / "out").rglob("*.*")}
    assert kept["archive/7/plies.parquet"].read_bytes() == b"columns"
    assert (tmp_path / "out/secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("*.zip")] == ["lab.zip"]
    assert not list(tmp_path.glob(f".*{PART}"))


def test_a_file_that_is_there_is_not_replaced(written: Path) -> None:
    before = written.read_bytes()
    with pytest.raises(BackupError, match="exists already"), writing(written):
        pass
    assert written.read_bytes() == before


def test_one_that_fails_leaves_nothing_and_one_that_was_killed_is_cleared_away(tmp_path: Path) -> None:
    killed, under_way = tmp_path / f".killed.zip{PART}", tmp_path / f".under way.zip{PART}"
    killed.write_bytes(b"half")
    with under_way.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(AttributeError), writing(tmp_path / "lab.zip") as writer:
            writer.add(DATABASE, None)  # type: ignore[arg-type]
        assert list(tmp_path.iterdir()) == [under_way]


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def _damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[content.index(b"columns") - 60 if b"columns" in content else 90] ^= 0xFF
    path.write_bytes(bytes(content))


def _exchange(path: Path) -> None:
    """Another dump under the manifest of the first, in a zip whose own sums are right."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, b"drop table users;" if name == DATABASE else data)


def _add(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("data/more", "")


def _no_zip(path: Path) -> None:
    path.write_text("select 1;")


def _other_form(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, '{"format": "meeple-lab-backup-9"}')


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_truncate, "not a whole one"),
        (_damage, "is damaged"),
        (_exchange, "another checksum"),
        (_add, "does not hold what its manifest lists"),
        (_no_zip, "is no backup"),
        (_other_form, "form 'meeple-lab-backup-9'"),
        (Path.unlink, "There is no file"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(written: Path, change: Callable[[Path], None], said: str) -> None:
    change(written)
    with pytest.raises(BackupError, match=said), Backup(written) as found:
        found.check()


def test_no_file_is_written_outside_of_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    with writing(path) as writer:
        writer.add(DATABASE, io.BytesIO(b""))
        writer.add(f"{FILES}../../over", io.BytesIO(b"there"))
        writer.finish(GIVEN)
    with Backup(path) as found, pytest.raises(BackupError, match="outside of the data folder"):
        found.extract_files(tmp_path / "a" / "b")
    assert not (tmp_path / "over").exists()
    assert found.manifest.format == backup_file.FORMAT
