import copy
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worker import spec as specs
from worker.spec import ExperimentSpec, SpecError
from worker.spec.stop import StopSpec

WEIGHER = {"engine": "weigher", "options": {}, "budget": {"playouts": 40}}
TAKER = {"engine": "taker", "options": {"share": 0.5, "draws": 2}, "budget": {}}


@pytest.fixture
def full(dice):
    """A spec with every field given."""
    return dice(
        (WEIGHER, TAKER),
        (TAKER, WEIGHER),
        options={"bonus": 2},
        rotation="none",
        stop={"rule": "fixed"},
        record="full",
        queue="batch",
        priority=-3,
    )


def changed(spec, path, value):
    """A deep copy with one place replaced (or taken away: value None in a tuple)."""
    spec = copy.deepcopy(spec)
    target = spec
    for step in path[:-1]:
        target = target[step]
    if value is Ellipsis:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return spec


def test_a_complete_spec_survives_json(full):
    spec = specs.from_json(full)
    text = json.dumps(specs.to_json(spec))
    assert json.loads(text) == full
    assert specs.from_json(json.loads(text)) == spec


def test_defaults_are_filled_in(dice):
    spec = specs.from_json(dice(("taker", "weigher")))
    assert spec.options == {"bonus": 0}
    assert (spec.rotation, spec.record, spec.queue, spec.priority) == ("all", "standard", "batch", 0)
    assert (spec.stop, spec.stop.rule) == (StopSpec(), "fixed")
    taker, weigher = spec.arms[0].seats
    assert (taker.options, taker.budget.to_json()) == ({"share": 1.0, "draws": 0}, {})
    assert weigher.budget.to_json() == {"playouts": 40}
    assert specs.from_json(specs.to_json(spec)) == spec


@pytest.mark.parametrize(("rotation", "seatings"), [("all", (3, 1)), ("none", (1, 1)), ("turns", (3, 3))])
def test_matches_are_deals_times_seatings_of_each_arm(dice, rotation, seatings):
    """One engine in all seats has one seating; experiments of before played it in all of them by turns."""
    spec = specs.from_json(dice(("taker", "dicer", "dicer"), ("dicer",) * 3, deals=5, rotation=rotation))
    assert tuple(spec.num_seatings(arm) for arm in (0, 1)) == seatings
    assert [spec.arm_matches(arm) for arm in (0, 1)] == [5 * number for number in seatings]
    assert spec.num_matches == 5 * sum(seatings)


def test_seatings_of_before_are_read_and_offered_to_nobody(dice):
    spec = specs.from_json(dice(("taker", "taker"), rotation="turns"))
    assert specs.from_json(specs.to_json(spec)) == spec
    with pytest.raises(SpecError, match=r"^rotation: must be one of all, none, not 'turn'$"):
        specs.from_json(dice(("taker", "taker"), rotation="turn"))


def test_a_changed_copy(dice):
    spec = specs.from_json(dice())
    assert replace(spec, deals=9).deals == 9


BAD = [
    (("version",), 2, "version", "must be 1, not 2"),
    (("version",), True, "version", "must be 1"),
    (("version",), ..., "version", "is missing"),
    (("game",), "go", "game", "must be one of"),
    (("game",), ["dice"], "game", "must be one of"),
    (("colour",), 1, "colour", "unknown field"),
    (("options",), [], "options", "must be an object"),
    (("options", "bonus"), 10, "options.bonus", "must be between 0 and 9"),
    (("options", "malus"), 1, "options.malus", "unknown option"),
    (("seats",), 1, "seats", "from 2 to 4, not 1"),
    (("seats",), 2.0, "seats", "whole number"),
    (("arms",), [], "arms", "must be a list of 1 to"),
    (("arms",), {}, "arms", "must be a list"),
    (("arms", 1), 5, "arms[1]", "must be an object"),
    (("arms", 1, "name"), " ", "arms[1].name", "1 to 200 characters"),
    (("arms", 1, "name"), "x" * 201, "arms[1].name", "1 to 200 characters"),
    (("arms", 1, "name"), "a\x00b", "arms[1].name", "control characters"),
    (("arms", 1, "name"), "a\ud800b", "arms[1].name", "control characters"),
    (("arms", 1, "name"), "arm 0 ", "arms[1].name", "name of another arm"),
    (("arms", 0, "seats"), [TAKER], "arms[0].seats", "must be a list of 2"),
    (("arms", 0, "seats", 1, "engine"), "deep thought", "arms[0].seats[1].engine", "must be one of"),
    (("arms", 0, "seats", 1, "engine"), ..., "arms[0].seats[1].engine", "is missing"),
    (("arms", 0, "seats", 1), {"engine": "picky"}, "arms[0].seats[1].engine", "Dice is beneath it."),
    (("arms", 0, "seats", 1, "options"), 3, "arms[0].seats[1].options", "must be an object"),
    (("arms", 0, "seats", 1, "options", "share"), 10**400, "arms[0].seats[1].options.share", "between 0 and 1,"),
    (("arms", 0, "seats", 1, "options", "draws"), 1.5, "arms[0].seats[1].options.draws", "whole number"),
    (("arms", 0, "seats", 1, "budget"), {"playouts": 5}, "arms[0].seats[1].budget.playouts", "takes no budget"),
    (("arms", 0, "seats", 0, "budget"), {}, "arms[0].seats[0].budget", "needs one of playouts"),
    (("arms", 0, "seats", 0, "budget"), [], "arms[0].seats[0].budget", "must be an object"),
    (("arms", 0, "seats", 0, "budget", "playouts"), 0, "arms[0].seats[0].budget.playouts", "above 0"),
    (("arms", 0, "seats", 0, "budget", "wine"), 1, "arms[0].seats[0].budget.wine", "unknown budget"),
    (("arms", 0, "seats", 0, "budget", "playouts"), 10**8, "arms[0].seats[0].budget.playouts", "most 10000000, not"),
    (("arms", 0, "seats", 0, "wine"), 1, "arms[0].seats[0].wine", "unknown field"),
    (("deals",), 0, "deals", "from 1 to"),
    (("deals",), True, "deals", "whole number from 1 to 1000000, not true"),
    (("rotation",), "some", "rotation", "must be one of all, none"),
    (("seed",), -1, "seed", "whole number"),
    (("seed",), 2**63, "seed", "whole number"),
    (("stop",), "fixed", "stop", "must be an object"),
    (("stop", "rule"), "never", "stop.rule", "must be one of fixed, precision, sprt, best_of, not 'never'"),
    (("record",), None, "record", "must be one of"),
    (("queue",), "interactive", "queue", "must be one of batch"),
    (("priority",), 101, "priority", "from -100 to 100"),
]


