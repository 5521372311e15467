"""Metrics of stored seats for tests, whatever form their rows have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webapp.records import metric_numbers
from webapp.records.models import Seat


def of(seat: Seat) -> dict[str, Any]:
    """The metrics of a seat by name."""
    found = metric_numbers.of_game(seat.experiment.game).read(seat)
    assert found is not None
    return found


def of_all(seats: Iterable[Seat]) -> list[dict[str, Any]]:
    """The metrics of some seats."""
    return [of(seat) for seat in seats]


def put(seat: Seat, values: dict[str, Any] | None) -> None:
    """Give a seat these metrics, as JSON, as rows of before have them."""
    seat.counts = seat.measures = None
    seat.metrics = values
    seat.save()
