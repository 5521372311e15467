"""One model an answer's type, where ninja makes one for every status of every operation.

Nine of ten are `Problem`: 900 models took a fifth of the start of a process with pages, and 20 MB.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ninja import Schema
from ninja.operation import Operation

_make = Operation._create_response_model


@cache
def _of_type(answer: Any) -> type[Schema] | None:
    return _make(None, answer)  # type: ignore[arg-type]  # it asks nothing of its operation


def share() -> None:
    """Share them among all operations that are declared from now on, and build each when it is first needed."""
    Schema.model_config["defer_build"] = True
    Operation._create_response_model = lambda self, response_param: _of_type(response_param)  # type: ignore[method-assign]
