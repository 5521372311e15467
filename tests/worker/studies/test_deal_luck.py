"""Luck of the deal: worths against perfect play, and what they say, from rounds worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry as game_registry
from worker.spec import SpecError
from worker.studies import deal_luck, registry, teams
from worker.studies import spec as specs
from worker.studies.deal_luck import DealLuck
from worker.studies.protocol import StudySpec

KIND = DealLuck()


def study(**parameters: Any) -> StudySpec:
    return specs.from_json(
        {"version": 1, "study": "deal_luck", "game": "dominoes", "parameters": parameters, "seed": 5}
    )


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("deal_luck"), DealLuck)
    for wrong, path in (({"one": "nobody"}, "one"), ({"rules": "set"}, "rules"), ({"rules": {"target": 0}}, "rules")):
        with pytest.raises(SpecError) as caught:
            study(**wrong)
        assert caught.value.place.startswith(f"parameters.{path}")
    with pytest.raises(SpecError, match="choose Dominoes"):
        KIND.complete_parameters(game_registry.get("kingdomino"), {})


def test_the_form_says_what_it_was_asked() -> None:
    game = game_registry.get("dominoes")
    asked = {"one": "pimc", "other": "greedy", "rules": "match", "deals": 7}
    assert KIND.to_form(game, KIND.complete_parameters(game, asked)) == asked
    own = {**asked, "one": {"engine": "pimc", "budget": {"simulations": 3}}}
    with pytest.raises(SpecError, match="no player"):
        KIND.to_form(game, KIND.complete_parameters(game, own))


@pytest.mark.long
def test_where_all_play_perfectly_a_round_brings_what_its_deal_is_worth() -> None:
    perfect = teams.PLAYERS["double_dummy"][1]
    spec = study(one=perfect, other=perfect, deals=3)
    rows = {index: KIND.piece(spec, index) for index in range(KIND.num_pieces(spec))}
    for row in rows.values():
        one, other = row["rounds"]
        assert [number for number, way, *_ in row["rounds"]] == [1, 1]
        assert one[2:5] == [-value for value in other[2:5]]  # the same deal with the teams the other way
        assert one[2] == one[3]
        assert one[5] == other[5]
    found = KIND.result(spec, rows)
    assert found["correlation"]["r"] == pytest.approx(1.0)
    assert found["deviation"]["rest"] == pytest.approx(0.0, abs=1e-6)


def test_every_round_of_a_match_is_a_deal() -> None:
    spec = study(one="random", other="greedy", rules={"target": 30}, deals=1)
    row = KIND.piece(spec, 0)
    first = [values for values in row["rounds"] if values[1] == 0]
    assert [values[0] for values in first] == list(range(1, len(first) + 1))
    assert len(first) > 1
    lost = [sum(max(0, sign * values[3]) for values in first) for sign in (1, -1)]
    assert max(lost) >= 30 > min(lost)


def test_shares_are_those_worked_by_hand() -> None:
    spec = study(deals=2)
    # number, way, worth, points, won, opener: the first deal favours its openers by 20, the second one by 40
    rows = {
        0: {"deal": 0, "rounds": [[1, 0, 20.0, 30, 1, 0], [1, 1, -20.0, -10, -1, 0]], "unsolved": 0},
        1: {"deal": 1, "rounds": [[1, 0, -40.0, -30, -1, 1], [1, 1, 40.0, -10, -1, 1]], "unsolved": 2},
    }
    found = KIND.result(spec, rows)
    assert found["worth"]["deals"] == 2
    assert (found["worth"]["mean"], found["worth"]["won"], found["worth"]["lost"]) == (30.0, 2, 0)
    assert [row for row in found["worth"]["classes"] if row["deals"]] == [
        {"points": 20, "deals": 1},
        {"points": 40, "deals": 1},
    ]
    # points are 30 -10 -30 -10, mean -5; products with the worths 600 + 200 + 1200 - 400 = 1600;
    # squares of worths 4000, of points about their mean 35^2 + 5^2 + 25^2 + 5^2 = 1900
    assert found["correlation"]["r"] == pytest.approx(1600 / (4000 * 1900) ** 0.5)
    assert found["correlation"]["slope"] == pytest.approx(0.4)
    assert found["correlation"]["interval"] is None  # two deals
    assert (found["favoured"]["rounds"], found["favoured"]["won"], found["unsolved"]) == (4, 3, 2)
    assert found["margin"]["mean"] == -5.0
    # deals: means 10 and -20, so an error of 15, and Student's 12.706 for one degree of freedom
    assert found["margin"]["interval"] == pytest.approx([-5 - 15 * 12.706, -5 + 15 * 12.706], rel=1e-3)
    # variance 1900 / 3, of which the line leaves 1 - 1600^2 / (4000 * 1900)
    assert found["deviation"]["played"] == pytest.approx((1900 / 3) ** 0.5)
    assert found["deviation"]["rest"] == pytest.approx((1900 / 3 * (1 - 1600**2 / 7_600_000)) ** 0.5)
    assert KIND.result(spec, {})["correlation"] is None


def test_intervals_take_the_deal_as_the_unit() -> None:
    # both rounds of the first deal go to the favoured team, of the second one none; all four are of one class
    rows = {
        0: {"deal": 0, "rounds": [[1, 0, 1.0, 10, 1, 0], [1, 1, -1.0, -20, -1, 0]], "unsolved": 0},
        1: {"deal": 1, "rounds": [[1, 0, 1.0, -10, -1, 0], [1, 1, -1.0, 25, 1, 0]], "unsolved": 0},
    }
    found = KIND.result(study(deals=2), rows)
    # deals: means -5 and 7.5, so an error of 6.25, and Student's 12.706 for one degree of freedom
    (told,) = found["classes"]
    assert told["interval"] == pytest.approx([1.25 - 6.25 * 12.706, 1.25 + 6.25 * 12.706], rel=1e-3)
    # shares of the deals 1 and 0: an error of a half, whose square is four times that of four independent rounds
    assert (found["favoured"]["effect"], found["favoured"]["freedom"]) == (pytest.approx(4.0), 1)


def test_partners_who_open_the_same_hands_have_two_deals() -> None:
    rounds = [[2, 0, 15.0, 15, 1, 0], [2, 1, -5.0, -5, -1, 2]]
    found = KIND.result(study(deals=1), {0: {"deal": 0, "rounds": rounds, "unsolved": 0}})
    assert (found["worth"]["deals"], found["worth"]["mean"]) == (2, 10.0)


@pytest.mark.long
def test_deals_are_solved_in_the_time_that_the_estimate_says(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, values = list[int](), deal_luck.double_dummy.values

    def counted(*asked: Any) -> Any:
        found = values(*asked)
        turns.append(found.nodes)
        return found

    monkeypatch.setattr(deal_luck.double_dummy, "values", counted)
    spec = study(deals=20)
    for index in range(KIND.num_pieces(spec)):
        KIND.piece(spec, index)
    # 12 million turns a second were measured; single deals deviate from the mean by 0.7 of it, 20 together by 0.16
    assert (len(turns), sum(turns) / 20 / 12e6) == (20, pytest.approx(deal_luck.SOLVE_S, rel=0.4))


def test_a_round_too_long_to_be_solved_is_counted_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_luck, "MOST_TURNS", 100)
    spec = study(one="random", other="greedy", deals=1)
    row = KIND.piece(spec, 0)
    assert (row["rounds"], row["unsolved"]) == ([], 2)
    assert KIND.result(spec, {0: row})["unsolved"] == 2
