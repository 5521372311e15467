"""What pages say about times of moves and about a card that is too good, from results with known numbers."""

from __future__ import annotations

from typing import Any

from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study

TIMES, CARDS = Study(kind="move_time", game="dominion"), Study(kind="unbalanced_card", game="dominion")


def span(moves: int, mean: float | None, deviation: float | None = None) -> dict[str, Any]:
    return {"moves": moves, "mean": mean, "deviation": deviation, "interval": None}


def times(*runs: tuple[str, float | None]) -> dict[str, Any]:
    rows = [
        {"label": label, "all": span(9, mean, 0.5), "early": span(4, mean and 2 * mean), "late": span(5, None)}
        for label, mean in runs
    ]
    return {"matches": 1, "parts": 6, "early": 10, "runs": rows}


def test_times_compare_the_quickest_and_the_slowest() -> None:
    found = times(("UCB", 1.25), ("UCT", 4.5), ("later", None))
    assert pages.finding(TIMES, found) == "A move takes 1.2 s on average with UCB, and 4.5 s with UCT."
    assert [fact.label for fact in pages.facts(TIMES, found)] == ["UCB", "UCT"]
    (section,) = pages.sections(TIMES, found)
    assert section.tables[0].rows[0] == ["UCB", "9", "1.2 s ± 0.50 s", "2.5 s", "", ""]
    assert pages.finding(TIMES, times(("UCB", None))) == ""


def value(coins: int, matches: int, **bought: float) -> dict[str, Any]:
    return {
        "coins": coins,
        "matches": matches,
        "wins": matches // 2,
        "bought": {name: {"mean": mean, "deviation": 1.0} for name, mean in bought.items()},
    }


def test_cards_are_stacked_by_kind_and_listed_each() -> None:
    rows = [
        value(20, 4, Gold=0.5, Woodcutter=4.0, Witch=0.0, Province=6.0, Estate=1.0),
        value(2, 4, Gold=5.0, Woodcutter=0.25, Witch=2.0, Province=4.0, Estate=1.0),
        {"coins": 6, "matches": 0, "wins": 0, "bought": {}},
    ]
    found = {"card": "Woodcutter", "cards": ["Gold", "Estate", "Province", "Woodcutter", "Witch"], "values": rows}
    told = "A Woodcutter is bought 0.2 times a match with 2 coins, and 4.0 times with 20."
    assert pages.finding(CARDS, found) == told
    assert [fact.value for fact in pages.facts(CARDS, found)] == ["4.0"]
    (section,) = pages.sections(CARDS, found)
    (figure,), (table,) = section.figures, section.tables
    assert [(layer["name"], layer["y"]) for layer in figure.data] == [
        ("Treasures", [5.0, 0.5]),
        ("Woodcutter", [0.25, 4.0]),
        ("Other Actions", [2.0, 0.0]),
        ("Victory cards", [5.0, 7.0]),
    ]
    assert table.rows[0] == ["Gold", "5.00", "0.50"]
    assert table.rows[-1] == ["Won", "2", "2"]
    assert figure.rows[0] == ["2", "5.00", "0.25", "2.00", "5.00"]


def test_before_the_first_match_it_says_so() -> None:
    empty = {"card": "Woodcutter", "cards": [], "values": [{"coins": 2, "matches": 0, "wins": 0, "bought": {}}]}
    assert pages.finding(CARDS, empty) == ""
    assert not pages.facts(CARDS, empty)
    assert pages.sections(CARDS, empty)[0].figures[0].empty
