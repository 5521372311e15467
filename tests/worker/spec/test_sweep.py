import copy
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.worker.spec.test_read import JSON, changed, places
from worker import schedule
from worker import spec as specs
from worker.spec import Axis, ExperimentSpec, SpecError, naming, sweep

WEIGHER = {"engine": "weigher", "options": {}, "budget": {"playouts": 40}}
SHARES = {"paths": ["seats[0].options.share"], "values": [0, 0.5, 1]}
PLAYOUTS = {"paths": ["seats[1].budget.playouts"], "values": [10, 1000]}


@pytest.fixture
def swept(dice):
    """Return a function that makes a spec (JSON) of one taker against a weigher with a sweep."""

    def spec(*axes, **changes):
        return dice(("taker", WEIGHER), sweep={"axes": list(axes)}, **changes)

    return spec


def test_every_combination_is_an_arm_the_first_axis_slowest(swept):
    spec = specs.from_json(swept(SHARES, PLAYOUTS))
    assert [
        (arm.seats[0].options["share"], arm.seats[1].budget.playouts, arm.seats[0].options["draws"])
        for arm in spec.arms
    ] == [(0, 10, 0), (0, 1000, 0), (0.5, 10, 0), (0.5, 1000, 0), (1, 10, 0), (1, 1000, 0)]
    assert [arm.name for arm in spec.arms][:3] == [
        "Share 0, playouts 10",
        "Share 0, playouts 1000",
        "Share 0.5, playouts 10",
    ]
    assert spec.num_matches == 6 * 4 * 2


def test_a_swept_spec_survives_json_and_the_axes_are_kept(swept):
    spec = specs.from_json(swept(SHARES, PLAYOUTS))
    data = json.loads(json.dumps(specs.to_json(spec)))
    assert len(data["arms"]) == 6
    assert specs.from_json(data) == spec
    assert spec.sweep == sweep.stored_axes(data)
    assert repr(spec.sweep[0].values) == "(0.0, 0.5, 1.0)", "as the option holds them"
    assert "sweep" not in specs.to_json(replace(spec, sweep=()))


def test_all_paths_of_an_axis_get_the_same_value(dice):
    both = {"paths": ["seats[0].budget.playouts", "seats[1].budget.playouts"], "values": [5, 9]}
    spec = specs.from_json(dice((WEIGHER, WEIGHER), sweep={"axes": [both]}))
    assert [[seat.budget.playouts for seat in arm.seats] for arm in spec.arms] == [[5, 5], [9, 9]]
    assert sweep.values_of(spec.sweep, 1) == {"seats[0].budget.playouts": 9, "seats[1].budget.playouts": 9}


def test_a_seat_without_a_budget_gets_the_swept_one_alone(dice):
    spec = specs.from_json(dice(("taker", "weigher"), sweep={"axes": [PLAYOUTS]}))
    assert [arm.seats[1].budget.to_json() for arm in spec.arms] == [{"playouts": 10}, {"playouts": 1000}]


def test_arms_of_a_stored_sweep_keep_their_names_and_must_fit(swept):
    data = specs.to_json(specs.from_json(swept(SHARES)))
    data["arms"][1]["name"] = "half"
    assert specs.from_json(data).arms[1].name == "half"
    wrong = copy.deepcopy(data)
    wrong["arms"][2]["seats"][0]["options"]["share"] = 0.9
    with pytest.raises(SpecError, match=r"^arms\[2\]: must be 'Share 1' by the sweep, and otherwise like arms\[0\]$"):
        specs.from_json(wrong)
    other = copy.deepcopy(data)
    other["arms"][1]["seats"][1]["budget"]["playouts"] = 41
    with pytest.raises(SpecError, match=r"^arms\[1\]: "):
        specs.from_json(other)
    two = {**data, "arms": data["arms"][:2]}
    with pytest.raises(SpecError, match=r"^sweep: makes 3 arms of one line-up; give that one or all 3, not 2$"):
        specs.from_json(two)


def axis(paths, values):
    return {"paths": paths, "values": values}


