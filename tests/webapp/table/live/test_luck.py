"""The search for what is to come finds it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.webapp.table.live import luck, tables

pytestmark = pytest.mark.django_db


def test_an_order_that_is_told_is_found_and_what_is_left_is_none(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="kingdomino", deal_seed=3)
    order = luck.to_come(match)
    assert len(order) == 5 * 4, "six rows, the first of which lies there"
    numbers = [number for number, _ in order]
    for text in (json.dumps(numbers), json.dumps(numbers[::-1]), ", ".join(words for _, words in order)):
        assert luck.told(order, text)
    assert not luck.told(order, json.dumps(sorted(numbers)))
    drawn = tables.play_on(match, 4)
    assert luck.to_come(drawn) == order[4:]
