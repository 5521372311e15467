import pytest

from worker.spec import SpecError, from_json, to_json
from worker.spec.model import MAX_TABLES

RANDOM, SCRIPTED = {"engine": "random"}, {"engine": "scripted"}


def uct(simulations):
    return {"engine": "uct", "budget": {"simulations": simulations}}


def spec(*engines, names=None, pairing="round_robin", **changes):
    entries = [{"name": f"E{i}", **engine} for i, engine in enumerate(engines)]
    ladder = {"pairing": pairing, "entries": entries}
    return {"version": 1, "game": "carcassonne", "seats": 2, "deals": 5, "seed": 1, "ladder": ladder} | changes


def test_tables_are_arms_ordered_by_their_last_engine():
    found = from_json(spec(RANDOM, SCRIPTED, uct(1), uct(2)))
    assert [arm.name for arm in found.arms] == ["E0 v E1", "E0 v E2", "E1 v E2", "E0 v E3", "E1 v E3", "E2 v E3"]
    assert found.arms[1].seats[0].engine == "random"
    assert found.num_matches == 6 * 5 * 2
    assert from_json(to_json(found)) == found


def test_by_uncertainty_every_engine_plays_its_deals_on_average():
    found = from_json(spec(RANDOM, SCRIPTED, uct(1), uct(2), uct(3), pairing="uncertainty"))
    assert found.ladder_deals == 13  # 5 engines of 5 deals, two at a table
    assert found.num_matches == 26


def test_tables_of_four_and_of_teams():
    four = from_json(spec(RANDOM, SCRIPTED, uct(1), uct(2), uct(3), seats=4))
    assert [len(arm.seats) for arm in four.arms] == [4] * 5
    assert {four.num_seatings(arm) for arm in range(5)} == {4}
    teams = from_json(spec(RANDOM, SCRIPTED, game="dominoes", seats=4))
    assert [seat.engine for seat in teams.arms[0].seats] == ["random", "scripted", "random", "scripted"]
    assert teams.num_seatings(0) == 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (spec(RANDOM), "ladder.entries: must be a list of 2 to 100"),
        (spec(RANDOM, RANDOM), r"ladder.entries\[1\]: is the same engine as 'E0'"),
        (spec(RANDOM, SCRIPTED, pairing="gauntlet"), "ladder.pairing: a gauntlet needs challengers"),
        (spec(RANDOM, SCRIPTED, pairing="swiss"), "ladder.pairing: must be one of"),
        (spec(RANDOM, {"engine": "agent:me"}), r"ladder.entries\[1\].engine: an agent cannot enter"),
        (spec(RANDOM, SCRIPTED | {"version": 3}), r"ladder.entries\[1\].version: must be text"),
        (spec(RANDOM, SCRIPTED | {"challenger": 1}), r"ladder.entries\[1\].challenger: must be true or false"),
        (spec(RANDOM, SCRIPTED | {"name": "E0"}), "'E0' is the name of another entry"),
        (spec(RANDOM, SCRIPTED | {"name": "x" * 99}), "must be text of 1 to 98 characters"),
        (spec(*map(uct, range(1, 27))), f"26 engines make 325 tables of 2; a ladder has {MAX_TABLES} at most"),
        (spec(RANDOM, RANDOM | {"version": "0"}), "make no table"),
        (spec(RANDOM, SCRIPTED, sweep={"axes": []}), "sweep: cannot be combined with a ladder"),
        (spec(RANDOM, SCRIPTED, rotation="none"), "rotation: must be all"),
        (spec(RANDOM, SCRIPTED, stop={"rule": "precision", "half_width": 2.0}), "stop.rule: must be fixed"),
        (spec(RANDOM, SCRIPTED, arms=[]), "arms: are not the tables of this ladder"),
        (spec(RANDOM, SCRIPTED, game="dominion", seats=1), "seats: must be 2 or more"),
    ],
)
def test_what_is_wrong_is_named(data, message):
    with pytest.raises(SpecError, match=message):
        from_json(data)


def test_neither_arms_nor_a_ladder_is_missing_arms():
    data = spec(RANDOM, SCRIPTED)
    del data["ladder"]
    with pytest.raises(SpecError, match="arms: is missing"):
        from_json(data)
