"""Finds static files that installed packages carry outside a `static` folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

PLOTLY_NAME = "plotly/plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Serves plotly's own script as `plotly/plotly.min.js`, without importing plotly."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        spec = find_spec("plotly")
        assert spec, "plotly is a requirement"
        assert spec.origin, "plotly is a package with a file"
        self._folder = Path(spec.origin).parent / "package_data"

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Return the file's path, or a list of it (empty: not ours)."""
        found = [str(self._folder / Path(path).name)] if path == PLOTLY_NAME else []
        if find_all or kwargs.get("all"):
            return found
        return found[0] if found else []

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """The one file, in a storage that puts it below `plotly/`."""
        storage = FileSystemStorage(location=self._folder)
        storage.prefix = Path(PLOTLY_NAME).parent.as_posix()  # type: ignore[attr-defined]  # collectstatic reads it
        yield Path(PLOTLY_NAME).name, storage
