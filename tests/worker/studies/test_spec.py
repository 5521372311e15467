from __future__ import annotations

from typing import Any

import pytest

from tests import counting
from worker.spec import SpecError
from worker.studies import spec as specs


def test_a_spec_is_made_complete_and_survives_json() -> None:
    spec = specs.from_json({"version": 1, "study": "counting", "game": "carcassonne"})
    assert spec.parameters == {"pieces": 3, "seconds": 0.0, "raises_at": -1, "dies_at": -1}
    assert spec.seed == 0
    assert specs.from_json(specs.to_json(spec)) == spec


def test_what_is_wrong_is_named(subtests: pytest.Subtests) -> None:
    for changes, path in [
        ({"version": 2}, "version"),
        ({"study": "astrology"}, "study"),
        ({"study": ["counting"]}, "study"),
        ({"game": "chess"}, "game"),
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"seats": 2}, "seats"),
        ({"parameters": [3]}, "parameters"),
        ({"parameters": {"pieces": 0}}, "parameters.pieces"),
        ({"parameters": {"colour": "red"}}, "parameters.colour"),
        ({"parameters": {"pieces": 150_000}}, "parameters"),
    ]:
        with subtests.test(changes=changes, path=path):
            with pytest.raises(SpecError) as caught:
                specs.from_json(counting.spec() | changes)
            assert caught.value.place == path


@pytest.mark.parametrize("key", ["version", "study", "game"])
def test_what_is_missing_is_named(key: str) -> None:
    spec = counting.spec()
    del spec[key]
    with pytest.raises(SpecError, match=f"{key}: is missing"):
        specs.from_json(spec)


@pytest.mark.parametrize("data", [None, [], "text"])
def test_a_spec_is_an_object(data: Any) -> None:
    with pytest.raises(SpecError, match="must be an object"):
        specs.from_json(data)
