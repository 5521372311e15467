"""Matches recorded by independent implementations of the rules (carcassonne-trace-1)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))


def matches(path: Path) -> Iterator[dict[str, Any]]:
    """The traces of one file."""
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)
