"""What tells the static files of this version from those of another."""

from __future__ import annotations

import hashlib
from importlib.metadata import version

from django.contrib.staticfiles.finders import get_finders

TOOLS = ("Django", "whitenoise", "django-htmx", "django-ninja")


def fingerprint() -> str:
    """A hash over names, sizes and times of all static files, and what processes them."""
    parts = [f"{name} {version(name)}" for name in TOOLS]
    for finder in get_finders():
        for path, storage in finder.list(None):
            modified = storage.get_modified_time(path).timestamp()
            parts.append(f"{storage.path(path)} {storage.size(path)} {modified}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()
