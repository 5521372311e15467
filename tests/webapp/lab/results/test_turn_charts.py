"""Charts of turns, decks, rounds and ends: their numbers are those of the matches."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from tests.records import metrics as stored
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.results import queries
from webapp.lab.results.charts import kinds, registry
from webapp.lab.results.charts.figure import Figure
from webapp.records.models import Seat

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})
Rows = list[dict[str, float]]


def figure(made: Any, chart_id: str, choice: int = 0) -> Figure:
    return registry.get(chart_id).build(made, choice)


def metrics(made: Any, *places: int) -> Rows:
    found = Seat.objects.filter(match__experiment=made, lineup_index__in=places)
    return stored.of_all(found)


def mean(rows: Rows, name: str) -> float:
    return fmean(row[name] for row in rows if name in row)


def cells(shown: Figure, first: str, second: str = "") -> list[str]:
    """The row of the table that begins with the one, and has the other in one of the next two columns."""
    return next(row for row in shown.rows if row[0] == first and (not second or second in row[1:3]))


def test_charts_of_a_dominion_experiment(alice: Any) -> None:
    made = factory.played(alice, deals=3, game="dominion", options={"turn_limit": 12})
    rows = metrics(made, 0)

    gained = figure(made, "cards-gained")
    copper = [row for row in gained.rows if row[0] == "Copper"]
    assert copper, "random players take Coppers"
    for _, _, span, turns, rate, _ in copper:
        k = [f"{1 + 2 * i} to {2 + 2 * i}" for i in range(6)].index(span)
        assert int(turns) == sum(row[f"turns_{k}"] for row in rows)
        assert float(rate) == pytest.approx(sum(row[f"gained_copper_{k}"] for row in rows) / int(turns), abs=0.005)
    everything = {row.split("_", 1)[1].rsplit("_", 1)[0] for row in rows[0] if row.startswith("gained_")}
    sums = {card: sum(row[f"gained_{card}_{k}"] for row in rows for k in range(10)) for card in everything}
    shown = [card.lower() for card in gained.data[0]["y"]]
    assert [sums[card] for card in shown] == sorted((n for n in sums.values() if n), reverse=True), "most gained first"

    decks = figure(made, "deck-by-turn")
    assert float(cells(decks, "Treasure", "7")[4]) == pytest.approx(mean(rows, "owned_treasure_turn_7"), abs=0.005)
    other = figure(made, "deck-by-turn", 1)
    assert float(cells(other, "Treasure", "7")[4]) == pytest.approx(
        mean(metrics(made, 1), "owned_treasure_turn_7"), abs=0.005
    )

    lead = figure(made, "lead-by-turn")
    ours, theirs = [trace["y"] for trace in lead.data[2:]]
    assert ours == pytest.approx([-value for value in theirs]), "of two seats, what one is ahead the other is behind"
    assert ours[-1] == pytest.approx(mean(rows, f"lead_turn_{len(ours)}"))

    ended = figure(made, "how-it-ended")
    assert ended.title == "How matches ended"
    assert cells(ended, "A limit")[2] == f"{100 * mean(rows, 'end_limit'):.2f}"
    length = figure(made, "length")
    assert {row[0]: int(row[1]) for row in length.rows if row[1] != "0"} == {
        f"{n:.0f}": [row["turns"] for row in rows].count(n) for n in {row["turns"] for row in rows}
    }

    seats = figure(made, "by-seat")
    won = Seat.objects.filter(experiment=made, lineup_index=0, seat=1, result="win").count()
    assert cells(seats, seats.rows[0][0], "Second seat")[3:5] == ["3", str(won)]


def test_turns_that_few_matches_had_are_left_out(alice: Any) -> None:
    made = factory.played(alice, deals=6, game="dominion", options={"turn_limit": 5})
    long = Seat.objects.filter(match=made.matches.first())
    for row in long:
        stored.put(row, stored.of(row) | {"coins_turn_6": 9.0})
    shown = figure(made, "coins-by-turn")
    assert "6" not in {row[1] for row in shown.rows}
    assert {row[2] for row in shown.rows if row[1] == "5"} == {"12"}


def test_charts_of_rounds_count_rounds_and_partners_once(alice: Any) -> None:
    made = factory.played(alice, [[GREEDY, RANDOM, RANDOM, RANDOM]], deals=3, game="dominoes")
    team, pair = metrics(made, 0), metrics(made, 1, 3)

    opener = figure(made, "opener")
    share = sum(row["team_opened_won"] for row in team) / sum(row["team_opened"] for row in team)
    assert float(cells(opener, "Own team opened", "greedy + Random")[2]) == pytest.approx(100 * share, abs=0.005)
    assert "Shares are of rounds; the deal is the unit of their intervals." in opener.note

    passes = figure(made, "passes")
    assert len({row[1] for row in passes.rows}) == 3, "the greedy seat, its partner, and both others together"
    name = "2 \N{MULTIPLICATION SIGN} Random"
    assert float(cells(passes, "Own", name)[2]) == pytest.approx(mean(pair, "passes"), abs=0.005)

    ended = figure(made, "how-it-ended")
    assert ended.title == "How rounds ended"
    blocked = sum(row["ended_block"] for row in team) / len(team)
    assert cells(ended, "Block")[2] == f"{100 * blocked:.2f}"

    belief = figure(made, "belief-by-turn")
    every = metrics(made, 0, 1, 2, 3)
    for kind, name in (("Exact posterior", "belief_turn_2"), ("The paper's", "belief_paper_turn_2")):
        assert -float(cells(belief, kind, "2")[4].lstrip("\u2212")) == pytest.approx(mean(every, name), abs=0.005)
    assert "12 matches (a single round)" in belief.subtitle
    assert "score-by-round" not in {chart.id for chart in registry.fitting_charts(made)}


def test_more_metrics_than_one_statement_takes(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = factory.played(alice, deals=2, game="dominion", options={"turn_limit": 3})
    pairs = tuple((name, None) for name in ("turns", "owned", "coins_mean"))
    at_once = queries.metric_blocks(made, 0, [(0,), (1,)], pairs, kinds.NO_LIMIT)
    monkeypatch.setattr(queries, "MAX_PAIRS", 2)
    assert queries.metric_blocks(made, 0, [(0,), (1,)], pairs, kinds.NO_LIMIT) == at_once
    assert queries.metric_blocks(made, 0, [(0, 1)], pairs, 1)[0][0].n == 4


def test_charts_of_many_matches_are_of_the_first_ones_and_say_so(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = factory.played(alice, deals=3, game="kingdomino")
    monkeypatch.setattr(kinds, "MOST", 4)
    shown = figure(made, "points")
    assert "6 matches in all, here those of the first 2 deals." in shown.subtitle
    rows = stored.of_all(Seat.objects.filter(experiment=made, lineup_index=0, deal__lt=2))
    assert float(cells(shown, "Forest")[2]) == pytest.approx(fmean(row["points_forest"] for row in rows), abs=0.005)
