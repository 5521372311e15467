"""The values of a sweep as people type them: lists, ranges, or both.

    0.5, 1, 2, 4                       a list
    1 to 9                             whole numbers one by one
    1 to 9 step 2                      1, 3, 5, 7, 9
    100 to 10000 in 5 steps            five values evenly apart, both ends among them
    100 to 10000 in 5 steps, log       five values of equal ratio: 100, 316, 1000, 3162, 10000
    1 to 4, 8, 16                      parts one after another

Spaces between thousands are fine. Values stay in the order typed. A number typed by itself that is
there already is refused; values that ranges share count once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from webapp.common.fields import SPACES
from worker.spec.naming import number_text

GRAMMAR = "a list like 0.5, 1, 2 or a range like 1 to 9 step 2 or 100 to 10000 in 5 steps, log"
RANGE = re.compile(
    r"(?P<low>.+?)\s+to\s+(?P<high>.+?)(?:\s+step\s+(?P<step>.+)|\s+in\s+(?P<count>\d{1,6})\s+steps?(?P<log>\s+log)?)?",
    re.IGNORECASE,
)
LOG = re.compile(r"\s*[,;]\s*log\b", re.IGNORECASE)
MAX_LETTERS = 40
MAX_SIZE = Decimal(10) ** 18
LOG_DIGITS = 4
"""Significant digits of decimal numbers between the ends of a range of equal ratios."""

Number = int | float


class ValueListError(ValueError):
    """The typed text is no list of values; the message says what to write."""


def parse(text: str, *, whole: bool, limit: int) -> list[Number]:
    """Read the values of a text, whole numbers as int. Raises ValueListError.

    limit: more values than this are refused.
    """
    parts = [part for part in re.split(r"[,;\n]", LOG.sub(" log", text)) if part.strip()]
    if not parts:
        raise ValueListError(f"Write the values: {GRAMMAR}.")
    found: dict[Number, None] = {}
    single: set[Number] = set()
    for part in parts:
        values = _values(part.strip(), whole, limit)
        if RANGE.fullmatch(part.strip()) is None:
            single.update(values)
        again = next((value for value in values if value in found and value in single), None)
        if again is not None:
            raise ValueListError(f"{number_text(again)} appears twice.")
        found.update(dict.fromkeys(values))
        if len(found) > limit:
            raise ValueListError(f"Take at most {limit} values.")
    return list(found)


def spell(values: Iterable[Number]) -> str:
    """Write values as a list that `parse` reads back."""
    return ", ".join(map(number_text, values))


def _values(part: str, whole: bool, limit: int) -> list[Number]:
    found = RANGE.fullmatch(part)
    if found is None:
        return [_typed(_decimal(part), whole, part)]
    low, high = _decimal(found["low"]), _decimal(found["high"])
    for end in (low, high):
        _typed(end, whole, part)
    if found["count"]:
        return _in_steps(low, high, int(found["count"]), bool(found["log"]), whole, limit)
    if found["step"] is None and not whole:
        raise ValueListError(f"Say how {part} continues: {part} step 0.5, or {part} in 5 steps.")
    step = abs(_decimal(found["step"] or "1"))
    if not step:
        raise ValueListError(f"The step must not be 0: {part}.")
    count = int(min(abs(high - low) / step, Decimal(limit))) + 1
    if count > limit:
        raise ValueListError(f"{part} gives more than {limit} values. Take a larger step.")
    sign = 1 if high >= low else -1
    return [_typed(low + sign * step * i, whole, part) for i in range(count)]


def _in_steps(low: Decimal, high: Decimal, count: int, is_log: bool, whole: bool, limit: int) -> list[Number]:
    if not 2 <= count <= limit:
        raise ValueListError(f"Take 2 to {limit} steps, not {count}: each is a value.")
    first, last = float(low), float(high)
    if is_log and not (first > 0 and last > 0):
        raise ValueListError("With log both ends must be above 0.")
    if is_log and not 0 < last / first < math.inf:
        raise ValueListError("The ends are too far apart.")
    shares = [i / (count - 1) for i in range(1, count - 1)]
    inner = [first * (last / first) ** share if is_log else first + (last - first) * share for share in shares]
    if whole:
        return [int(low), *map(round, inner), int(high)]
    return [first, *(float(f"{value:.{LOG_DIGITS if is_log else 12}g}") for value in inner), last]


def _decimal(text: str) -> Decimal:
    """Read the number of a text. Raises ValueListError."""
    bare = SPACES.sub("", text).replace("\u2212", "-")
    try:
        if len(bare) > MAX_LETTERS:
            raise InvalidOperation
        number = Decimal(bare)
    except InvalidOperation:
        raise ValueListError(f"“{text[:MAX_LETTERS]}” is not a number. Write {GRAMMAR}.") from None
    if not number.is_finite() or number.copy_abs() > MAX_SIZE:
        raise ValueListError(f"“{text[:MAX_LETTERS]}” is too large.")
    return number


def _typed(number: Decimal, whole: bool, text: str) -> Number:
    if not whole:
        return float(number)
    if number != number.to_integral_value():
        raise ValueListError(f"“{text}” must be made of whole numbers.")
    return int(number)
