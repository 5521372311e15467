"""Examples of answers in the reference: one for every schema, each as its schema says."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.webapp.api.answers import schema, schemas
from webapp.api.answers import stored
from webapp.api.v1 import api

RENEW = "LAB_STORE_ANSWERS=1 ./lab test tests/webapp/api tests/webapp/lab/checks tests/webapp/sharing -n 0"


def types() -> dict[str, Any]:
    """Types of answers by the names of their schemas."""
    found = {}
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                for status, model in operation.response_models.items():
                    if isinstance(status, int) and status < 300 and model is not None:
                        answer = model.model_fields["response"].annotation
                        found[getattr(answer, "__name__", "")] = answer
    return found


def test_every_schema_of_an_answer_has_an_example() -> None:
    assert sorted(stored()) == sorted(set(schemas().values())), f"renew them: rm webapp/api/answers.json; {RENEW}"


@pytest.mark.parametrize("name", sorted(stored()))
def test_an_example_is_what_its_schema_says(name: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(types()[name])
    again = adapter.dump_python(adapter.validate_python(stored()[name]), mode="json", exclude_unset=True)
    assert names_of(again) == names_of(stored()[name]), f"renew it: {RENEW}"


def names_of(value: Any) -> Any:
    """Names of all members, level by level."""
    if isinstance(value, dict):
        return {name: names_of(one) for name, one in value.items()}
    return [names_of(one) for one in value] if isinstance(value, list) else None


def test_the_reference_shows_them() -> None:
    shown = schema()["paths"]["/api/v1/experiments/{number}"]["get"]["responses"][200]["content"]["application/json"]
    assert shown["example"] == stored()["JobOut"]
