"""Numbers as pages write them: thin spaces, true minus, no more digits than they carry; names of fields in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

THIN = "\u202f"
MINUS = "\u2212"
UNDEFINED = "undefined"
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
SMALL_POWER = 6


def field_words(name: str) -> str:
    """A field of a row or a spec in words: `num_legal` is "Legal", for a number says itself that it is one."""
    return name.removeprefix("num_").replace("_", " ").capitalize()


def count(value: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", THIN).replace("-", MINUS)


def tally(value: float) -> str:
    """A number of results, of which a side that meets itself has halves."""
    return count(int(value)) if value == int(value) else number(value)


def plural(value: int, one: str, many: str) -> str:
    """A counted noun: "1 match", "3 matches"."""
    return f"{count(value)} {one if value == 1 else many}"


def num_matches(sizes: Iterable[int]) -> str:
    """Number of matches that rows rest on: "20 matches", "18 to 20 matches"."""
    low, high = min(sizes := list(sizes)), max(sizes)
    return plural(low, "match", "matches") if low == high else f"{count(low)} to {count(high)} matches"


def number(value: float | None, digits: int = 1) -> str:
    """A number with fixed decimals; None is "undefined"."""
    if value is None or not math.isfinite(value):
        return UNDEFINED
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace(",", THIN).replace("-", MINUS)


def signed(value: float | None, digits: int = 1) -> str:
    """A difference: always with its sign, except zero."""
    text = number(value, digits)
    if text == UNDEFINED or text.startswith(MINUS) or not text.strip("0."):
        return text
    return f"+{text}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share of 1 as per cent."""
    return UNDEFINED if share is None else f"{number(100 * share, digits)}{THIN}%"


def p_text(p: float) -> str:
    """A p-value; very small ones are named by a bound."""
    return "below 0.001" if p < 0.001 else number(p, 3)


def span(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval, "77.2 to 85.5"."""
    if low is None or high is None:
        return UNDEFINED
    return f"{number(low, digits)} to {number(high, digits)}"


def interval_text(interval: Sequence[float] | None, digits: int = 1) -> str:
    """The two ends of an interval as `span` writes them; None: there is none."""
    if interval is None:
        return UNDEFINED
    low, high = interval
    return span(low, high, digits)


def power(log: float | None) -> str:
    """A number given by its decimal logarithm: "8.8·10¹⁹⁴"; below a million as it is, down to a millionth."""
    if log is None or not math.isfinite(log):
        return UNDEFINED
    if abs(log) < SMALL_POWER:
        return number(10**log, 0)
    exponent = math.floor(log)
    digits = f"{10 ** (log - exponent):.1f}"
    if digits == "10.0":
        digits, exponent = "1.0", exponent + 1
    return f"{digits}·10{str(exponent).translate(RAISED)}"


def with_power(value: float) -> str:
    """A number that is far from 1, as `power` writes it, with its sign."""
    return f"{MINUS if value < 0 else ''}{power(math.log10(abs(value)))}"


def seconds(value: float) -> str:
    """A span of time: ms below a second, s below two minutes, then min and h."""
    if value < 0.0995:
        return f"{1000 * value:.{1 if value < 0.00995 else 0}f} ms"
    if value < 120:
        return f"{value:.{2 if value < 1 else 1}f} s"
    if value < 7200:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.1f} h"


def bytes_size(value: float) -> str:
    """A size in kB, MB or GB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.1f} {unit}" if value < 100 * size else f"{value / size:.0f} {unit}"
    return f"{value:.0f} bytes"


FAR_S = 2 * 365 * 86_400
"""A computation that takes longer than this is said to take far too long: its figure means nothing."""


def about(seconds: float) -> str:
    """Rough length of a time in words: "about 4 days", or "far too long"."""
    return f"about {duration(seconds)}" if seconds < FAR_S else "far too long"


def duration(seconds: float) -> str:
    """A length of time for people: "40 s", "21 min", "3 h 20 min", "4 days"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {rest} min" if rest and hours < 10 else f"{hours} h"
    return f"{count(round(hours / 24))} days"
