"""What pages say about playout speed, from results with known numbers."""

from __future__ import annotations

from typing import Any

from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study

STUDY = Study(kind="playout_speed", game="kingdomino")


def row(ply: int, per_s: float) -> dict[str, Any]:
    return {"ply": ply, "matches": 20, "per_s": per_s, "deviation": 9.0, "interval": [-per_s, 3 * per_s]}


def result(missing: int = 0, **runs: list[float]) -> dict[str, Any]:
    rows = [
        {"label": name, "policy": "tr", "epsilon": 0.0, "plies": [row(i, rate) for i, rate in enumerate(rates, 1)]}
        for name, rates in runs.items()
    ]
    return {"matches": 20, "seconds": 0.1, "missing": missing, "runs": rows}


def test_the_finding_compares_the_fastest_and_the_slowest_from_the_start() -> None:
    found = result(fg=[4000.0, 30_000.0], tr=[90_000.0, 900_000.0], late=[])
    assert pages.finding(STUDY, found) == (
        "At the start of a match tr makes 90\u202f000 playouts a second, 22 times as many as fg."
    )
    assert pages.finding(STUDY, result(fg=[1.0])) == ""
    assert [(fact.label, fact.value) for fact in pages.facts(STUDY, found)] == [
        ("tr", "90\u202f000/s"),
        ("fg", "4\u202f000/s"),
    ]


def test_a_line_for_each_policy_with_a_band_above_zero() -> None:
    (section,) = pages.sections(STUDY, result(3, fg=[4000.0, 30_000.0], tr=[90_000.0, 900_000.0]))
    (figure,) = section.figures
    band, line = figure.data[:2]
    assert (line["x"], line["y"]) == ([1, 2], [4000.0, 30_000.0])
    assert min(band["y"]) == 400  # a tenth of the least, where the interval goes below zero
    assert figure.rows[1] == ["fg", "2", "20", "30\u202f000", "\u221230\u202f000 to 90\u202f000"]
    assert "3 measurements are not done." in section.notes


def test_before_the_first_measurement_it_says_so() -> None:
    assert pages.sections(STUDY, result(fg=[]))[0].figures[0].empty
