"""What pages say about regret, from results with known numbers."""

from __future__ import annotations

from typing import Any

from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study

STUDY = Study(kind="regret", game="kingdomino")


def player(name: str, mean: float | None) -> dict[str, Any]:
    loss = {"mean": mean, "interval": None if mean is None else [mean - 0.25, mean + 0.25]}
    return {"name": name, "loss": loss, "best": {"value": 0.5, "interval": [0.36, 0.64]}}


def result(*players: dict[str, Any]) -> dict[str, Any]:
    return {"positions": 50, "playouts": 1000, "by": "Expert", "legal": 31.4, "players": list(players)}


def test_the_finding_names_who_gives_away_least() -> None:
    found = result(player("Easy", 3.5), player("Master", 0.5))
    assert pages.finding(STUDY, found) == (
        "Master gives away least, 0.50 points a decision (0.25 to 0.75) over 50 positions."
    )
    assert [(fact.label, fact.value) for fact in pages.facts(STUDY, found)] == [
        ("Positions", "50"),
        ("Legal actions", "31.4"),
    ]


def test_a_bar_for_each_player_with_its_interval_and_a_table() -> None:
    (section,) = pages.sections(STUDY, result(player("Easy", 3.5), player("Master", 0.5)))
    (figure,) = section.figures
    assert figure.title != section.title, "it would stand twice, one below the other"
    (bars,) = figure.data
    assert (bars["x"], bars["y"]) == (["Easy", "Master"], [3.5, 0.5])
    assert bars["error_y"]["array"] == bars["error_y"]["arrayminus"] == [0.25, 0.25]
    assert figure.rows[1] == ["Master", "0.50", "0.25 to 0.75", "50\u202f%", "36 to 64"]
    assert "as Expert does" in section.notes[0]


def test_before_figures_there_are_words_instead() -> None:
    (section,) = pages.sections(STUDY, result(player("Easy", None)))
    assert section.figures[0].empty
    assert pages.finding(STUDY, result(player("Easy", None))) == ""