BAD = [
    ({"axes": []}, "sweep.axes", "must be a list of 1 to"),
    ([], "sweep", "must be an object"),
    ({}, "sweep.axes", "is missing"),
    (axis("seats[0].options.share", [0, 1]), "sweep.axes[0].paths", "must be a list"),
    (axis(["seats[0].share"], [0, 1]), "sweep.axes[0].paths[0]", "must be like seats[0].options.NAME"),
    (axis([7], [0, 1]), "sweep.axes[0].paths[0]", "not 7"),
    (axis(["seats[2].options.share"], [0, 1]), "sweep.axes[0].paths[0]", "there are seats 0 to 1, not 2"),
    (axis(["seats[0].options.wine"], [0, 1]), "sweep.axes[0].paths[0]", "wine is not among the options of"),
    (axis(["seats[0].budget.playouts"], [5, 6]), "sweep.axes[0].paths[0]", "among the budget of"),
    (axis(["seats[0].options.share", "seats[1].budget.playouts"], [0, 1]), "sweep.axes[0].paths[1]", "the same option"),
    (axis(["seats[0].options.share"] * 2, [0, 1]), "sweep.axes[0].paths[1]", "already has its values"),
    (axis(["seats[0].options.share"], [0]), "sweep.axes[0].values", "must be a list of 2 to 64"),
    (axis(["seats[0].options.share"], [0, 1, 0.0]), "sweep.axes[0].values[2]", "is there twice"),
    (axis(["seats[0].options.share"], [0, None]), "sweep.axes[0].values[1]", "must be a number, text"),
    (axis(["seats[0].options.share"], [0, 0.5, 7]), "sweep.axes[0].values[2]", "must be between 0 and 1, not 7"),
    (axis(["seats[0].options.share"], [0, "x"]), "sweep.axes[0].values[1]", "must be a number"),
    (axis(["seats[0].options.draws"], [1, 2.5]), "sweep.axes[0].values[1]", "must be a whole number"),
    (axis(["seats[1].budget.playouts"], [0, 5]), "sweep.axes[0].values[0]", "must be above 0"),
]


@pytest.mark.parametrize(("given", "named", "message"), BAD, ids=[f"{row[1]}-{i}" for i, row in enumerate(BAD)])
def test_every_error_names_its_place(dice, given, named, message):
    data = dice(("taker", WEIGHER))
    data["sweep"] = {"axes": [given]} if isinstance(given, dict) and "paths" in given else given
    with pytest.raises(SpecError) as caught:
        specs.from_json(data)
    assert caught.value.place == named
    assert message in caught.value.message


def test_the_value_that_an_engine_refuses_is_named_among_several_axes(swept, monkeypatch):
    from tests.worker.fakes import Taker

    def refuses(self, game):
        return "Taker dislikes halves." if self.options.share == 0.5 else None

    monkeypatch.setattr(Taker, "refuses", refuses)
    with pytest.raises(SpecError, match=r"^sweep\.axes\[1\]\.values\[1\]: Taker dislikes halves\.$"):
        specs.from_json(swept(PLAYOUTS, SHARES))
    with pytest.raises(SpecError, match=r"^sweep\.axes\[0\]\.values\[1\]: Taker dislikes"):
        specs.from_json(swept(SHARES, PLAYOUTS))


def test_a_fault_of_the_line_up_is_not_blamed_on_the_sweep(swept):
    data = swept(SHARES)
    data["arms"][0]["seats"][1] = {**WEIGHER, "budget": {"playouts": 0}}
    with pytest.raises(SpecError, match=r"^arms\[0\]\.seats\[1\]\.budget\.playouts: "):
        specs.from_json(data)


def test_more_arms_than_fit_are_multiplied_out(swept):
    many = axis(["seats[0].options.draws"], list(range(33)))
    with pytest.raises(SpecError, match=r"^sweep\.axes: 33 x 2 = 66 arms; at most 64 fit one experiment$"):
        specs.from_json(swept(many, PLAYOUTS))


def test_names_say_whose_option_it_is_where_two_are_called_alike(dice):
    first, second = (axis([f"seats[{seat}].budget.playouts"], [5, 9]) for seat in (0, 1))
    spec = specs.from_json(dice((WEIGHER, WEIGHER), sweep={"axes": [first, second]}))
    assert spec.arms[1].name == "seat 0 playouts 5, seat 1 playouts 9"


