"""Names and marks of who plays."""

from __future__ import annotations

from typing import Any

from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results.sides import Side, configuration_words, lineups
from webapp.lab.results.teams import TIMES
from webapp.records.models import Experiment

GREEDY = seat("scripted", {"policy": "greedy"})


def _experiment(*rows: list[dict[str, Any]]) -> Experiment:
    arms = [{"name": f"Arm {i}", "seats": row} for i, row in enumerate(rows)]
    return Experiment(game="carcassonne", spec={"arms": arms})


def _compared(*rows: list[dict[str, Any]], chosen: int | None = None) -> list[Side]:
    found = lineups(_experiment(*rows), chosen=chosen)
    return [found.focal(arm) for arm in range(len(rows))]


def test_in_one_arm_every_place_has_its_own_mark() -> None:
    (row,) = lineups(_experiment([FLAT, RANDOM])).sides
    assert [side.mark for side in row] == [0, 1]
    assert [side.name for side in row] == ["Flat Monte Carlo", "Random"]


def test_between_arms_the_opponent_common_to_all_is_grey() -> None:
    found = lineups(_experiment([FLAT, RANDOM], [GREEDY, RANDOM]))
    assert [found.focal(arm).mark for arm in (0, 1)] == [0, 1]
    assert [found.focal(arm).name for arm in (0, 1)] == ["Arm 0", "Arm 1"]
    assert {row[1].mark for row in found.sides} == {None}
    assert found.opponents == "Random"


def test_the_engine_that_differs_is_compared_wherever_it_stands() -> None:
    found = lineups(_experiment([RANDOM, FLAT], [RANDOM, GREEDY]))
    assert found.focus == 1
    assert found.focal(0).place == 1


def test_more_arms_than_marks_are_grey_but_for_the_chosen_one() -> None:
    rows = [[seat("flat_mc", budget={"playouts": n}), RANDOM] for n in range(1, 8)]
    assert {side.mark for side in _compared(*rows)} == {None}
    assert [side.mark for side in _compared(*rows, chosen=3)].count(0) == 1


def test_the_opponents_of_an_arm_look_different_from_each_other() -> None:
    for num_arms in range(2, 8):
        rows = [[RANDOM, seat("flat_mc", budget={"playouts": n}), GREEDY, FLAT, RANDOM] for n in range(num_arms)]
        marks = [side.mark for side in lineups(_experiment(*rows), chosen=1).sides[1]]
        assert len(set(marks)) == 5, num_arms
        assert marks[0] is None, "the first opponent stays grey"
    three = [[seat("flat_mc", budget={"playouts": n}), RANDOM, GREEDY] for n in range(3)]
    assert [side.mark for side in lineups(_experiment(*three)).sides[2]] == [2, None, 3], "no other arm's mark"


def test_namesakes_are_told_apart_by_what_differs() -> None:
    weak, strong = seat("flat_mc", budget={"playouts": 10}), seat("flat_mc", budget={"playouts": 90})
    names = [side.name for side in lineups(_experiment([weak, strong])).sides[0]]
    assert names == ["Flat Monte Carlo, 10 playouts a ply", "Flat Monte Carlo, 90 playouts a ply"]


def test_twins_are_told_apart_by_a_number() -> None:
    assert [side.name for side in lineups(_experiment([RANDOM, RANDOM])).sides[0]] == [
        "Random, copy 1",
        "Random, copy 2",
    ]


def test_copies_beside_others_are_counted_by_themselves_and_share_their_kind() -> None:
    (row,) = lineups(_experiment([FLAT, RANDOM, GREEDY, RANDOM])).sides
    assert [side.name for side in row] == [
        "Flat Monte Carlo",
        "Random, copy 1",
        "Scripted policy: greedy",
        "Random, copy 2",
    ]
    assert [side.kind for side in row] == ["Flat Monte Carlo", "Random", "greedy", "Random"]


def test_a_team_keeps_the_name_of_an_engine_that_has_several_options() -> None:
    """Of Scripted policy the policy is enough. A third that a form wrote in twelve digits is still the default."""
    ims, other = seat("ims", {"beta": 0.333333333333}), seat("ims", {"alpha": 3.0})
    found = lineups(Experiment(game="dominoes", spec={"arms": [{"name": "", "seats": [ims, GREEDY, ims, other]}]}))
    assert [side.name for side in found.parties[0]] == [
        f"2 {TIMES} Imperfect minimax",
        "greedy + Imperfect minimax: Alpha 3",
    ]


def test_a_description_names_options_off_their_default_and_the_budget() -> None:
    assert configuration_words(GREEDY) == ["Scripted policy: greedy"]
    assert configuration_words(seat("ims")) == ["Imperfect minimax"]
    assert configuration_words(seat("ims", {"alpha": 3.0, "tile_worth": 2})) == [
        "Imperfect minimax: Alpha 3, Points a tile 2"
    ]
    assert configuration_words(seat("flat_mc", {"utility": "wdl"}, {"playouts": 9}))[1] == "win, draw or loss"
    assert configuration_words(seat("flat_mc", budget={"seconds_per_ply": 0.05}))[-1] == "0.05 s a ply"
    assert (
        configuration_words(seat("flat_mc", budget={"playouts_per_action": 20}))[-1] == "20 playouts per legal action"
    )


def test_an_engine_of_another_version_keeps_its_id() -> None:
    assert configuration_words(seat("oracle_of_old")) == ["oracle_of_old"]


def test_an_equal_share_is_one_of_as_many_as_sit_at_the_table() -> None:
    assert lineups(_experiment([FLAT, RANDOM])).fair_share == 0.5
    assert lineups(_experiment([FLAT, RANDOM, RANDOM, RANDOM])).fair_share == 0.25
    assert lineups(_experiment([FLAT])).fair_share is None
