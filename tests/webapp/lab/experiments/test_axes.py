"""Sweeps on the form: what is offered, what is kept, what is refused."""

import json

import pytest

from tests.webapp.specs import RANDOM, spec
from webapp.lab.experiments import draft
from webapp.lab.experiments.builder import Builder
from worker import spec as specs

FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40}}
PLAYOUTS = {"paths": ["seats[0].budget.playouts"], "values": [10, 20, 40]}
UTILITY = {"paths": ["seats[0].options.utility"], "values": ["wdl", "difference"]}


def checked(*axes, seats=(FLAT, RANDOM), **changes):
    arms = [{"name": "x", "seats": list(seats)}]
    return specs.from_json(spec(arms=arms, seats=len(seats), sweep={"axes": list(axes)}, **changes))


@pytest.fixture
def fresh():
    """Data of a form with one axis: Flat Monte Carlo against random."""
    line_up = {"arm-0-seat-0-engine": "flat_mc", "arm-0-seat-1-engine": "random"}
    return draft.complete(draft.apply_action(draft.complete(line_up), "add-axis"))


@pytest.mark.parametrize(
    "axes",
    [
        [PLAYOUTS],
        [PLAYOUTS, UTILITY],
        [UTILITY, {"paths": ["seats[0].options.policy"], "values": ["greedy", "random"]}],
        [{"paths": [f"seats[{seat}].budget.playouts" for seat in (0, 2)], "values": [9, 3]}],
        [{"paths": ["seats[0].budget.playouts"], "values": [1]} | {"values": [10_000, 1]}],
    ],
)
def test_a_sweep_comes_out_of_the_form_as_it_went_in(axes):
    wanted = checked(*axes, seats=(FLAT, RANDOM, FLAT))
    data = draft.from_spec(wanted)
    assert draft.num_arms(data) == 1
    builder = Builder(data)
    assert builder.spec == wanted, builder.first_error()
    assert Builder(builder.data).spec == wanted, "as the form posts it again"


def test_a_fresh_axis_varies_the_budget_of_the_first_engine_that_has_one(fresh):
    assert fresh["sweep-0-what"] == "budget.playouts_per_action"
    assert "sweep-0-seats-0" in fresh
    builder = Builder(fresh)
    assert builder.spec is None
    assert list(builder.axes[0].errors) == ["values"]
    made = Builder({**fresh, "sweep-0-values": "5 to 20 step 5"})
    assert made.spec is not None, made.first_error()
    assert [arm.seats[0].budget.playouts_per_action for arm in made.spec.arms] == [5, 10, 15, 20]
    assert made.product() == "", "one axis is no product"


def test_typed_values_stay_when_axes_come_and_go(fresh):
    data = {**fresh, "sweep-0-values": "1, 2"}
    data = draft.complete(draft.apply_action(data, "add-axis"))
    data |= {"sweep-1-what": "options.opponent"}
    data = draft.complete(data)
    assert data["sweep-0-values"] == "1, 2"
    assert {"sweep-1-values-best", "sweep-1-values-total"} <= data.keys(), "all ticked at first"
    two = Builder(data)
    assert two.spec is not None, two.first_error()
    assert len(two.spec.arms) == 4
    left = draft.complete(draft.apply_action(data, "remove-axis:0"))
    assert draft.num_axes(left) == 1
    assert left["sweep-0-what"] == "options.opponent"
    assert Builder(left).spec is not None
    assert draft.num_axes(draft.apply_action(data, "remove-axis:9")) == 2


def test_an_unticked_choice_stays_unticked(fresh):
    data = draft.complete({**fresh, "sweep-0-what": "options.opponent"})
    del data["sweep-0-values-total"]
    again = draft.complete(data)
    assert "sweep-0-values-total" not in again
    builder = Builder(again)
    assert builder.spec is None
    assert builder.axes[0].errors["values"] == ["Tick two or more."]