def test_names_that_would_be_too_long_are_numbered_and_stay_apart():
    values = ("a" * 300, "a" * 299)
    names = naming.arm_names([Axis((0,), "options", "x", values)], ["gone"])
    assert [len(name) for name in names] == [specs.MAX_NAME] * 2
    assert names[0].startswith("1. x: aaa")
    assert len(set(names)) == 2


@pytest.mark.long
@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_gives_a_sweep_or_a_spec_error(swept, data):
    spec = swept(SHARES, PLAYOUTS)
    if data.draw(st.booleans()):
        spec = json.loads(json.dumps(specs.to_json(specs.from_json(spec))))
    for _ in range(data.draw(st.integers(1, 2))):
        inner = [path for path in places(spec) if path[:1] in (("sweep",), ("arms",))]
        path = data.draw(st.sampled_from(inner))
        value = data.draw(
            JSON | st.sampled_from([{}, [], 0, 1, "seats[0].options.draws", ["seats[0].budget.playouts"]])
        )
        spec = changed(spec, path, value)
        if "sweep" not in spec or "arms" not in spec:
            break
    result: ExperimentSpec | SpecError
    try:
        result = specs.from_json(spec)
    except SpecError as error:
        result = error
    if isinstance(result, SpecError):
        assert result.message
    else:
        assert specs.from_json(json.loads(json.dumps(specs.to_json(result)))) == result


def beside(swept, **changes):
    """A sweep of three values with two arms beside it, one given or all."""
    data = swept(SHARES, **changes)
    more = [{"name": name, "seats": [{"engine": name}, WEIGHER]} for name in ("dicer", "raiser")]
    return {**data, "arms": [*data["arms"], *more], "sweep": {**data["sweep"], "beside": 2}}


def test_arms_stand_beside_a_sweep_and_any_arm_is_the_baseline(swept):
    spec = specs.from_json(beside(swept, baseline=4))
    assert [arm.name for arm in spec.arms] == ["Share 0", "Share 0.5", "Share 1", "dicer", "raiser"]
    assert (spec.num_swept, spec.baseline) == (3, 4)
    stored = json.loads(json.dumps(specs.to_json(spec)))
    assert (len(stored["arms"]), stored["sweep"]["beside"], stored["baseline"]) == (5, 2, 4)
    assert specs.from_json(stored) == spec
    assert [sweep.values_of(spec.sweep, arm) for arm in (2, 3)] == [{"seats[0].options.share": 1}, {}]
    assert sweep.num_beside(stored) == 2


def test_a_spec_of_before_is_written_as_before(swept):
    stored = specs.to_json(specs.from_json(swept(SHARES)))
    assert "baseline" not in stored
    assert list(stored["sweep"]) == ["axes"]
    assert specs.from_json(swept(SHARES)).baseline == 0


def test_arms_beside_a_sweep_change_none_of_its_matches(swept):
    """Same deals, same seeds: what stands beside a sweep is only more."""
    alone, more = specs.from_json(swept(SHARES)), specs.from_json(beside(swept, baseline=3))
    kept = [match for match in schedule.expand(more) if match.arm < 3]
    assert list(schedule.expand(alone)) == kept


BESIDE = [
    ({"baseline": 5}, r"^baseline: must be a whole number from 0 to 4, not 5$"),
    ({"baseline": "dicer"}, r"^baseline: must be a whole number"),
    ({"beside": -1}, r"^sweep\.beside: must be a whole number from 0 to 63, not -1$"),
    ({"beside": 1}, r"^sweep: makes 3 arms of one line-up; give that one or all 3 before the 1 beside it, not 2$"),
    ({"beside": 62}, r"^sweep\.axes: 3 = 3 arms and 62 beside them; at most 64 fit one experiment$"),
    ({"name": "Share 0.5"}, r"^arms\[1\]\.name: 'Share 0\.5' is the name of an arm of the sweep$"),
]


@pytest.mark.parametrize(("change", "message"), BESIDE)
def test_a_wrong_arm_beside_a_sweep_is_named(swept, change, message):
    data = beside(swept)
    if "beside" in change:
        data["sweep"]["beside"] = change["beside"]
    elif "name" in change:
        data["arms"][1]["name"] = change["name"]
    else:
        data |= change
    with pytest.raises(SpecError, match=message):
        specs.from_json(data)
