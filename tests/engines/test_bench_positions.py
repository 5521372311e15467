"""The stored positions: legal, as they say they are, and played anew byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import __main__ as command_line
from engines import bench_positions
from games import data_files
from games import registry as game_registry
from games.protocol import CHANCE
from tests.games import walks
from tests.looping import looped

SAMPLE = (1, 10, 31, 38, 50)
"""Positions that are played anew here: all fifty take half a minute (the command does it)."""


def plies(game: Any, position: bench_positions.Position) -> int:
    """Actions in a history, chance left out."""
    state, made = game.initial_state(game.options(), position.seats), 0
    for number in position.history:
        made += game.current_player(state) != CHANCE
        state = game.apply(state, number)
    return made


def test_carcassonne_has_fifty_in_the_mix_of_the_thesis() -> None:
    stored = bench_positions.load("carcassonne")
    assert [position.number for position in stored] == list(range(1, 51))
    assert Counter(position.phase for position in stored) == {"opening": 15, "middle": 20, "end": 15}
    for phase in bench_positions.PHASES:
        standings = Counter(position.standing for position in stored if position.phase == phase)
        assert min(standings[standing] for standing in bench_positions.STANDINGS) >= 5
    assert stored[30].phase == "opening", "table 6.7 is about position 31, of the beginning"
    assert len({position.history for position in stored}) == 50


@pytest.mark.long
@looped("position", lambda: bench_positions.load("carcassonne"))
def test_a_stored_position_is_legal_and_stands_as_it_says(position: bench_positions.Position, carcassonne: Any) -> None:
    state = position.state(carcassonne)
    seat = carcassonne.current_player(state)
    assert seat in (0, 1), "a tile is drawn and a seat is on turn"
    assert len(carcassonne.legal_actions(state)) >= 2
    share = plies(carcassonne, position) / 71
    low, high = {"opening": (0.0, 0.31), "middle": (0.34, 0.66), "end": (0.69, 0.98)}[position.phase]
    assert low < share < high
    points = carcassonne.projected_scores(state)
    margin = points[seat] - points[1 - seat]
    lead = {"opening": 6, "middle": 12, "end": 18}[position.phase]
    assert {"ahead": margin >= lead, "level": abs(margin) <= 2, "behind": margin <= -lead}[position.standing]


def test_meeples_are_left_to_place_in_most_of_them(carcassonne: Any) -> None:
    """Move orders go by meeples: positions without any would compare nothing."""
    with_meeple = [
        position.number
        for position in bench_positions.load("carcassonne")
        if any(
            "field" in carcassonne.notation(state, int(a)) or "city" in carcassonne.notation(state, int(a))
            for state in [position.state(carcassonne)]
            for a in carcassonne.legal_actions(state)
        )
    ]
    assert len(with_meeple) >= 30


@pytest.mark.long
def test_playing_them_anew_gives_the_same_positions(carcassonne: Any) -> None:
    stored = bench_positions.load("carcassonne")
    for number in SAMPLE:
        made = bench_positions.make_one(carcassonne, number)
        later = made.options.keys() - stored[number - 1].options.keys()
        assert {name: made.options[name] for name in later} == {"farmers": "on"}, "rules that came later, as they were"
        assert replace(made, options=stored[number - 1].options) == stored[number - 1]


def test_the_file_is_what_the_positions_spell() -> None:
    path = data_files.path(game_registry.get("carcassonne").folder, bench_positions.NAME)
    assert path.read_text(encoding="utf-8") == bench_positions.text(bench_positions.load("carcassonne"))


def test_another_seed_gives_other_positions(carcassonne: Any) -> None:
    assert bench_positions.make_one(carcassonne, 1, seed=1) != bench_positions.make_one(carcassonne, 1)


def test_the_word_for_a_margin() -> None:
    words = {margin: bench_positions.standing_of(margin, "opening") for margin in (-6, -5, -3, -2, 0, 2, 3, 5, 6)}
    assert words == {
        -6: "behind", -5: None, -3: None, -2: "level", 0: "level", 2: "level", 3: None, 5: None, 6: "ahead",
    }  # fmt: skip
    assert bench_positions.standing_of(12, "middle") == "ahead"
    assert bench_positions.standing_of(12, "end") is None


def test_games_without_stored_positions_have_none() -> None:
    assert bench_positions.load("toy") == ()
    with pytest.raises(ValueError, match="no positions of Cards are stored"):
        bench_positions.states(walks.game_of("toy"))
    assert bench_positions.game_ids() == ("carcassonne",)


def test_the_command_writes_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_positions, "COUNT", 2)
    out = tmp_path / "positions.json"
    assert command_line.main(["positions", "carcassonne", "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert command_line.main(["positions", "carcassonne"]) == 0
    assert capsys.readouterr().out == out.read_text(encoding="utf-8")
    stored = bench_positions.load("carcassonne")
    rows = json.loads(out.read_text(encoding="utf-8"))["positions"]
    assert [tuple(row["history"]) for row in rows] == [stored[0].history, stored[1].history]


def test_engines_are_measured_on_the_stored_positions(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "carcassonne", "random", "--stored"]
    assert command_line.main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 50


def test_a_game_without_stored_positions_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    assert command_line.main(["bench", "toy", "random", "--stored"]) == 1
    assert "no positions of Cards are stored" in json.loads(capsys.readouterr().out)["error"]


def test_positions_that_never_come_up_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_positions, "MAX_ATTEMPTS", 2)
    monkeypatch.setattr(bench_positions, "LEADS", {"opening": 1000, "middle": 1000, "end": 1000})
    with pytest.raises(ValueError, match="Cards: no opening with the seat on turn ahead in 2 matches"):
        bench_positions.make_one(walks.game_of("toy"), 1)
