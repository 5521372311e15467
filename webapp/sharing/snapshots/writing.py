"""Writes a snapshot's archive: deterministic, with the checksum of every file, under another name until it is whole."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webapp.lab.dictionary.data_package import TableFile
from webapp.lab.results.files import FORMATS
from webapp.records.locks import Connection
from webapp.records.snapshot_models import Snapshot
from webapp.sharing.snapshots import contents
from webapp.sharing.snapshots.contents import Content
from worker.snapshots import layout

TEMPORARY = ".writing"
LEVEL = 6
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Date of all files in an archive: two of the same content are the same, byte by byte."""

Look = Callable[[int, int], None]
"""Called with files done and bytes so far, now and then; what it raises ends the writing."""


@dataclass
class Archive:
    """An archive that is being written. files: what it holds so far, with bytes and checksums."""

    zip: zipfile.ZipFile
    look: Look
    files: list[dict[str, str | int]] = field(default_factory=list)

    def add(self, name: str, blocks: Iterable[bytes], *, is_compressed: bool = False) -> tuple[int, str]:
        """Add a file; bytes and SHA-256 of it. is_compressed: it is so already."""
        info = zipfile.ZipInfo(name, EARLIEST)
        info.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        summed, size = hashlib.sha256(), 0
        with self.zip.open(info, "w", force_zip64=True) as sink:
            for block in blocks:
                sink.write(block)
                summed.update(block)
                size += len(block)
                self._tell()
        self.files.append({"path": name, "bytes": size, "sha256": summed.hexdigest()})
        self._tell()
        return size, summed.hexdigest()

    def _tell(self) -> None:
        file = self.zip.fp
        self.look(len(self.files), file.tell() if file is not None else 0)

    def add_text(self, name: str, text: str) -> None:
        """Add a short file."""
        self.add(name, [text.encode()])


def num_files(content: Content) -> int:
    """Files of an archive: tables, texts, five descriptions, checksums."""
    return len(content.parts) + len(content.texts) + 6


def write(
    path: Path, snapshot: Snapshot, content: Content, reader: Connection, look: Look
) -> Sequence[dict[str, str | int]]:
    """Write the archive, and have it on disk; what it holds. reader: reads the tables, as of the content's moment.

    Raises OSError, ArchiveError, and what `look` raises.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        with zipfile.ZipFile(file, "w", compresslevel=LEVEL) as opened:
            archive = Archive(opened, look)
            files = [_add_table(archive, part, reader) for part in content.parts]
            for name, text in {**content.texts, **contents.descriptions(content, snapshot.link.slug, files)}.items():
                archive.add_text(name, text)
            listed = "".join(f"{one['sha256']}  {one['path']}\n" for one in archive.files)
            archive.add_text(layout.SUMS, listed)
        file.flush()
        os.fsync(file.fileno())
    return archive.files


def _add_table(archive: Archive, part: contents.Part, reader: Connection) -> TableFile:
    blocks = FORMATS[part.format_id].stream(reader, part.source)
    try:
        size, sha256 = archive.add(part.path, blocks, is_compressed=part.format_id == "parquet")
    finally:
        blocks.close()
    return part.described(size, sha256)