@pytest.mark.parametrize(("path", "value", "named", "message"), BAD, ids=[f"{row[2]}-{i}" for i, row in enumerate(BAD)])
def test_every_error_names_its_place(full, path, value, named, message):
    with pytest.raises(SpecError) as caught:
        specs.from_json(changed(full, path, value))
    assert caught.value.place == named
    assert message in caught.value.message
    assert str(caught.value).startswith(f"{named}: ")


def test_an_error_carries_the_path_that_leads_to_the_value(full):
    path = ("arms", 0, "seats", 1, "options", "share")
    with pytest.raises(SpecError) as caught:
        specs.from_json(changed(full, path, "half"))
    assert caught.value.path == path
    assert caught.value.below("specs", 3).place == "specs[3].arms[0].seats[1].options.share"


def test_too_many_matches_are_refused_at_the_deals(dice):
    with pytest.raises(SpecError, match=r"^deals: 8000000 matches in all"):
        specs.from_json(
            dice(("taker", "dicer", "dicer", "dicer"), ("dicer", "taker") + ("raiser",) * 2, deals=1_000_000)
        )


@pytest.mark.parametrize("data", [None, [], 3, "spec"])
def test_a_spec_is_an_object(data):
    with pytest.raises(SpecError, match=r"^a spec must be an object, not (null|a list|3|'spec')$"):
        specs.from_json(data)


def test_messages_stay_short_however_long_the_value(full):
    nested: list = []
    for _ in range(900):
        nested = [nested]
    for value in ("x" * 10_000, nested, list(range(10_000))):
        with pytest.raises(SpecError) as caught:
            specs.from_json(changed(full, ("rotation",), value))
        assert len(str(caught.value)) < 200


NUMBERS = st.integers() | st.sampled_from([10**400, -(10**400), 2**63]) | st.floats()
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def places(data, path=()):
    """Every path in a JSON value."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


@pytest.mark.long
@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_gives_a_spec_or_a_spec_error(full, data):
    spec = full
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(spec))))
        value = data.draw(JSON | st.sampled_from([{}, [], 0, 1, 2, "all", "taker", TAKER, WEIGHER]))
        spec = changed(spec, path, value) if path else value
    result: ExperimentSpec | SpecError
    try:
        result = specs.from_json(spec)
    except SpecError as error:
        result = error
    if isinstance(result, SpecError):
        assert result.message
    else:
        assert specs.from_json(json.loads(json.dumps(specs.to_json(result)))) == result


@pytest.mark.parametrize("seats", [3, 4])
def test_rules_that_do_not_go_with_the_seats_are_told_at_their_place(seats):
    duel = {"version": 1, "game": "kingdomino", "options": {"size": "7"}, "deals": 1, "seed": 1}
    lineup = [{"name": "a", "seats": [{"engine": "random"}] * seats}]
    with pytest.raises(SpecError, match="Mighty Duel") as caught:
        specs.from_json({**duel, "seats": seats, "arms": lineup})
    assert caught.value.place == "options.size"
    two = [{"name": "a", "seats": [{"engine": "random"}] * 2}]
    assert specs.from_json({**duel, "seats": 2, "arms": two}).options["size"] == "7"


def test_an_engine_begins_with_a_policy_that_the_game_has():
    for game_id, policy in (("carcassonne", "greedy"), ("kingdomino", "fg_plain")):
        assert specs.seat_from_json({"engine": "scripted"}, ("seat",), game_id).options == {"policy": policy}
        chosen = {"engine": "scripted", "options": {"policy": "random"}}
        assert specs.seat_from_json(chosen, ("seat",), game_id).options == {"policy": "random"}
    with pytest.raises(SpecError, match="not 'greedy'"):
        specs.seat_from_json({"engine": "scripted", "options": {"policy": "greedy"}}, ("seat",), "kingdomino")
