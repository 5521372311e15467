"""What pages say of a tuning, from rows whose numbers are known: no match is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study
from worker.studies import registry as kinds
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.tuning_plan import plan_of

STUDY = Study(kind="tuning", game="kingdomino")
Worth = Callable[[int, int, int], float]
"""Margin of a candidate on a deal of a stage."""


@pytest.fixture(scope="module")
def spec() -> StudySpec:
    parameters = {
        "engine": "uct",
        "values": "c 0.1 to 100 log, epsilon 0 to 0.5",
        "against": "flat_mc",
        "candidates": 4,
        "deals": 32,
        "confirm": 8,
    }
    data = {"version": 1, "study": "tuning", "game": "kingdomino", "parameters": parameters, "seed": 3}
    return specs.from_json(data)


def told(spec: StudySpec, worth: Worth, pieces: int | None = None) -> dict[str, Any]:
    """The result where margins are so; of the first pieces alone where a number is given."""
    kind: Any = kinds.get("tuning")
    rows: dict[int, dict[str, Any]] = {}
    for index, block in enumerate(plan_of(spec).blocks[:pieces]):
        playing = plan_of(spec).playing(rows, block.stage)
        if playing:
            candidate = playing[block.slot]
            deals = range(block.first, block.first + block.deals)
            margins = [worth(candidate, block.stage, deal) for deal in deals]
        else:
            candidate, margins = 0, []
        rows[index] = {
            "stage": block.stage,
            "candidate": candidate,
            "first": block.first,
            "deals": len(margins),
            "margin": margins,
            "win": [float(margin > 0) for margin in margins],
        }
    found: dict[str, Any] = kind.result(spec, rows)
    return found


def by_number(best: float, fresh: float) -> Worth:
    """Candidate 2 shows this margin in the search and another on fresh deals; the start 1, the others -1."""

    def of(candidate: int, stage: int, deal: int) -> float:
        worth = (fresh if stage == 2 else best) if candidate == 2 else 1.0 if candidate == 0 else -1.0
        return worth + (0.5 if deal % 2 else -0.5) * (1 if candidate else 2)

    return of


def test_the_claim_is_that_of_the_fresh_deals(spec: StudySpec) -> None:
    result = told(spec, by_number(9, 4))
    assert result["tuned"] == 2
    said = pages.finding(STUDY, result)
    assert "the best of 4 candidates, is better than the start: +3.0 points of margin (2.6 to 3.4)" in said
    assert said.endswith("on 8 fresh deals.")
    *values, search, confirmed = pages.facts(STUDY, result)
    assert [fact.label for fact in values] == ["Exploration constant C", "Random share of playouts"]
    assert (search.value, confirmed.value) == ("+8.0", "+3.0"), "what the search showed was too good"
    claim, rounds, tried = pages.sections(STUDY, result)
    assert not claim.words, "it stands above"
    assert claim.tables[0].rows[0][:3] == ["Margin", "+4.0", "+1.0"]
    assert [len(figure.rows) for figure in rounds.figures] == [2, 2]
    for figure in rounds.figures:
        json.dumps(figure.to_json(), allow_nan=False)
        assert all(len(row) == len(figure.columns) for row in figure.rows)
        assert figure.legend[-1].label == "is left (dotted)"
    assert rounds.figures[0].layout["yaxis"]["type"] == "log"
    out, on = rounds.figures[0].data[:2]
    assert (len(out["x"]), len(on["x"])) == (3, 3), "two go out, then one; two go on, then the winner is left"
    assert [row[0] for row in tried.tables[0].rows][:2] == ["2, winner", "0, start"]
    assert len(tried.tables[0].rows) == 4, "everything that was tried"


@pytest.mark.parametrize(
    ("fresh", "words"), [(1.0, "is not shown to be better than the start"), (-5.0, "is worse than the start")]
)
def test_a_winner_that_is_not_confirmed_is_not_praised(spec: StudySpec, fresh: float, words: str) -> None:
    assert words in pages.finding(STUDY, told(spec, by_number(9, fresh)))


def test_on_the_way_there_is_no_claim(spec: StudySpec) -> None:
    assert [figure.empty != "" for figure in pages.sections(STUDY, told(spec, by_number(9, 4), 0))[1].figures] == [
        True
    ] * 2
    stages = kinds.get("tuning").stages(spec)  # type: ignore[attr-defined]  # the kind has stages
    for pieces in (1, sum(stages[:2]), sum(stages) - 1):
        result = told(spec, by_number(9, 4), pieces)
        claim, rounds, _ = pages.sections(STUDY, result)
        assert pages.finding(STUDY, result) == ""
        assert "fresh deals" in claim.words[0]
        assert not claim.tables
        assert not rounds.figures[0].empty


def test_a_start_that_wins_is_said(spec: StudySpec) -> None:
    result = told(spec, by_number(-9, 0))
    assert pages.finding(STUDY, result).startswith("Of 4 candidates, the start among them, none was ahead of it")
    assert pages.facts(STUDY, result) == []
    titles = [section.title for section in pages.sections(STUDY, result)]
    assert titles == ["Values by round", "Everything that was tried"], "no empty confirmation"
    assert json.dumps([section.figures[0].to_json() for section in pages.sections(STUDY, result) if section.figures])
