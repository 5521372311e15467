"""The answer in a few words, as rows of lists have it: it says no more than the sentence of the page."""

from __future__ import annotations

from typing import Any

from tests.looping import looped
from tests.webapp.lab.results.test_sentences import ALONE, BETTER, ENDED, OPEN, row, side
from webapp.common.formats import MINUS, THIN
from webapp.lab.results.brief import of_judged
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import Judged
from worker.analysis.stop_rules.model import BEST, H0, MARGIN, PRECISE, WIN_RATE
from worker.looks import Ruling
from worker.spec.stop import StopSpec

WORSE = row("Bias", -9.1, -15.8, -2.4)
TEST = StopSpec(rule="sprt", h0=0, h1=5)
LEAD = row("Next", 3.0, 1.0, 5.0)


@looped(
    "rows, changes, words, detail",
    [
        ([BETTER], {}, "Bias better", "win rate +9.1 (+2.4 to +15.8)"),
        ([WORSE], ENDED, "Plain better", "win rate +9.1 (+2.4 to +15.8)"),
        ([OPEN], {}, "Not told apart yet", "Bias: win rate +5.0 (-1.9 to +11.9)"),
        ([OPEN], ENDED, "Not told apart", "Bias: win rate +5.0 (-1.9 to +11.9)"),
        ([BETTER], {"measure": MARGIN}, "Bias better", "margin +9.1 (+2.4 to +15.8)"),
        ([row("Bias", None, deals=0)], {}, "No answer yet", ""),
        ([row("Bias", 50.0, deals=1)], {}, "Too few deals", "Bias: win rate +50.0"),
        ([row("Bias", 0.0, is_constant=True)], {}, "The same in every deal", "Bias: win rate 0.0"),
        ([BETTER, OPEN], {}, "Bias best of 3", "win rate +9.1 (+2.4 to +15.8)"),
        ([BETTER, OPEN], {"leads": (OPEN,)}, "Bias better", "win rate +9.1 (+2.4 to +15.8)"),
        (
            [WORSE, OPEN],
            {"leads": (LEAD,), "best": "Third", **ALONE},
            "Third best of 3",
            "win rate +3.0 (+1.0 to +5.0)",
        ),
        (
            [WORSE],
            {"rule": TEST, "ruling": Ruling(40, {}, H0)},
            "Bias no better",
            "win rate -9.1 (-15.8 to -2.4), stopped at deal 40",
        ),
        ([OPEN], {"rule": TEST}, "Not decided yet", "Bias: win rate +5.0 (-1.9 to +11.9)"),
        (
            [OPEN],
            {"rule": StopSpec(rule="precision"), "ruling": Ruling(1200, {}, PRECISE), **ENDED},
            "Not told apart",
            "Bias: win rate +5.0 (-1.9 to +11.9), stopped at deal 1 200",
        ),
        (
            [WORSE, OPEN],
            {"rule": StopSpec(rule="best_of"), "ruling": Ruling(90, {}, BEST, 0), **ENDED},
            "Plain best of 3",
            "Bias: win rate +5.0 (-1.9 to +11.9), stopped at deal 90",
        ),
        (
            [],
            {"first_mover": "55.0% (51.0 to 59.0) of the matches that are no draws"},
            "It meets itself",
            "The first seat won 55.0% (51.0 to 59.0)",
        ),
    ],
)
def test_a_verdict_and_the_difference_behind_it(
    rows: list[Compared], changes: dict[str, Any], words: str, detail: str
) -> None:
    judged = Judged(
        changes.get("measure", WIN_RATE),
        "Plain",
        tuple(rows),
        baseline_side=side("Plain"),
        **{key: value for key, value in changes.items() if key != "measure"},
    )
    found = of_judged(judged)
    assert found.words == words
    assert found.detail.replace(THIN, "").replace("\xa0", " ").replace(MINUS, "-") == detail.replace(" 200", "200")