def test_another_engine_takes_what_it_does_not_have_away(fresh):
    data = draft.complete({**fresh, "arm-0-seat-0-engine": "scripted"})
    assert data["sweep-0-what"] == "options.policy"
    nothing = draft.complete({**fresh, "arm-0-seat-0-engine": "random"})
    assert draft.num_axes(nothing) == 0
    assert not Builder(nothing).can_sweep


def test_what_another_engine_takes_away_is_said(fresh):
    chosen = {**fresh, "arm-0-seat-0-engine": "random"}
    assert draft.dropped_sweep(chosen, draft.complete(chosen)) == "Playouts per legal action"
    varied = draft.complete({**fresh, "sweep-0-what": "options.utility"})
    assert draft.dropped_sweep(varied, draft.complete(varied)) == ""
    chosen = {**varied, "arm-0-seat-0-engine": "scripted"}
    assert draft.dropped_sweep(chosen, draft.complete(chosen)) == "Utility of a playout"
    same = {**fresh, "sweep-0-what": "options.utility"}
    assert draft.dropped_sweep(same, draft.complete(same)) == "", "the person chose something else"


def test_a_fresh_axis_is_not_red_though_it_is_counted(fresh):
    builder = Builder(fresh)
    assert builder.spec is None
    builder.hide_untyped_errors()
    assert builder.num_errors() == 1
    assert not builder.axes[0]["values"].errors
    typed = Builder({**fresh, "sweep-0-values": "many"})
    assert typed.spec is None
    typed.hide_untyped_errors()
    assert typed.axes[0]["values"].errors


def test_what_a_sweep_sets_says_so_at_its_field(fresh):
    def notes(data):
        seat = Builder(data).arms[0].seats[0]
        return [field.label for form in seat.forms() for field in form if "Sweep 1" in field.help_text]

    assert notes(fresh) == ["Amount"]
    assert notes(draft.complete({**fresh, "sweep-0-what": "options.utility"})) == ["Utility of a playout"]
    assert notes({key: value for key, value in fresh.items() if key != "sweep-0-seats-0"}) == []


def test_arms_stand_beside_a_sweep_and_any_arm_is_the_baseline(fresh):
    two = Builder({**fresh, "arms": "2", "arm-1-name": "The old one", "sweep-0-values": "1, 2", "baseline": "arm-1"})
    assert two.spec is not None, two.first_error()
    assert [arm.name for arm in two.spec.arms] == ["playouts per action 1", "playouts per action 2", "The old one"]
    assert two.spec.baseline == 2
    offered = [label for _, label in two.setup.fields["baseline"].choices]
    assert offered == [arm.name for arm in two.spec.arms]
    assert Builder(draft.from_spec(two.spec)).spec == two.spec
    second = Builder({**two.data, "baseline": "sweep-1"})
    assert second.spec.baseline == 1
    assert Builder(draft.from_spec(second.spec)).data["baseline"] == "sweep-1"
    shown = json.loads(two.json_text())
    assert (len(shown["arms"]), shown["sweep"]["beside"], specs.from_json(shown)) == (2, 1, two.spec)
    wrong = Builder({**two.data, "arm-1-seat-0-budget-amount": "0"})
    assert wrong.spec is None
    assert "Arm 2" in wrong.problems()[0].label
    two.add_error(specs.SpecError(("arms", 2, "name"), "is odd"))  # of the whole spec, as the server checks it
    assert two.arms[1].form.errors["name"] == ["Is odd"]


