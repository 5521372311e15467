"""What a ladder says of few deals, of intervals and of charts, without a database."""

from __future__ import annotations

import re
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np
from django.template.loader import render_to_string

from tests.worker.ladders import made_up
from webapp.lab.ladders import words
from webapp.lab.ladders.charts import COLUMNS
from webapp.lab.ladders.forest import Forest, order_words
from webapp.lab.ladders.forest import forest as draw
from webapp.lab.ladders.selectors import State
from worker.analysis.ratings import Ratings
from worker.ladders import report
from worker.ladders.batch import Rows
from worker.ladders.rounds import Step, chunks


def state(deals: tuple[int, ...], levels: tuple[float, ...]) -> State:
    """A ladder whose tables, in their order, played so many deals."""
    spec = made_up.spec_of(len(levels), deals=200)
    assert spec.ladder is not None
    rows, play = Rows(spec), made_up.player(spec, levels)
    for chunk in chunks(spec, [Step(arm, 0, number, "") for arm, number in enumerate(deals) if number]):
        rows.write([play(match) for match in made_up.schedule.match_specs(spec, *chunk)])
    return State(spec, spec.ladder, rows.standing(), {})


def forest(now: State) -> Forest:
    return draw(now, report.ordered(now.standing))


def test_who_has_too_few_deals_for_an_interval_does_not_lead() -> None:
    now = state((40, 5, 0), (0, 100, 900))
    assert words.answer(now) == "No leader yet: Engine 2 has 5 different deals, and an interval takes 10."
    assert forest(now).rows[0].ends == ""
    assert forest(now).rows[0].order.endswith(", few deals")


def test_few_deals_are_said_in_place_of_a_probability() -> None:
    few, many = state((12,), (0, 900)), state((40,), (0, 900))
    assert re.match(r"Engine 1 leads, \d+ points above Engine 0 \(.+\)\. That rests on few deals:", found(few))
    assert found(few).endswith("has 12 different deals.")
    assert "%" not in found(few)
    assert found(many).endswith("more than 99 % sure that it is the stronger.")


def found(now: State) -> str:
    """The sentence with plain spaces."""
    return words.answer(now).replace("\u202f", " ").replace("\xa0", " ")


def test_more_than_99_never_stands_beside_a_rank_of_several() -> None:
    # Five engines a step apart, with normal errors; four others are compared, so a rank needs 99.4 %.
    samples = np.random.default_rng(1).normal(size=(1000, 5))
    seen = set()
    for step in np.arange(2, 6, 0.1):
        elo = step * np.arange(5.0)[::-1]
        known = Ratings(elo, samples + elo, np.full(5, 60))
        now: Any = SimpleNamespace(standing=SimpleNamespace(ratings=known, rated=range(5)))
        said = order_words(now, range(5), 0)
        seen.add((said.startswith("rank 1,"), ">" in said, known.probability_above(0, 1) > 0.99))
    assert seen == {(False, False, False), (False, False, True), (True, True, True)}


def test_ends_of_a_rating_are_an_interval_and_an_arrow_says_that_it_goes_on() -> None:
    now = state((12,), (0, 900))
    drawn = forest(now)
    for row in drawn.rows:
        assert re.fullmatch(r"±[\d\s]+|\(.+ to .+\)", row.ends)
    assert drawn.is_cut
    page = render_to_string("ladders/_forest.html", {"forest": drawn})
    assert 'data-cut="low"' in page
    assert 'data-cut="high"' in page
    assert not forest(state((40,), (0, 600))).rows[0].cut


def test_names_of_the_numbers_of_a_chart_stand_on_the_left() -> None:
    columns = [asdict(column) for column in COLUMNS]
    figure = {"title": "", "columns": columns, "rows": [["Ada", "1 s", "1500", "1 to 2"]], "legend": []}
    page = " ".join(render_to_string("results/chart.html", {"figure": figure}).split())
    assert "<td >Ada</td>" in page
    assert '<td class="num">1500</td>' in page
