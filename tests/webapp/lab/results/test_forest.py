"""Forests: one axis for all rows, that never shrinks while an experiment runs, and what is cut off at its edges."""

from __future__ import annotations

import numpy as np

from tests.looping import looped
from webapp.common.formats import MINUS
from webapp.lab.results.forest import UNITS, Axis, Compared, Strip, axis, row
from webapp.lab.results.queries import LOOKS
from webapp.lab.results.sides import Side
from worker.analysis import always_valid
from worker.analysis.intervals import Interval
from worker.analysis.moments import Moments
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE

SIDE = Side(1, 0, "Arm 1", "", 1, (0,))
RATES, POINTS = UNITS[WIN_RATE], UNITS[MARGIN]


def _seen(values: np.ndarray, planned: int) -> Compared:
    """What a page knows after these deals."""

    def after(deals: int) -> Interval | None:
        return always_valid.of_moments(Moments.of(values[:deals]), planned)

    looks = [after(look) for look in LOOKS if look <= len(values)]
    mean = float(values.mean())
    return Compared(SIDE, mean, after(len(values)), len(values), course=tuple(filter(None, looks)))


def test_the_axis_never_shrinks_while_it_runs() -> None:
    """Three arms of skewed values that wander, looked at after every deal."""
    rng = np.random.default_rng(20260101)
    arms = [drift + 25 * (rng.exponential(size=500) - 1) for drift in (-9, 0, 4)]
    ends = []
    for deals in range(1, 501, 3):
        shown = axis([_seen(values[:deals], 500) for values in arms], POINTS, is_live=True)
        ends.append((shown.low, shown.high))
    low, high = np.array(ends).T
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()
    assert low[-1] < low[0], "it has grown"
    final = axis([_seen(values, 500) for values in arms], POINTS, is_live=False)
    assert low[-1] < final.low < final.high < high[-1], "at the end it fits"


@looped("low, high, texts", [
    (-2.56, 12.46, ["0", "+5", "+10"]),
    (-40.0, 25.0, ["-40", "-30", "-20", "-10", "0", "+10", "+20"]),
    (-0.12, 0.8, ["0.0", "+0.2", "+0.4", "+0.6", "+0.8"]),
    (-100.0, 100.0, ["-100", "-50", "0", "+50", "+100"]),
])  # fmt: skip
def test_ticks_are_round_and_few(low: float, high: float, texts: list[str]) -> None:
    assert [tick.text.replace(MINUS, "-") for tick in Axis(low, high).ticks(RATES)] == texts


def test_places_on_the_axis_by_hand() -> None:
    scale = Axis(-10, 30)
    shown = row(Compared(SIDE, 10.0, Interval(0, 20), 50), scale, RATES, ("ok", "better"))
    assert (shown.low, shown.middle, shown.high, shown.cut) == ("25.00", "50.00", "75.00", "")
    assert (shown.difference, shown.interval) == ("+10.0", "0.0 to +20.0")
    beyond = row(Compared(SIDE, 40.0, Interval(-20, 90), 50), scale, RATES, ("", ""))
    assert (beyond.low, beyond.middle, beyond.high, beyond.cut) == ("0.00", "100.00", "100.00", "low high")
    alone = row(Compared(SIDE, 10.0, None, 12, is_constant=True), scale, RATES, ("", ""))
    assert (alone.low, alone.middle, alone.high, alone.interval) == ("", "50.00", "", "the same in every deal")
    nothing = row(Compared(SIDE), scale, RATES, ("wait", "no deal yet"))
    assert (nothing.difference, nothing.middle, nothing.state) == ("", "", "no deal yet")


def test_few_deals_do_not_stretch_the_axis() -> None:
    """Student's interval of two deals may reach a thousand points; at the end it is cut at 20 from the mean."""
    two = Compared(SIDE, 5.0, Interval(-900, 910), 2)
    shown = axis([two], POINTS, is_live=False)
    assert (round(shown.low, 2), round(shown.high, 2)) == (-16.6, 26.6)
    many = Compared(SIDE, 5.0, Interval(-30, 40), 30)
    assert axis([many], POINTS, is_live=False).low < -30
    empty = axis([Compared(SIDE)], POINTS, Strip(0, 3, ""), is_live=False)
    assert empty.low < -1 < 3 < empty.high
