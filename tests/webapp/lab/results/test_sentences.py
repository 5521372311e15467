"""The answer claims what its intervals allow: sentences of every kind of experiment, from differences by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from django.conf import settings

from tests.looping import looped
from webapp.common.formats import MINUS, THIN
from webapp.lab.results.answer import forest, state
from webapp.lab.results.comparisons import PLACE
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import OTHERS, Judged
from webapp.lab.results.sentences import sentence
from webapp.lab.results.sides import Side
from worker.analysis.intervals import Interval
from worker.analysis.methods import FIXED, AlwaysValid
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.stop_rules.model import AT_PLANNED, BEST, H0, H1, MARGIN, PRECISE, WIN_RATE
from worker.looks import Ruling
from worker.spec.stop import StopSpec


def side(name: str, arm: int = 0) -> Side:
    return Side(arm, 0, name, name, None, (0,))


def row(name: str, mean: float | None, low: float = 0, high: float = 0, **changes: Any) -> Compared:
    """A row; an interval only where its ends differ."""
    interval = Interval(low, high) if low < high else None
    known: dict[str, Any] = {"deals": 50}
    return Compared(side(name, 1), mean, interval, **(known | changes))


def said(*rows: Compared, measure: str = WIN_RATE, baseline: str = "Plain", **changes: Any) -> str:
    """The sentence without its full stop, with a plain minus and no thin spaces."""
    judged = Judged(measure, baseline, rows, baseline_side=side(baseline), planned=60, **changes)
    return sentence(judged).replace(THIN, "").replace(MINUS, "-").removesuffix(".")


BETTER = row("Bias", 9.1, 2.4, 15.8)
OPEN = row("Bias", 5.0, -1.9, 11.9)
ENDED: dict[str, Any] = {"is_live": False, "is_always_valid": False}
ALONE: dict[str, Any] = {"is_one_arm": True}
AV = "always valid"


@looped("rows, changes, words", [
    ([BETTER], {},
     f"Bias wins 9.1 percentage points more of its matches than Plain (95% interval +2.4 to +15.8, {AV})"),
    ([row("Bias", -9.1, -15.8, -2.4)], ENDED,
     "Bias wins 9.1 percentage points fewer of its matches than Plain"
     " (95% interval -15.8 to -2.4, at the planned end)"),
    ([OPEN], {},
     "No difference is shown yet between Bias and Plain: the first wins 5.0 percentage points more of its matches than"
     f" the second (95% interval -1.9 to +11.9, {AV}), so a gap of up to 11.9 points could still hide"),
    ([row("Bias", -0.04, -7.5, 6.0)], ENDED,
     "No difference is shown between Bias and Plain: the first wins as many of its matches as the second"
     " (95% interval -7.5 to +6.0, at the planned end), so a gap of up to 7.5 points could still hide"),
    ([BETTER], {"measure": MARGIN},
     f"Bias has a margin that is 9.1 points higher than that of Plain (95% interval +2.4 to +15.8, {AV})"),
    ([BETTER], {"measure": MARGIN, **ALONE}, f"Bias is 9.1 points ahead of Plain (95% interval +2.4 to +15.8, {AV})"),
    ([BETTER], {"measure": MARGIN, "baseline": OTHERS, **ALONE},
     f"Bias is 9.1 points ahead of the best of the others (95% interval +2.4 to +15.8, {AV})"),
    ([row("Bias", -0.61, -0.79, -0.43)], {"measure": PLACE},
     f"Bias comes in 0.61 places behind Plain (95% interval -0.79 to -0.43, {AV})"),
    ([BETTER], {"measure": MARGIN, "is_alone": True},
     f"Bias scores 9.1 points more than Plain (95% interval +2.4 to +15.8, {AV})"),
    ([row("Bias", 0.0, is_constant=True)], {},
     "No difference was seen between Bias and Plain in 50 deals: all of them ended alike"),
    ([row("Bias", 50.0, is_constant=True)], {},
     "Bias wins 50.0 percentage points more of its matches than Plain, the same in each of 50 deals;"
     " where nothing varies there is no interval"),
    ([row("Bias", 50.0, deals=1)], {}, "Too few deals to tell Bias and Plain apart: 1 so far"),
    ([row("Bias", None, deals=0)], {},
     "No answer yet: of no two that are to be compared a common deal has been played whole"),
    ([], {"empty": "Numbers come."}, "No answer yet. Numbers come"),
    ([], {"empty": "All failed.", **ENDED}, "No answer. All failed"),
    ([], {"first_mover": "54.0 % (50.5 to 57.5)", **ALONE},
     "The engine only meets itself, so the question is the seat: the first one won 54.0 % (50.5 to 57.5)"),
    ([], ALONE, "The engine only meets itself, so nothing is compared"),
    ([], {"is_alone": True, "level": "scored 40.0 points", **ALONE},
     "It plays alone, so nothing is compared: it scored 40.0 points"),
])  # fmt: skip
def test_one_difference(rows: list[Compared], changes: dict[str, Any], words: str) -> None:
    assert said(*rows, **changes) == words


SECOND = row("Greedy", 5.0, -1.9, 11.9)
WORSE = row("Open", -8.0, -14.0, -2.0)
LEADS = (row("Greedy", 4.1, 0.3, 8.0), row("Plain", 9.1, 2.4, 15.8), row("Open", 17.0, 9.0, 25.0))
UNSURE = (row("Greedy", 4.1, -1.0, 8.0), *LEADS[1:])


@looped("rows, changes, words", [
    ([BETTER, SECOND, WORSE], {"leads": LEADS, "word": "value"},
     "Bias does best of 4 values: it wins 9.1 percentage points more of its matches than Plain"
     f" (95% interval +2.4 to +15.8, {AV}) and is told apart from all others"),
    ([BETTER, SECOND, WORSE], {"leads": UNSURE},
     "Bias does best of 4 arms: it wins 9.1 percentage points more of its matches than Plain"
     f" (95% interval +2.4 to +15.8, {AV}), but is not told apart from Greedy"),
    ([SECOND, WORSE, row("Wild", -3.0, -20.0, 14.0)], {},
     "No arm is shown yet to beat Plain: the best so far, Greedy, wins 5.0 percentage points more of its matches than"
     f" Plain (95% interval -1.9 to +11.9, {AV}), so a gap of up to 14.0 points between Wild and Plain could still"
     " hide"),
    ([WORSE, row("Wild", -3.0, -20.0, 14.0)], ENDED,
     "No arm is shown to beat Plain: the next, Wild, wins 3.0 percentage points fewer of its matches than Plain"
     " (95% interval -20.0 to +14.0, at the planned end), so a gap of up to 14.0 points could still hide"),
    ([WORSE, row("Wild", -3.0, -5.0, -1.0)], {},
     "Plain does best of 3 arms: the next, Wild, wins 3.0 percentage points fewer of its matches than Plain"
     f" (95% interval -5.0 to -1.0, {AV})"),
    ([row("Wild", None, deals=0, has_failed=True), WORSE], {},
     "No arm is shown yet to beat Plain: the next, Open, wins 8.0 percentage points fewer of its matches than Plain"
     f" (95% interval -14.0 to -2.0, {AV})"),
])  # fmt: skip
def test_the_best_of_several_arms(rows: list[Compared], changes: dict[str, Any], words: str) -> None:
    assert said(*rows, **changes) == words


@looped("leads, words", [
    (LEADS, f"Bias comes in best of 4: it comes in 4.10 places ahead of the next, Greedy"
            f" (95% interval +0.30 to +8.00, {AV})"),
    (UNSURE, "Nobody is shown yet to be best: Bias comes in 4.10 places ahead of Greedy"
             f" (95% interval -1.00 to +8.00, {AV}), so a gap of up to 8.00 places could still hide"),
    ((UNSURE[0], row("Plain", 9.1, -2.0, 20.0)),
     f"Nobody is shown yet to be best: Bias comes in 4.10 places ahead of Greedy (95% interval -1.00 to +8.00, {AV}),"
     " so a gap of up to 20.00 places between Bias and Plain could still hide"),
    ((LEADS[0], row("Plain", 9.1, -2.0, 20.0)),
     f"Bias comes in 4.10 places ahead of Greedy (95% interval +0.30 to +8.00, {AV});"
     " Bias is not told apart from Plain"),
])  # fmt: skip
def test_the_best_side_of_a_table(leads: tuple[Compared, ...], words: str) -> None:
    assert said(OPEN, OPEN, measure=PLACE, leads=leads, best="Bias", **ALONE) == words


TEST = StopSpec("sprt", WIN_RATE, h0=0.0, h1=5.0)
REGRESSION = StopSpec("sprt", WIN_RATE, h0=-10.0, h1=0.0)
RACE = StopSpec("best_of", MARGIN)
EFFECT = f"Bias wins 5.0 percentage points more of its matches than Plain (95% interval -1.9 to +11.9, {AV})"
MORE = f"it has a margin that is 9.1 points higher than that of Plain (95% interval +2.4 to +15.8, {AV})"
GONE = row("Open", -8.0, -14.0, -2.0, dropped=22)


@looped("rows, changes, words", [
    ([OPEN], {"rule": TEST}, f"The test has not decided yet: {EFFECT}"),
    ([OPEN], {"rule": TEST, "is_live": False}, f"Stopped before the test decided: {EFFECT}"),
    ([OPEN], {"rule": TEST, "ruling": Ruling(60, {}, AT_PLANNED), "is_live": False},
     f"The test has not decided in all 60 planned deals: {EFFECT}"),
    ([OPEN], {"rule": TEST, "ruling": Ruling(31, {}, H1), "is_live": False},
     f"Bias is better than Plain, by its test of 0 against +5 points of the win rate: {EFFECT}"),
    ([OPEN], {"rule": REGRESSION, "ruling": Ruling(31, {}, H1), "is_live": False},
     "Bias is not worse than Plain by 10 points of the win rate or more,"
     f" by its test of -10 against 0 points of the win rate: {EFFECT}"),
    ([OPEN], {"rule": REGRESSION, "ruling": Ruling(31, {}, H0), "is_live": False},
     f"Bias is worse than Plain, by its test of -10 against 0 points of the win rate: {EFFECT}"),
    ([OPEN], {"rule": StopSpec("sprt", "normalised", h0=-1.5, h1=5.0), "ruling": Ruling(31, {}, H0), "is_live": False},
     "Bias is not better than Plain by 5 points of normalised Elo or more,"
     f" by its test of -1.50 against +5 points of normalised Elo: {EFFECT}"),
    ([OPEN], {"rule": StopSpec("precision", WIN_RATE, half_width=7.0), "ruling": Ruling(31, {}, PRECISE),
              "level": "61.0 % (55.0 to 67.0)", **ENDED, **ALONE},
     "No difference is shown between Bias and Plain: the first wins 5.0 percentage points more of its matches than the"
     " second (95% interval -1.9 to +11.9, at its end), so a gap of up to 11.9 points could still hide."
     " Its win rate, 61.0 % (55.0 to 67.0), is known within ±7 percentage points, as asked"),
    ([BETTER, GONE], {"rule": RACE, "measure": MARGIN, "ruling": Ruling(31, {2: 22}, BEST, 1), "is_live": False},
     f"Bias is the best of 3 arms: {MORE}; all others but Plain, the baseline, were dropped"),
    ([BETTER, GONE], {"rule": RACE, "measure": MARGIN, "ruling": Ruling(31, {2: 22}, BEST, 1), "is_live": False,
                      "leads": (row("Open", 4.0, 1.0, 7.0), row("Plain", 9.1, 2.4, 15.8))},
     "Bias is the best of 3 arms: it has a margin that is 4.0 points higher than that of Open, the next"
     f" (95% interval +1.0 to +7.0, {AV}), and {MORE}; all others but Plain, the baseline, were dropped"),
    ([row("Level", 0.0, -20.0, 20.0), row("A", None, deals=0), row("B", None, deals=0)],
     {"rule": RACE, "measure": MARGIN},
     "Not decided yet: all 4 arms are left; Level has the same margin as Plain, the baseline"
     f" (95% interval -20.0 to +20.0, {AV})"),
    ([GONE, row("A", None, deals=0)], {"rule": RACE, "measure": MARGIN, "is_live": False},
     "Not decided at the end: 2 of 3 arms are left, but those beside Plain, the baseline, have no deal in common with"
     " it"),
    ([GONE], {"rule": RACE, "measure": MARGIN, "ruling": Ruling(22, {1: 22}, BEST, 0), "is_live": False},
     "Plain, the baseline, is the best of 2 arms; all others were dropped as worse: the next, Open, has a margin that"
     f" is 8.0 points lower than that of Plain (95% interval -14.0 to -2.0, {AV})"),
    ([BETTER, SECOND, GONE], {"rule": RACE, "measure": MARGIN, "ruling": Ruling(None, {3: 22})},
     f"Not decided yet: 3 of 4 arms are left, and Bias leads; {MORE}"),
    ([row("Wild", -3.0, -20.0, 14.0), GONE],
     {"rule": RACE, "measure": MARGIN, "ruling": Ruling(60, {2: 22}, AT_PLANNED), "is_live": False},
     "Not decided at the end: 2 of 3 arms are left, and Plain, the baseline, leads; the next, Wild, has a margin that"
     f" is 3.0 points lower than that of Plain (95% interval -20.0 to +14.0, {AV})"),
])  # fmt: skip
def test_stop_rules(rows: list[Compared], changes: dict[str, Any], words: str) -> None:
    assert said(*rows, **changes) == words


def test_no_sentence_names_a_p() -> None:
    """Nor does any state; words for each."""
    judged = Judged(WIN_RATE, "Plain", is_live=True)
    ended = Judged(WIN_RATE, "Plain", is_live=False)
    tested = Judged(WIN_RATE, "Plain", rule=TEST, ruling=Ruling(31, {}, H1))
    states = [
        (judged, BETTER, ("ok", "better")),
        (judged, WORSE, ("", "worse")),
        (judged, OPEN, ("unsure", "open")),
        (ended, OPEN, ("unsure", "not told apart")),
        (judged, GONE, ("", "dropped at 22")),
        (judged, row("A", 0.0, is_constant=True), ("unsure", "the same")),
        (judged, row("A", 3.0, is_constant=True), ("unsure", "never varied")),
        (judged, row("A", 3.0, deals=1), ("unsure", "too few deals")),
        (judged, row("A", None), ("wait", "no deal yet")),
        (judged, row("A", None, has_failed=True), ("danger", "all failed")),
        (tested, OPEN, ("info", "better")),
        (Judged(WIN_RATE, "Plain", rule=REGRESSION, ruling=Ruling(31, {}, H1)), OPEN, ("info", "no worse")),
        (Judged(WIN_RATE, "Plain", rule=REGRESSION, ruling=Ruling(31, {}, H0)), OPEN, ("info", "worse")),
        (Judged(WIN_RATE, "Plain", rule=TEST), BETTER, ("unsure", "open")),
        (Judged(WIN_RATE, "Plain", rule=TEST, is_live=False), BETTER, ("unsure", "undecided")),
    ]
    for of, shown, words in states:
        assert state(of, shown) == words


def test_a_forest_has_the_baseline_last_and_the_strip_of_the_test() -> None:
    judged = Judged(WIN_RATE, "Plain", (OPEN,), baseline_side=side("Plain"), rule=TEST, is_live=False)
    drawn = forest(judged)
    assert drawn is not None
    assert [shown.side.name for shown in drawn.rows] == ["Bias", "Plain"]
    # the axis goes from -2 to 11.9 and 4 % of that on both sides: ends -2.556 and 12.456
    assert [float(end) for end in (drawn.zero, *drawn.strip)] == [17.03, 17.03, 50.33]
    assert (drawn.rows[0].low, drawn.rows[0].high) == ("4.37", "96.30")
    assert drawn.note == "Grey strip: between the two claims of the test, 0 (“no better”) and 5 (“better”)."
    regression = Judged(WIN_RATE, "Plain", rule=REGRESSION).strip
    assert regression is not None
    assert regression.words.replace(MINUS, "-").endswith("claims of the test, -10 (“worse”) and 0 (“no worse”).")
    assert forest(Judged(WIN_RATE, "Plain", empty="Nothing.")) is None


def test_the_worked_example_of_how_results_are_judged() -> None:
    """Two arms on 100 deals of two matches: 110 and 130 wins, one more in 30 deals, one fewer in 10."""
    page = re.sub(r"\s+", " ", (settings.BASE_DIR / "templates/site/judging.html").read_text()).replace(MINUS, "-")
    plain = np.array([1.0] * 25 + [0.5] * 60 + [0.0] * 15)
    greedy = plain.copy()
    greedy[25:45] += 0.5
    greedy[85:95] += 0.5
    greedy[:10] -= 0.5
    sums = Moments.of(greedy - plain), Moments.of(greedy), Moments.of(plain)
    for method, ended in ((FIXED, ENDED), (AlwaysValid(400), {})):
        one = method.paired_rates(sums, (2, 2), 0, 0.95)
        assert one.mean is not None
        assert one.interval is not None
        low, high = (100 * end for end in one.interval)
        words = said(row("Greedy", 100 * one.mean, low, high), **ended).replace("95%", "95 %")
        assert f"“{words}”" in page
    for values in (greedy, plain):
        blocks = BlockMoments(100, 200, 2 * values.sum(), 4 * (values**2).sum(), 4 * values.sum(), 400)
        found = FIXED.rate(blocks)
        assert found is not None
        assert f"{100 * found.low:.1f} to {100 * found.high:.1f} %" in page
    assert sorted(greedy) == [0.0] * 5 + [0.5] * 60 + [1.0] * 35, "what the page says of Greedy's deals"
    assert (
        "Greedy has won both matches in 35 deals, one in 60 and none in 5; Plain both in 25, one in 60 and none" in page
    )
    blocks = BlockMoments(100, 200, 2 * greedy.sum(), 4 * (greedy**2).sum(), 4 * greedy.sum(), 400)
    share = Share.of_blocks(blocks)
    assert share is not None
    assert f"· (1.960 / 1.984)<sup>2</sup> = {200 * share.weight():.0f}." in page
