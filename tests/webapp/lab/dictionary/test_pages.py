"""The page of a game's metrics: each group once, at a place that its list of groups leads to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import registry as game_registry
from webapp.lab.dictionary import tables

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game_id", game_registry.ids())
def test_each_group_of_metrics_has_one_place_that_is_led_to(client: Any, game_id: str) -> None:
    page = client.get(f"/data/{game_id}/").content.decode()
    entries = tables.metrics(game_registry.get(game_id))
    places = re.findall(r'<section class="card flush" id="([\w-]+)"', page)
    assert len(places) == len(set(places)) == len({entry.group for entry in entries})
    assert re.findall(r'<a class="chip" href="#([\w-]+)"', page) == places
    assert page.count('<th scope="row"><code>') == len(entries)
