"""Whether the collected static files are those of this version."""

from __future__ import annotations

import hashlib
from importlib.metadata import version

from django.contrib.staticfiles.finders import get_finders

from webapp.ops.data_folder import DataFolder

TOOLS = ("Django", "whitenoise", "django-htmx", "django-ninja")


def fingerprint() -> str:
    """A hash over names, sizes and times of all static files, and what processes them."""
    parts = [f"{name} {version(name)}" for name in TOOLS]
    for finder in get_finders():
        for path, storage in finder.list(None):
            modified = storage.get_modified_time(path).timestamp()
            parts.append(f"{storage.path(path)} {storage.size(path)} {modified}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def are_current(folder: DataFolder) -> bool:
    """Whether the collected files in the data folder can be served."""
    mark = folder.static_fingerprint_file
    return folder.static.is_dir() and mark.exists() and mark.read_text() == fingerprint()


def mark_current(folder: DataFolder) -> None:
    """Remember that they were just collected."""
    folder.static_fingerprint_file.write_text(fingerprint())
