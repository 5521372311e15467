"""Charts, cards, sentences and `stats` of stop rules by an independent computation from the exported CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.records import ruled
from tests.webapp.lab.results import read_page, recomputed, recomputed_rules
from tests.webapp.lab.results.expected_page import Page, fixed, signed
from tests.webapp.lab.results.recomputed import Export
from tests.webapp.lab.results.test_recomputed import Played, fetched, stats
from tests.webapp.lab.results.test_stop_rule import made_of
from webapp.sharing import card

pytestmark = pytest.mark.django_db(transaction=True)
Line = list[str]
FAR = pytest.mark.slow
PLANNED = 70


def apart(export: Export, arm: int, other: int = 0) -> list[float]:
    """Margin of an arm less that of another, deal by deal."""
    ours, theirs = export.pair(arm, other, recomputed.of("margin"))
    return [float(np.mean(one) - np.mean(two)) for one, two in zip(ours, theirs, strict=True)]


def drawn(played: Played) -> dict[str, tuple[list[float], list[float]]]:
    """Deals and values of each line of the chart, by the name in its labels."""
    figure = played.client.get(f"/experiments/{played.made.pk}/charts/stop-rule.json").json()
    lines = [trace for trace in figure["data"] if trace.get("hovertemplate")]
    return {trace["hovertemplate"].partition("<extra>")[2][:-8]: (trace["x"], trace["y"]) for trace in lines}


@pytest.mark.long
@pytest.mark.parametrize(
    ("h0", "h1", "levels", "ended"),
    [
        (-1.0, 2.0, [0, 0], "h1 llr"),
        pytest.param(-3.0, 0.0, [0, 25], "h1 beyond", marks=FAR),
        pytest.param(-1.0, 1.0, [0, -11], "h0 beyond", marks=FAR),
        pytest.param(-0.25, 0.0, [0, 0], "", marks=FAR),
    ],
)
def test_a_sequential_test(
    alice: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    h0: float,
    h1: float,
    levels: list[int],
    ended: str,
) -> None:
    """Two matches fail, so two deals are in no number; where a test ends, what was played beyond is not either."""
    rule = {"rule": "sprt", "on": "margin", "h0": h0, "h1": h1}
    played = fetched(made_of(alice, ruled.spec_of(rule, 2, deals=PLANNED), levels), alice)
    whole, numbers = apart(Export(played.csv), 1), Export(played.csv).common(1, 0)
    looks = recomputed_rules.looks_of_test(whole, h0, h1)
    last, deals = looks[-1], len(looks)
    until = numbers[deals - 1] + 1 if ended else PLANNED
    assert last.ended == ended
    outcome = played.made.outcome or {}
    reason, by = ended.split() if ended else ("planned", "")
    assert (outcome["deals"], outcome["reason"], outcome["by"]) == (until, reason, by)
    check_course(played, looks)
    page = Page(Export(played.csv, last=until), arms=2, sides=2, planned=PLANNED, on="margin")
    found = recomputed.every_look_difference(*page.both(page.pairs[0], page.points), PLANNED, 0.95)
    assert found
    words = [signed(float(np.mean(whole[:deals]))), *(signed(end) for end in found)]
    check_head(played, words, [page.level((1, 0)), page.level((0, 0))], deals)
    facts = [[signed(last.ratio, 2)], [signed(last.lower, 2), signed(last.upper, 2)]]
    facts += [[signed(last.alone, 2)], [signed(last.least, 2), signed(last.most, 2)]]
    said = read_page.lines(played.html, "stop")
    assert said[1:] == [[str(deals), str(PLANNED)], *facts]
    assert str(until) in said[0]
    path = tmp_path / "matches.csv"
    path.write_text(played.csv)
    arms = ["--arm", "0", "--arm", "1", "--baseline", "0"]
    answer = stats("sprt", path, capsys, "--on", "margin", f"--h0={h0}", f"--h1={h1}", *arms)
    assert (answer["accepted"], answer["ended_after"]) == ((reason, deals) if ended else (None, None))
    assert answer["estimate"]["value"] == pytest.approx(np.mean(whole[:deals]))
    assert answer["estimate"]["leans_outward_by"] == (pytest.approx((h1 - h0) / 4) if ended else None)
    leaning = f"{(h1 - h0) / 4:.2f} points, on average"
    assert all((leaning in html) == bool(ended) for html in (played.html, played.shared))
    assert (f"lean outward, by about {(h1 - h0) / 4:.2f}" in card.svg(played.preview.card)) == bool(ended)
    assert answer["llr"] == pytest.approx(last.ratio, abs=1e-6)
    assert answer["bounds"] == pytest.approx([last.lower, last.upper], abs=1e-6)
    assert answer["against_one_claim"] == pytest.approx(last.alone, abs=1e-6)
    assert answer["bounds_against_one_claim"] == pytest.approx([last.least, last.most], abs=1e-6)


def check_course(played: Played, looks: list[recomputed_rules.Look]) -> None:
    """Each line of the chart after each deal, and the table below it."""
    names = ("ratio", "lower bound", "upper bound", "against one claim", "its lower bound", "its upper bound")
    fields = ("ratio", "lower", "upper", "alone", "least", "most")
    lines, numbers = drawn(played), list(range(1, len(looks) + 1))
    assert list(lines) == list(names)
    for name, field in zip(names, fields, strict=True):
        x, y = lines[name]
        assert x == numbers
        assert y == pytest.approx([getattr(look, field) for look in looks], abs=1e-6), name
    shown = played.chart("stop-rule")
    assert shown[-1][0] == str(len(looks))
    for line in shown:
        look = looks[int(line[0]) - 1]
        assert line[1:] == [fixed(getattr(look, field), 2) for field in fields]


def check_head(played: Played, words: Line, levels: Line, deals: int) -> None:
    """The sentence and the forest, on both pages: a difference with its interval, and how each arm did."""
    for html in (played.html, played.shared):
        sentence, under, *forest = read_page.lines(html, "result")
        assert sentence[-5:] == [words[0].lstrip("+\u2212"), "0", "95", *words[1:]]
        assert under[0] == str(deals)
        assert forest[:3] == [["95"], ["1", levels[0], *words], ["0", levels[1], "0"]]
    assert set(words[1:]) <= set(read_page.numbers(played.preview.description))


@FAR
def test_a_race(alice: Any) -> None:
    """Three arms, of which one is dropped and another one wins."""
    played = fetched(made_of(alice, ruled.spec_of(ruled.BEST_OF, 3, deals=PLANNED), [0, -2, 3]), alice)
    every = Export(played.csv)
    numbers = [deal for deal in every.common(1, 0) if deal in every.whole[2]]
    margins = {
        arm: [
            float(np.mean(deal))
            for number, deal in zip(every.whole[arm], every.deals(arm, 0, recomputed.of("margin")), strict=True)
            if number in numbers
        ]
        for arm in range(3)
    }
    race = recomputed_rules.raced(margins, PLANNED)
    assert race.ended
    assert list(race.dropped) == [1]
    outcome = played.made.outcome or {}
    assert outcome["dropped"] == {"1": numbers[race.dropped[1] - 1] + 1}
    assert (outcome["deals"], outcome["arm"]) == (numbers[race.ended - 1] + 1, race.best)
    lines, level, ends = drawn(played), 0.05 / 3, {}
    for arm, last in ((1, race.dropped[1]), (2, race.ended)):
        values = np.subtract(margins[arm], margins[0])[:last].tolist()
        known = [(i + 1, found) for i, found in enumerate(recomputed.sequence(values, PLANNED, level)) if found]
        for k, name in enumerate(("from", "to")):
            x, y = lines[f"Arm {arm}, {name}"]
            assert x == [deals for deals, _ in known]
            assert y == pytest.approx([found[k] for _, found in known], rel=1e-6)
        ends[arm] = [signed(float(np.mean(values))), *(signed(end) for end in known[-1][1])]
    gone, left = str(outcome["dropped"]["1"]), str(race.ended)
    for html in (played.html, played.shared):
        sentence, under, *forest = read_page.lines(html, "result")
        assert sentence == ["2", "3", ends[2][0].lstrip("+"), "0", "95", *ends[2][1:], "0"]
        assert under == [left, "95"]
        own = [_counted(played, arm).deals(arm, 0, recomputed.of("margin")) for arm in range(3)]
        levels = [signed(recomputed.mean(deals)) for deals in own]
        assert forest[1:] == [["1", levels[1], "2", *ends[1], gone], ["2", levels[2], *ends[2]], ["0", levels[0], "0"]]
        said = read_page.lines(html, "stop")
        assert said == [[str(outcome["deals"]), "2", "1", gone, "5.0"], [left, str(PLANNED)], ["2", "3"]]


def _counted(played: Played, arm: int) -> Export:
    """The export up to the deal at which an arm was dropped, or the race ended."""
    outcome = played.made.outcome or {}
    return Export(played.csv, last=outcome["dropped"].get(str(arm), outcome["deals"]))
