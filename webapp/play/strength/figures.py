"""A figure with its interval, in words and as a bar of a table's cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.formats import THIN, interval_text, number, percent, signed
from worker.strength.model import WIN

MET, MISSED, OPEN = "met", "missed", "open"


@dataclass(frozen=True)
class Figure:
    """A mean with its interval. value, interval: in words.

    low, middle, high, ref: of its bar in per cent of the axis; without a bar low is empty. ref: what it is beside, a
    target or what equals have.
    """

    value: str
    interval: str
    low: str = ""
    middle: str = ""
    high: str = ""
    ref: str = ""


def share(value: float, interval: Sequence[float] | None, ref: float) -> Figure:
    """A share of matches won, from 0 to 1."""
    words = percent(value)
    if interval is None:
        return Figure(words, "no interval")
    ends = interval_text([100 * end for end in interval])
    places = (f"{100 * place:.2f}" for place in (interval[0], value, interval[1], ref))
    return Figure(words, f"{ends}{THIN}%", *places)


def points(value: float, interval: Sequence[float] | None, span: float, digits: int = 1) -> Figure:
    """Mean points, on an axis from 0 to `span` points; what is not above 0 has no bar."""
    ends = "no interval" if interval is None else interval_text(interval, digits)
    if interval is None or span <= 0:
        return Figure(number(value, digits), ends)
    places = (max(0.0, min(100.0, 100 * place / span)) for place in (interval[0], value, interval[1]))
    return Figure(number(value, digits), ends, *(f"{place:.2f}" for place in places))


def lead(value: float, interval: Sequence[float] | None) -> Figure:
    """Mean points ahead, with their sign and without a bar."""
    return Figure(signed(value), "no interval" if interval is None else interval_text(interval))


def verdict(target: float, interval: Sequence[float] | None) -> str:
    """Whether a target is met or missed for sure, or still open."""
    if interval is None or interval[0] < target <= interval[1]:
        return OPEN
    return MET if interval[0] >= target else MISSED


def target_words(measure: str, value: float) -> str:
    """A target in words: "at least 80 %", "at least +5 points"."""
    return f"at least {percent(value, 0)}" if measure == WIN else f"at least {signed(value, 0)} points"
