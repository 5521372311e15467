"""Title, notes and tags: what the owner of a job says of it, checked and kept.

Each of them may be changed at any time. Who changes them names the edition that they saw (`edition`), so that of two
tabs neither overwrites what the other has kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.common.formats import count
from webapp.records.job import Job

MAX_TITLE, MAX_NOTES, MAX_TAG, MAX_TAGS = 200, 20_000, 30, 12
FIELDS = ("title", "notes", "shows_notes", "tags")


class DescriptionError(ValueError):
    """A value that cannot be kept; field: of `FIELDS`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field, message


class EditedError(RefusedError):
    """Refusal to overwrite what was kept since the form was opened."""


@dataclass(frozen=True)
class Description:
    """What its owner says of a job. shows_notes: whether the shared page has the notes."""

    title: str
    notes: str = ""
    shows_notes: bool = False
    tags: Sequence[str] = ()


def of(job: Job) -> Description:
    """What is kept of a job."""
    return Description(job.title, job.notes, job.shows_notes, tuple(job.tags))


def edition(job: Job) -> str:
    """Another text after each change."""
    return job.edited_at.isoformat() if job.edited_at else ""


def checked(title: str, notes: str, shows_notes: bool, tags: Sequence[str]) -> Description:
    """A description as it is kept. Raises DescriptionError."""
    return Description(_title(title), _notes(notes), shows_notes, tuple(read_tags(tags)))


def change(job: Any, wanted: Description, seen: str | None = None) -> bool:
    """Keep a checked description; say whether anything is another one. seen: the edition that it was written over.

    Raises EditedError where another edition is kept by now; the job then has what that says.
    """
    with transaction.atomic():
        row = type(job)._default_manager.select_for_update().get(pk=job.pk)
        for name in (*FIELDS, "edited_at"):
            setattr(job, name, getattr(row, name))
        if of(row) == wanted:
            return False
        if seen is not None and seen != edition(row):
            raise EditedError("Title, notes or tags were changed elsewhere since you opened this form.")
        for name in FIELDS:
            setattr(job, name, getattr(wanted, name))
        job.tags, job.edited_at = list(wanted.tags), timezone.now()
        job.save(update_fields=[*FIELDS, "edited_at"])
    return True


def read_tags(given: Sequence[str]) -> list[str]:
    """Tags as they are kept: small letters, single spaces, each once, in their order. Raises DescriptionError."""
    found = list(dict.fromkeys(filter(None, map(_tag, given))))
    if len(found) > MAX_TAGS:
        raise DescriptionError("tags", f"At most {MAX_TAGS} tags: these are {len(found)}.")
    return found


def split_tags(text: str) -> list[str]:
    """Tags between commas, or on lines."""
    return text.replace("\n", ",").split(",")


def _tag(text: str) -> str:
    found = " ".join(unicodedata.normalize("NFC", text).replace(",", " ").split()).removeprefix("#").strip().lower()
    if not found.isprintable():
        raise DescriptionError("tags", "A tag has letters, digits and signs only.")
    if len(found) > MAX_TAG:
        raise DescriptionError("tags", f"A tag has at most {MAX_TAG} letters: “{found[:MAX_TAG]}…” has {len(found)}.")
    return found


def _title(text: str) -> str:
    found = " ".join(text.split())
    if not found:
        raise DescriptionError("title", "Give it a title: lists and shared pages are told apart by it.")
    if "\0" in found or len(found) > MAX_TITLE:
        raise DescriptionError("title", f"A title has at most {MAX_TITLE} letters: this has {count(len(found))}.")
    return found


def _notes(text: str) -> str:
    found = text.replace("\r\n", "\n").replace("\0", "").strip()
    if len(found) > MAX_NOTES:
        most, present = count(MAX_NOTES), count(len(found))
        raise DescriptionError("notes", f"Notes have at most {most} letters: these have {present}.")
    return found
