"""Opens a snapshot and compares every file with its checksum."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from worker.snapshots import layout

_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, RuntimeError)
"""What a damaged archive raises while it is read."""


class SnapshotError(Exception):
    """The file is no snapshot, or one of another version; the message is a sentence without its full stop."""


@dataclass(frozen=True)
class Sums:
    """Checksums of a snapshot. faults: what is wrong with it, a sentence each; none where all is as it was."""

    sha256: str
    files: int
    faults: tuple[str, ...]


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a snapshot. Raises SnapshotError, OSError."""
    try:
        archive = zipfile.ZipFile(path)
    except BROKEN as error:
        raise SnapshotError(f"{path} is no zip archive: {error}") from None
    with archive:
        yield archive


def about(archive: zipfile.ZipFile) -> dict[str, Any]:
    """What the snapshot says of itself. Raises SnapshotError."""
    found = read_json(archive, layout.ABOUT)
    if not isinstance(found, dict) or found.get("format") != layout.FORMAT:
        raise SnapshotError(f"{layout.ABOUT} is not that of a snapshot")
    if found.get("version") != layout.VERSION:
        raise SnapshotError(f"it is of version {found.get('version')!r}, and this program reads {layout.VERSION}")
    return found


def read_json(archive: zipfile.ZipFile, name: str) -> Any:
    """The content of one of its files. Raises SnapshotError."""
    try:
        return json.loads(archive.read(name))
    except KeyError:
        raise SnapshotError(f"there is no {name} in it") from None
    except (*BROKEN, ValueError, OSError) as error:
        raise SnapshotError(f"{name} cannot be read: {error}") from None


def check(path: Path, archive: zipfile.ZipFile) -> Sums:
    """Compare every file with its checksum. Raises SnapshotError, OSError."""
    try:
        text = archive.read(layout.SUMS).decode()
    except KeyError:
        raise SnapshotError(f"there is no {layout.SUMS} in it") from None
    except (*BROKEN, ValueError, OSError) as error:
        raise SnapshotError(f"{layout.SUMS} cannot be read: {error}") from None
    faults, wanted = [], {}
    for line in text.splitlines():
        if (found := _LINE.fullmatch(line)) is None:
            raise SnapshotError(f"a line of {layout.SUMS} is no checksum: {line[:80]!r}")
        wanted[found[2]] = found[1]
    names = archive.namelist()
    faults += [f"{name} is in it twice" for name in sorted({name for name in names if names.count(name) > 1})]
    faults += [f"{name} has no checksum" for name in names if name not in wanted and name != layout.SUMS]
    for name, sha256 in wanted.items():
        if fault := _fault(archive, name, sha256):
            faults.append(fault)
    with path.open("rb") as file:
        return Sums(_sha256(file), len(wanted), tuple(faults))


def _fault(archive: zipfile.ZipFile, name: str, sha256: str) -> str:
    try:
        with archive.open(name) as file:
            return "" if _sha256(file) == sha256 else f"{name} is not what was frozen"
    except KeyError:
        return f"{name} is missing"
    except (*BROKEN, OSError, ValueError) as error:
        return f"{name} cannot be read: {error}"


def _sha256(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, partial(hashlib.sha256)).hexdigest()  # type: ignore[arg-type]  # it asks for readinto
