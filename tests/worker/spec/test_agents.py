"""Agents in a spec: their form, their limits, no seed, deals of their own, and no headless run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from worker import __main__ as command
from worker import estimate, schedule
from worker import spec as specs
from worker.spec import UNDRAWN, SpecError

RANDOM = {"engine": "random"}
FLAT = {"engine": "flat_mc", "budget": {"playouts_per_action": 5}}
ROOK: dict[str, Any] = {"engine": "agent:rook"}


def spec(*arms: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A spec with agents."""
    rows = [{"name": f"Arm {i}", "seats": seats} for i, seats in enumerate(arms or ([ROOK, RANDOM],))]
    return {"version": 1, "game": "carcassonne", "seats": 2, "arms": rows, "deals": 3} | changes


def test_an_agent_has_limits_by_default() -> None:
    checked = specs.from_json(spec())
    seat = checked.arms[0].seats[0]
    assert (seat.agent, seat.options) == ("rook", {})
    assert seat.budget.to_json() == {"seconds_per_ply": 60, "seconds_per_match": 3600}
    assert checked.has_agents
    assert checked.seed == UNDRAWN
    assert specs.from_json(specs.to_json(checked)) == checked
    assert "seed" not in specs.to_json(checked)


def test_an_engine_is_no_agent() -> None:
    checked = specs.from_json(spec([RANDOM, FLAT], seed=3))
    assert not checked.has_agents
    assert [seat.agent for seat in checked.arms[0].seats] == ["", ""]


def test_a_bad_agent_is_refused_at_its_place(subtests: pytest.Subtests) -> None:
    for seat, path in [
        ({"engine": "agent:"}, "engine"),
        ({"engine": "agent:a b"}, "engine"),
        ({"engine": f"agent:{'x' * 41}"}, "engine"),
        ({"engine": "agent:rook", "options": {"c": 1}}, "options.c"),
        ({"engine": "agent:rook", "budget": {"playouts": 1}}, "budget.playouts"),
        ({"engine": "agent:rook", "budget": {"seconds_per_ply": 0}}, "budget.seconds_per_ply"),
        ({"engine": "agent:rook", "budget": {"seconds_per_ply": 1.5}}, "budget.seconds_per_ply"),
        ({"engine": "agent:rook", "budget": {"seconds_per_ply": True}}, "budget.seconds_per_ply"),
        ({"engine": "agent:rook", "budget": {"seconds_per_ply": float("nan")}}, "budget.seconds_per_ply"),
        ({"engine": "agent:rook", "budget": {"seconds_per_ply": 86401}}, "budget.seconds_per_ply"),
        ({"engine": "agent:rook", "budget": {"seconds_per_match": "1"}}, "budget.seconds_per_match"),
        ({"engine": "agent:rook", "budget": 3}, "budget"),
        ({"engine": "agent:rook", "extra": 3}, "extra"),
    ]:
        with subtests.test(seat=seat, path=path):
            with pytest.raises(SpecError) as error:
                specs.from_json(spec([RANDOM, seat]))
            assert error.value.place == f"arms[0].seats[1].{path}"


def test_agents_at_a_table_have_the_same_limits() -> None:
    other = {"engine": "agent:crow", "budget": {"seconds_per_ply": 5}}
    with pytest.raises(SpecError, match=r"arms\[0\].seats\[1\].budget: all agents at a table"):
        specs.from_json(spec([ROOK, other]))


def test_the_seed_is_the_servers_to_draw() -> None:
    with pytest.raises(SpecError, match="seed: must not be given where agents take part"):
        specs.from_json(spec(seed=1))
    assert specs.from_json(spec(seed=None)).seed == UNDRAWN
    with pytest.raises(SpecError, match="seed: is missing"):
        specs.from_json(spec([RANDOM, RANDOM]))


def test_a_sweep_varies_engines_beside_agents_only() -> None:
    def swept(path: str, values: list[Any]) -> dict[str, Any]:
        return spec([ROOK, FLAT], sweep={"axes": [{"paths": [path], "values": values}]})

    checked = specs.from_json(swept("seats[1].budget.playouts_per_action", [1, 2]))
    assert [arm.seats[0].agent for arm in checked.arms] == ["rook", "rook"]
    assert specs.from_json(specs.to_json(checked)) == checked
    with pytest.raises(SpecError, match=r"sweep.axes\[0\].paths\[0\]: seat 0 is an agent's"):
        specs.from_json(swept("seats[0].budget.seconds_per_ply", [1, 2]))


def test_every_match_has_a_deal_of_its_own() -> None:
    checked = replace(specs.from_json(spec([ROOK, RANDOM], [RANDOM, ROOK], [RANDOM, FLAT])), seed=5)
    matches = list(schedule.expand(checked))
    assert len(matches) == checked.num_matches == 18
    for name in ("deal", "deal_seed", "seed"):
        assert len({getattr(match, name) for match in matches}) == 18, name
    assert all(0 <= seed < 2**63 for match in matches for seed in (match.seed, match.deal_seed))
    assert [match.rotation for match in matches[:4]] == [0, 1, 0, 1]
    assert matches == list(schedule.expand(checked)), "the same seed gives the same matches"


def test_an_agent_against_itself_has_one_seating_and_a_deal_for_each_match() -> None:
    checked = replace(specs.from_json(spec([ROOK, ROOK], [ROOK, RANDOM])), seed=5)
    matches = list(schedule.expand(checked))
    assert [(match.arm, match.deal, match.rotation) for match in matches[:4]] == [
        (0, 0, 0),
        (0, 1, 0),
        (0, 2, 0),
        (1, 3, 0),
    ]
    assert len({match.deal for match in matches}) == len(matches) == 9


def test_nothing_is_scheduled_before_the_seed_is_drawn() -> None:
    with pytest.raises(ValueError, match="has not been drawn"):
        next(schedule.expand(specs.from_json(spec())))


def test_only_arms_without_agents_are_cut_into_chunks() -> None:
    checked = specs.from_json(spec([ROOK, RANDOM], [RANDOM, RANDOM]))
    assert {chunk.arm for chunk in schedule.chunks(checked, [1.0, 1.0])} == {1}


def test_an_agents_time_is_in_no_estimate() -> None:
    checked = specs.from_json(spec([ROOK, RANDOM], record="matches"))
    costs = estimate.match_costs(checked.game, checked.options, checked.seats)
    # nobody but the rules takes time, ply by ply as the agent asks
    kept = 2 * estimate.DATABASE.seat_s
    assert estimate.estimate(checked).seconds_per_match == (pytest.approx(costs.plies * costs.ply_s + kept),)


def test_the_command_line_refuses_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(spec([RANDOM, ROOK])))
    assert command.main(["run", str(file)]) == 2
    assert "arms[0].seats[1].engine: rook is an agent, which plays over HTTP" in capsys.readouterr().err
