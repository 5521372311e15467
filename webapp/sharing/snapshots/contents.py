"""What goes into a snapshot: tables as they are exported, the result, the spec, and what describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from webapp.lab.dictionary import croissant, data_package, tables
from webapp.lab.dictionary.data_package import DataSet, TableFile
from webapp.lab.jobs import registry as jobs
from webapp.lab.results import exports
from webapp.lab.results.files import Source
from webapp.lab.studies import exports as study_exports
from webapp.records.job import Job
from webapp.records.models import Experiment, ShareLink, Study
from webapp.records.snapshot_models import Snapshot
from webapp.sharing import selectors
from webapp.sharing.citation import Citation
from worker import code_version
from worker.snapshots import layout

_FORMATS = {"matches": ("csv", "parquet"), "metrics": ("csv", "parquet"), "plies": ("parquet",)}
_STUDY_FORMATS = ("csv", "jsonl", "parquet")


@dataclass(frozen=True)
class Part:
    """One table as a file."""

    table: tables.Table
    format_id: str
    source: Source

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.table.id}.{self.format_id}"

    @property
    def path(self) -> str:
        """Its name in the archive."""
        return layout.table(self.table.id, self.format_id)

    def described(self, size: int | None = None, sha256: str = "") -> TableFile:
        """The file, to be described."""
        return TableFile(self.table, self.format_id, self.path, self.source.about, size, sha256)


@dataclass(frozen=True)
class Content:
    """All of a snapshot as of one moment. texts: files beside the tables; ended: matches, or rows, that it has."""

    as_of: datetime
    title: str
    description: str
    cited: Citation
    parts: tuple[Part, ...]
    texts: Mapping[str, str]
    about: Mapping[str, Any]
    ended: int


def read(snapshot: Snapshot, as_of: datetime) -> Content:
    """Read what a snapshot is made of, in the caller's transaction. Raises SpecError, ArchiveError."""
    link = snapshot.link
    job, kind = link.job, jobs.of(link.job)
    preview = selectors.preview(link)
    ended = kind.progress(job).played
    about = {
        "format": layout.FORMAT,
        "version": layout.VERSION,
        "kind": job.word,
        "number": job.pk,
        "title": job.title,
        "game": job.game,
        "status": job.status,
        "address": base(link),
        "as_of": as_of.isoformat(),
        "ended": ended,
        "lab": code_version.lab_version(),
        "code": code_version.content_hash(),
        "versions": preview.citation.versions,
    }
    texts = {
        layout.RESULT: _json(kind.numbers(job)),
        layout.SPEC: kind.spec_text(job.spec),
        layout.CITATION: f"{preview.citation.text}\n",
        layout.BIBTEX: f"{preview.citation.bibtex}\n",
    }
    parts = tuple(parts_of(job, with_plies=snapshot.with_plies))
    return Content(as_of, job.title, preview.description, preview.citation, parts, texts, about, ended)


def base(link: ShareLink) -> str:
    """The whole public address below which the snapshots of a link are."""
    return f"{settings.PUBLIC_URL}{reverse('sharing:snapshots', args=[link.slug])}"


def parts_of(job: Job, *, with_plies: bool) -> Iterator[Part]:
    """The tables of a job as files. Raises ArchiveError."""
    if isinstance(job, Study):
        source = study_exports.source(job)
        table = tables.get(study_exports.TABLE, job.kind)
        yield from (Part(table, format_id, source) for format_id in _STUDY_FORMATS)
        return
    assert isinstance(job, Experiment)
    for name, formats in _FORMATS.items():
        if name != "plies" or (with_plies and job.keeps_plies):
            source = exports.source(job, name)
            yield from (Part(tables.get(name), format_id, source) for format_id in formats)


def descriptions(content: Content, slug: str, files: list[TableFile]) -> dict[str, str]:
    """The files that describe the others, by name."""
    data = DataSet(
        name=f"meeple-lab-{slug}".lower(),
        title=content.title,
        description=content.description,
        url=str(content.about["address"]),
        created=content.as_of.isoformat(),
        version=f"1.0.0+{content.as_of:%Y%m%d}",
        cite=content.cited.text,
        bibtex=content.cited.bibtex,
        files=files,
    )
    columns = {
        file.table.id: {
            name: {"meaning": field.meaning, "type": field.kind, "unit": field.unit}
            for name, field in file.columns.items()
        }
        for file in files
    }
    return {
        layout.DICTIONARY: _json(columns),
        layout.DATA_PACKAGE: _json(data_package.descriptor(data)),
        layout.CROISSANT: _json(croissant.descriptor(data)),
        layout.ABOUT: _json(content.about),
        layout.README: _readme(content, files),
    }


def live(link: ShareLink) -> DataSet:
    """What a link shows as a data set that goes on: its files are the exports at their addresses."""
    preview, job = selectors.preview(link), link.job
    parts = parts_of(job, with_plies=True)
    files = [
        TableFile(part.table, part.format_id, f"{preview.url}export/{part.name}", part.source.about) for part in parts
    ]
    return DataSet(
        name=f"meeple-lab-{link.slug}".lower(),
        title=job.title,
        description=preview.description,
        url=preview.url,
        created=job.created_at.isoformat(),
        version="0.0.0+live",
        cite=preview.citation.text,
        bibtex=preview.citation.bibtex,
        files=files,
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _readme(content: Content, files: list[TableFile]) -> str:
    listed = "\n".join(f"- `{file.path}`: {file.table.about}" for file in files)
    return f"""# {content.title}

{content.description}

A frozen snapshot of {content.as_of:%Y-%m-%d %H:%M} UTC. It never changes; the result that it was made of may go on at
its address. How to cite the snapshot is on its page, under the first letters of the SHA-256 of this archive, below
<{content.about["address"]}>.

## Files

{listed}
- `{layout.RESULT}`: every number of the page; `{layout.SPEC}`: what was asked
- `{layout.DICTIONARY}`: what each column means; the same as Data Package (`{layout.DATA_PACKAGE}`) and Croissant
  (`{layout.CROISSANT}`)
- `{layout.CITATION}`, `{layout.BIBTEX}`: how the live result is cited; `{layout.ABOUT}`: versions and dates
- `{layout.SUMS}`: SHA-256 of every file, for `sha256sum -c {layout.SUMS}`

## Verify

    python -m worker snapshot verify FILE.zip

compares every file with its checksum and plays a sample again from the seeds, without a server, in a checkout of
Meeple Lab {content.about["lab"]} (code {str(content.about["code"])[:12]}).
"""