def test_the_baseline_goes_with_its_arm(fresh):
    three = draft.complete({"arms": "3", "baseline": "arm-2"})
    assert draft.apply_action(three, "remove:0")["baseline"] == "arm-1"
    assert draft.apply_action(three, "copy:0")["baseline"] == "arm-3"
    assert draft.apply_action(three, "add")["baseline"] == "arm-2"
    gone = Builder(draft.apply_action(three, "remove:2"))
    assert gone.data["baseline"] == "arm-0"
    assert Builder(three).spec.baseline == 2
    shorter = Builder({**fresh, "sweep-0-values": "1, 2", "baseline": "sweep-5"})
    assert shorter.spec.baseline == 0, "there is no sixth value"
    typing = Builder({**fresh, "sweep-0-values": "1, ", "baseline": "sweep-1"})
    assert typing.data["baseline"] == "sweep-1", "until the values are whole"


def test_a_match_has_no_sweep(fresh):
    assert Builder({**fresh, "sweep-0-values": "1, 2"}, "match").axes == []


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"sweep-0-values": "many"}, "values", "is not a number"),
        ({"sweep-0-values": "5"}, "values", "Give two values or more."),
        ({"sweep-0-values": "2.5, 3"}, "values", "whole numbers"),
        ({"sweep-0-values": "0, 3"}, "values", "Must be above 0"),
        ({"sweep-0-values": "1 to 65"}, "values", "more than 64"),
        (
            {"sweep-0-values": "1, 2", "arm-0-seat-0-budget-key": "playouts"},
            "what",
            "The budget of the first seat is Playouts a",
        ),
    ],
)
def test_errors_stand_at_their_field(fresh, changes, field, message):
    builder = Builder({**fresh, **changes})
    assert builder.spec is None
    assert [name for form in builder.forms() for name in form.errors] == [field]
    assert message in builder.axes[0].errors[field][0]
    assert builder.problems()[0].label == f"Sweep 1, {'Values' if field == 'values' else 'What varies'}"


def test_axes_without_a_seat_ask_for_one(fresh):
    builder = Builder(
        {key: value for key, value in fresh.items() if key != "sweep-0-seats-0"} | {"sweep-0-values": "1, 2"}
    )
    assert builder.spec is None
    assert list(builder.axes[0].errors) == ["seats"]


def test_too_many_arms_are_said_at_the_last_axis(fresh):
    data = draft.complete(draft.apply_action({**fresh, "sweep-0-values": "1 to 40"}, "add-axis"))
    data = draft.complete({**data, "sweep-1-what": "options.opponent"})
    builder = Builder(data)
    assert builder.spec is None
    assert "40 x 2 = 80 arms; at most 64" in builder.axes[1].errors["values"][0]


def test_an_error_of_one_arm_that_the_sweep_made_names_it(fresh):
    builder = Builder({**fresh, "sweep-0-values": "5, 9"})
    assert builder.spec is not None
    builder.add_error(specs.SpecError(("arms", 1, "seats", 0, "budget"), "takes too long"))
    assert builder.axes[0].errors["values"] == ["Playouts per action 9: takes too long"]


def test_several_seats_take_the_same_values():
    builder = Builder(draft.from_spec(checked(PLAYOUTS, seats=(FLAT, FLAT))) | {"sweep-0-seats-1": "on"})
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.sweep[0].places == ("seats[0].budget.playouts", "seats[1].budget.playouts")
    assert builder.arms[0].seats[1].swept_labels == ["Playouts a ply"]


def test_the_json_shown_is_the_spec_short_where_names_are_those_of_the_sweep():
    builder = Builder(draft.from_spec(checked(PLAYOUTS, UTILITY)))
    shown = json.loads(builder.json_text())
    assert len(shown["arms"]) == 1
    assert specs.from_json(shown) == builder.spec
    from webapp.lab.experiments.builder import json_text

    data = specs.to_json(builder.spec)
    data["arms"][2]["name"] = "my own"
    assert specs.from_json(json.loads(json_text(data))).arms[2].name == "my own"


def test_nobody_is_asked_for_the_name_of_an_arm_that_a_sweep_replaces(fresh):
    assert Builder({**fresh, "arm-0-name": "", "sweep-0-values": "1, 2"}).spec is not None
