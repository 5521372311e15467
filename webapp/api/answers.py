"""Examples of answers, as the reference shows them: real ones, which the tests of the API got and `answers.json` keeps.

Lists are cut to their first rows, long texts to their beginning. `tests/webapp/api/test_answers.py` says where one is
missing or no longer what its schema says, and how all are renewed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("answers.json")


@cache
def stored() -> dict[str, Any]:
    """Answers by the name of their schema."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def show(content: dict[str, Any]) -> None:
    """Put the example of its schema into the content of a response."""
    for media in content.values():
        name = media.get("schema", {}).get("$ref", "").rpartition("/")[2]
        if name in stored():
            media["example"] = stored()[name]
