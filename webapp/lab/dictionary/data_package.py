"""Data Package: a descriptor of files with tables, as https://datapackage.org (version 1) defines it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webapp.lab.dictionary.tables import Table
from webapp.lab.results.files import FORMATS
from worker.fields import Field

PROFILE = "https://specs.frictionlessdata.io/schemas/data-package.json"
TYPES = {
    "int64": ("integer", "default"),
    "double": ("number", "default"),
    "bool": ("boolean", "default"),
    "string": ("string", "default"),
    "timestamp": ("datetime", "any"),
    "json": ("string", "default"),
}
"""Kind of a column -> type and format of the Table Schema."""


@dataclass(frozen=True)
class TableFile:
    """One file with a table. path: an address, or a name beside the descriptor; size, sha256: where they are known."""

    table: Table
    format_id: str
    path: str
    columns: Mapping[str, Field]
    size: int | None = None
    sha256: str = ""

    @property
    def name(self) -> str:
        """The name of the file in its data set."""
        return f"{self.table.id}-{self.format_id}"

    @property
    def media_type(self) -> str:
        """The type of the file, without what follows it."""
        return FORMATS[self.format_id].media_type.split(";", maxsplit=1)[0]


@dataclass(frozen=True)
class DataSet:
    """A data set to be described. name: an id of small letters; cite: how to cite it, as text and as BibTeX."""

    name: str
    title: str
    description: str
    url: str
    created: str
    version: str
    cite: str
    bibtex: str
    files: Sequence[TableFile] = field(default_factory=tuple)


def descriptor(data: DataSet) -> dict[str, Any]:
    """The content of ``datapackage.json``."""
    return {
        "profile": "data-package",
        "name": data.name,
        "title": data.title,
        "description": data.description,
        "homepage": data.url,
        "version": data.version,
        "created": data.created,
        "sources": [{"title": data.cite, "path": data.url}],
        "resources": [_resource(file) for file in data.files],
    }


def _resource(file: TableFile) -> dict[str, Any]:
    known: dict[str, Any] = {} if file.size is None else {"bytes": file.size}
    if file.sha256:
        known["hash"] = f"sha256:{file.sha256}"
    is_csv = file.format_id == "csv"
    return {
        "name": file.name,
        "path": file.path,
        "title": f"{file.table.id.capitalize()} as {FORMATS[file.format_id].label}",
        "description": file.table.about,
        "type": "table" if is_csv else "file",
        "profile": "tabular-data-resource" if is_csv else "data-resource",
        "format": file.format_id,
        "mediatype": file.media_type,
        "encoding": "utf-8",
        **known,
        "schema": {
            "fields": [_field(name, about) for name, about in file.columns.items()],
            "primaryKey": list(file.table.key),
            "missingValues": [""],
        },
    }


def _field(name: str, about: Field) -> dict[str, Any]:
    kind, form = TYPES[about.kind]
    said = {"unit": about.unit} if about.unit else {}
    return {"name": name, "type": kind, "format": form, "description": about.meaning, **said}
