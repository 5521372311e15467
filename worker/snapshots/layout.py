"""Names of the files in a snapshot, a zip archive."""

from __future__ import annotations

FORMAT, VERSION = "meeple-lab/snapshot", 1
ABOUT, README = "snapshot.json", "README.md"
SPEC, RESULT, DICTIONARY = "spec.json", "result.json", "dictionary.json"
DATA_PACKAGE, CROISSANT = "datapackage.json", "croissant.json"
CITATION, BIBTEX = "citation.txt", "citation.bib"
SUMS = "SHA256SUMS"
"""SHA-256 of every other file, as ``sha256sum -c`` reads it."""


def table(name: str, format_id: str) -> str:
    """The file of a table."""
    return f"data/{name}.{format_id}"
