"""What pages say about deals, beliefs, and rounds beside matches, from results with known numbers."""

from __future__ import annotations

from typing import Any

from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study
from worker.studies import registry as kinds
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec


def empty(kind: str, **parameters: Any) -> tuple[Study, dict[str, Any]]:
    data = {"version": 1, "study": kind, "game": "dominoes", "parameters": parameters}
    spec: StudySpec = specs.from_json(data)
    return Study(kind=kind, game="dominoes"), kinds.get(kind).result(spec, {})


def test_before_anything_is_known_pages_say_so() -> None:
    for kind in ("deal_luck", "belief_quality", "ladder"):
        study, result = empty(kind)
        assert pages.finding(study, result) == ""
        figures = [figure for section in pages.sections(study, result) for figure in section.figures]
        assert figures
        assert all(figure.empty for figure in figures)


def test_deals_and_what_becomes_of_them() -> None:
    study, result = empty("deal_luck", one="pimc")
    mean = {"mean": 4.0, "interval": [2.0, 6.0]}
    result |= {
        "rounds": 40,
        "worth": {
            **mean,
            "deals": 20,
            "deviation": 25.0,
            "won": 12,
            "lost": 7,
            "classes": [{"points": 10, "deals": 20}],
        },
        "correlation": {"r": 0.5, "interval": [0.1, 0.8], "slope": 0.7, "share": 0.25},
        "favoured": {"rounds": 30, "won": 21},
        "unsolved": 3,
        "margin": mean,
        "deviation": {"played": 25.0, "rest": 20.0},
        "classes": [{"points": -10, "rounds": 20, "won": 5, **mean}, {"points": 10, "rounds": 20, "won": 15, **mean}],
    }
    assert pages.finding(study, result) == (
        "The deal accounts for 25\u202f% of the variance of a round's points between PIMC 5, 1/3, 50 worlds and Greedy."
    )
    assert [fact.value for fact in pages.facts(study, result)] == ["25\u202f%", "0.50", "70\u202f%", "± 25.0"]
    worths, points = (section.figures[0] for section in pages.sections(study, result))
    assert "12 of 20 deals" in worths.name
    assert ["Rounds left out, too long to be solved", "3", ""] in pages.sections(study, result)[1].tables[0].rows
    assert points.rows[0] == ["\u221210", "20", "25.0\u202f%", "+4.0", "2.0 to 6.0"]


def test_beliefs_by_ply_and_calibrated() -> None:
    study, result = empty("belief_quality")
    told = {"n": 9, "mean": 3.0, "interval": [2.5, 3.5]}
    for row in result["players"][0]["beliefs"]:
        row |= {"plies": [told, told], "loss": told, "gain": {**told, "mean": 0.25}, "error": 0.02}
        row["classes"] = [{"n": 100, "predicted": 0.25, "came": 0.3}, {"n": 5, "predicted": 0.5, "came": 1.0}]
    result["players"][0]["rounds"] = 9
    result["players"][0]["beliefs"][-1]["loss"] = {**told, "mean": 2.0}
    assert "Fitted play: the best belief where all play as Greedy, 2.00 nats" in pages.finding(study, result)
    losses, calibration = pages.sections(study, result)[0].figures
    assert losses.rows[0] == ["The paper's belief", "1", "9", "3.00", "2.50 to 3.50"]
    assert calibration.rows[0] == ["The paper's belief", "100", "25.0\u202f%", "30.0\u202f%"]
    assert len(calibration.rows) == 5  # five chances are too few to be drawn


def test_rounds_and_matches_stand_side_by_side() -> None:
    study, result = empty("ladder", one="ismcts", other="pimc")
    (pair,) = result["pairs"]
    for unit, value in (("round", 0.6), ("match", 0.8)):
        pair[unit] |= {
            "wins": 60,
            "draws": 0,
            "losses": 40,
            "won": {"value": value, "interval": [value - 0.1, value + 0.1]},
        }
        pair[unit]["points"] = {"mean": 3.0, "interval": [1.0, 5.0]}
    pair["decision_s"] = [0.001, 0.002]
    assert pages.finding(study, result) == (
        "ISMCTS, 300 simulations v PIMC 5, 1/3, 50 worlds: 60.0\u202f% of the rounds won, 80.0\u202f% of the matches."
    )
    assert [fact.value for fact in pages.facts(study, result)] == ["60.0\u202f%", "80.0\u202f%"]
    (section,) = pages.sections(study, result)
    rounds, matches = section.figures[0].data
    assert (rounds["x"], matches["x"]) == ([60.0], [80.0])
    assert section.figures[0].rows[1][-2:] == ["80.0\u202f%", "70.0 to 90.0"]
    assert section.tables[0].rows[0][1:] == ["+3.0 (1.0 to 5.0)", "+3.0 (1.0 to 5.0)", "1.00", "2.00"]
