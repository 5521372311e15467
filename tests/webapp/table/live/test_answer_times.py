"""When engines' answers are shown where seats hide something: their time says nothing about a hand."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from typing import Any

import pytest

from engines import registry
from games import registry as games
from tests.webapp.table.live import answering, tables
from webapp.table.live.answer_times import BEYOND_S, BEYOND_SHARE, MOST_S
from webapp.table.live.models import LiveMatch
from worker import spec as specs

pytestmark = pytest.mark.django_db
SECONDS = 0.03
SHOWN_S = SECONDS * (1 + BEYOND_SHARE) + BEYOND_S


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """What decides is there before anything is timed."""
    game = games.get("dominoes")
    registry.make_for(game, "pimc").prepare(game)


def against_three(person: Any, **budget: float) -> LiveMatch:
    """A match of three engines with this budget, or their usual one, and a person in the last seat."""
    row = {"engine": "pimc", "options": {}, "budget": budget or registry.get("pimc").default_budget}
    seat = specs.seat_from_json(row, ("seat",), "dominoes")
    return tables.open_match(
        person, [*(tables.engine(seat) for _ in range(3)), tables.person(person)], game="dominoes", seed=5, deal_seed=6
    )


def timed(match: LiveMatch) -> float:
    """Seconds until the next answer of an engine can be seen."""
    claimed = answering.claim(match)
    assert claimed is not None
    began = time.monotonic()
    answering.carry_out(claimed)
    match.refresh_from_db()
    return time.monotonic() - began


def test_a_forced_tile_is_shown_no_earlier_than_a_chosen_one(alice: Any) -> None:
    match = against_three(alice, seconds_per_ply=SECONDS)
    taken = timed(match)
    row = match.plies.get(ply=0)
    assert (row.legal_count, row.elapsed_s) == (1, SHOWN_S)
    assert SHOWN_S <= taken < MOST_S


def test_a_game_without_secrets_holds_nothing_back(alice: Any) -> None:
    row = {"engine": "random", "options": {}, "budget": {}}
    seat = specs.seat_from_json(row, ("seat",), "carcassonne")
    match = tables.open_match(alice, [tables.engine(seat), tables.person(alice)])
    timed(match)
    assert match.plies.get(ply=0).elapsed_s < BEYOND_S


@pytest.mark.slow
def test_over_fifty_plies_nobody_tells_forced_ones_apart(alice: Any) -> None:
    """Medians differ by less than half of what the budget would tell."""
    match, seen = against_three(alice, seconds_per_ply=SECONDS), defaultdict(list)
    timed(match)  # loads the kernels
    while sum(map(len, seen.values())) < 50:
        if match.seats.get(seat=match.on_turn).kind == "engine":
            ply = match.ply
            taken = timed(match)
            seen[match.plies.get(ply=ply).legal_count == 1].append(taken)
        else:
            match = tables.play_each(match, 1)
    assert min(map(len, seen.values())) >= 10
    forced, free = statistics.median(seen[True]), statistics.median(seen[False])
    assert abs(forced - free) < SECONDS / 2, (forced, free)
