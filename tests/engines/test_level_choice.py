"""Levels in even steps: which chain is chosen, what is refused, and what becomes of measurements."""

from __future__ import annotations

import json

import pytest

from engines import ladder, level_choice, levels
from engines.__main__ import main
from engines.ladder import LadderError
from engines.levels import Level, Measurement
from games import data_files, registry


def level(name: str, simulations: int, measured: Measurement | None = None) -> Level:
    budget = {"simulations": simulations}
    return Level(name, name.title(), f"{name}.", "uct", {}, budget, False, against_next=measured)


MEASURED = Measurement(2, ((1, 0, 60), (0, 0, 40)))
LOW, TOP = level("low", 1, MEASURED), level("top", 1000)


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path):
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setattr(type(registry.get("toy")), "folder", tmp_path)
    levels.store("toy", (LOW, TOP))
    yield
    for remembered in (levels.for_game, levels.names):
        remembered.cache_clear()


def store(*rows: dict) -> None:
    lines = json.dumps({"format": level_choice.FORMAT, "game": "toy", "levels": rows})
    data_files.write(registry.get("toy").folder, level_choice.NAME, lines)


def row(name: str, simulations: int, **changes) -> dict:
    one = {"id": name, "label": name.title(), "summary": f"{name}.", "engine": "uct", "options": {}}
    return {**one, "budget": {"simulations": simulations}, **changes}


def report(**ratings: float | None) -> dict:
    """What a ladder of all levels and candidates says."""
    spec = level_choice.spec("toy", 10)
    entries = [{**entry, "elo": ratings[entry["name"]]} for entry in spec["ladder"]["entries"]]
    return {"game": "toy", "entries": entries}


def chosen(**ratings: float | None) -> list[str]:
    return [step["id"] for step in level_choice.choose("toy", report(**ratings))]


def test_a_step_that_is_too_high_is_parted_by_the_candidate_in_its_middle():
    """340 points are 87.6 %; two of 170 are 72.7 % each, and 60 and 280 are 58.5 and 83.4."""
    store(row("near", 2), row("middle", 30))
    found = level_choice.choose("toy", report(low=0.0, near=60.0, middle=170.0, top=340.0))
    assert [step["id"] for step in found] == ["low", "middle", "top"]
    assert [step["won"] for step in found[1:]] == pytest.approx([0.7268, 0.7268], abs=1e-4)
    assert [(step["is_even"], step["is_new"]) for step in found] == [(None, False), (True, True), (True, False)]


def test_an_even_step_stays_as_it_is_and_known_levels_stay():
    store(row("middle", 30))
    assert chosen(low=0.0, middle=90.0, top=180.0) == ["low", "top"]
    levels.store("toy", (LOW, level("known", 20), TOP))
    store(row("better", 30))
    assert chosen(low=0.0, known=140.0, better=170.0, top=340.0) == ["low", "known", "top"]


def test_a_known_level_leaves_where_it_is_no_step_above_the_one_below():
    levels.store("toy", (LOW, level("known", 20), TOP))
    assert chosen(low=0.0, known=30.0, top=200.0) == ["low", "top"]


def test_a_step_that_nothing_parts_is_called_uneven():
    (_, top) = level_choice.choose("toy", report(low=0.0, top=700.0))
    assert (top["is_even"], round(top["won"], 3)) == (False, 0.983)


def test_levels_that_are_taken_keep_what_same_neighbours_had_measured():
    store(row("middle", 30), row("other", 40))
    made = level_choice.take("toy", ["low", "top"])
    assert made[0].against_next == MEASURED
    made = level_choice.take("toy", ["low", "middle", "top"])
    assert [one.against_next for one in made] == [None, None, None], "neighbours are new"
    assert levels.for_game("toy") == tuple(made)
    assert [one.id for one in level_choice.candidates("toy")] == ["other"]
    level_choice.take("toy", ["middle", "top"])
    assert {one.id for one in level_choice.candidates("toy")} == {"other", "low"}, "what leaves may come back"


def test_an_id_is_one_configuration_for_good():
    store(row("low", 2))
    with pytest.raises(LadderError, match="finished matches name it"):
        level_choice.candidates("toy")
    store(row("low", 1))
    assert level_choice.candidates("toy") == ()


def test_what_cannot_be_chosen_from_is_refused():
    store(row("clock", 1, budget={"seconds_per_ply": 1}))
    with pytest.raises(LadderError, match="held to a count"):
        level_choice.candidates("toy")
    store(row("middle", 30))
    with pytest.raises(LadderError, match="no rating: take more"):
        chosen(low=0.0, middle=None, top=100.0)
    with pytest.raises(LadderError, match="no ladder of the levels and candidates"):
        level_choice.choose("toy", {"game": "toy", "entries": []})
    with pytest.raises(LadderError, match="no report of a ladder"):
        level_choice.choose("toy", {"game": "toy"})
    with pytest.raises(LadderError, match="no level or candidate"):
        level_choice.take("toy", ["low", "nobody"])
    with pytest.raises(LadderError, match="stands twice"):
        level_choice.take("toy", ["low", "low"])


def test_the_ladder_has_all_of_them_by_their_ids(capsys):
    spec = level_choice.spec("dominoes", 20)
    names = [entry["name"] for entry in spec["ladder"]["entries"]]
    assert names[: len(levels.for_game("dominoes"))] == [one.id for one in levels.for_game("dominoes")]
    assert [ladder.seat_of(one) for one in levels.for_game("dominoes")] == [
        {key: entry[key] for key in ("engine", "options", "budget")}
        for entry in spec["ladder"]["entries"][: len(levels.for_game("dominoes"))]
    ]
    assert main(["levels", "dominoes", "--candidates", "--deals", "20"]) == 0
    assert json.loads(capsys.readouterr().out) == spec
