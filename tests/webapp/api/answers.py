"""Keeps answers of the API as examples of its reference, while its tests run with LAB_STORE_ANSWERS=1."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any

from django.test import Client

from webapp.api.answers import FILE

IS_STORING = os.environ.get("LAB_STORE_ANSWERS") == "1"
MOST_BYTES = 6_000
MOST_LETTERS = 300
ROWS, NUMBERS = 2, 10
"""Kept of a list: so many rows, or numbers and texts, whose number some schemas fix."""


class NotingClient(Client):
    """A client whose good answers are noted."""

    def request(self, **request: Any) -> Any:
        """As any client's."""
        response = super().request(**request)
        if IS_STORING:
            note(response)
        return response


@cache
def schema() -> Any:
    """The reference."""
    from webapp.api.v1 import api

    return api.get_openapi_schema(path_prefix="/api/v1/")


@cache
def schemas() -> dict[tuple[str, str, int], str]:
    """Method, route and status -> name of the schema of an answer, of all that have one."""
    found = {}
    for path, operations in schema()["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                answer = response.get("content", {}).get("application/json", {}).get("schema", {})
                if int(status) < 300 and "$ref" in answer:
                    found[method, path, int(status)] = answer["$ref"].rpartition("/")[2]
    return found


def note(response: Any) -> None:
    """Keep an answer if it shows more of its schema than the one that is kept."""
    if response.status_code >= 300 or "json" not in response.headers.get("Content-Type", ""):
        return
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{response.resolver_match.route}")
    name = schemas().get((response.request["REQUEST_METHOD"].lower(), route, response.status_code))
    if name is None:
        return
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    shown = shorten(response.json())
    if name not in kept or _worth(kept[name]) < _worth(shown):
        kept[name] = shown
        lines = [f"{json.dumps(key)}: {json.dumps(kept[key], ensure_ascii=False)}" for key in sorted(kept)]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def shorten(value: Any) -> Any:
    """The same with fewer rows, and shorter texts."""
    if isinstance(value, dict):
        return {name: shorten(one) for name, one in value.items()}
    if isinstance(value, list):
        has_rows = any(isinstance(one, (dict, list)) for one in value)
        return [shorten(one) for one in value[: ROWS if has_rows else NUMBERS]]
    is_long = isinstance(value, str) and len(value) > MOST_LETTERS
    return f"{value[:MOST_LETTERS]}…" if is_long else value


def _worth(shown: Any) -> int:
    """How much an example shows: the longest is best, unless it is too long to read."""
    size = len(json.dumps(shown))
    return size if size <= MOST_BYTES else -size
