import pytest

from tests.webapp.specs import RANDOM, spec
from webapp.lab.experiments import draft
from webapp.lab.experiments.builder import Builder
from worker import spec as specs

FLAT = {"engine": "flat_mc", "options": {"utility": "wdl"}, "budget": {"playouts": 40, "seconds_per_ply": 1.5}}


def checked(**changes):
    return specs.from_json(spec(**changes))


def names(data):
    return [data[f"arm-{arm}-name"] for arm in range(draft.num_arms(data))]


def three_arms():
    arms = [{"name": name, "seats": [FLAT if name == "B" else RANDOM, RANDOM]} for name in "ABC"]
    return draft.from_spec(checked(arms=arms))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"options": {"unplaceable": "discard"}},
        {"seats": 3, "arms": [{"name": "x", "seats": [FLAT, RANDOM, FLAT]}], "rotation": "none"},
        {"arms": [{"name": "a", "seats": [FLAT, RANDOM]}, {"name": "b", "seats": [RANDOM, FLAT]}], "record": "full"},
        {"seed": 2**63 - 1, "deals": 1},
        {"priority": -7, "queue": "batch"},
    ],
)
def test_a_spec_comes_out_of_the_form_as_it_went_in(changes):
    wanted = checked(**changes)
    builder = Builder(draft.from_spec(wanted))
    assert builder.spec == wanted, builder.first_error()


def test_a_fresh_form_is_a_valid_experiment():
    builder = Builder({})
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.num_matches > 1


def test_a_match_is_one_arm_one_deal_without_rotation():
    builder = Builder({"arms": "3", "deals": "50", "rotation": "all"}, "match")
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.num_matches == 1


def test_add_keeps_the_others_and_brings_a_fresh_line_up():
    data = draft.complete(draft.apply_action(three_arms(), "add"))
    assert names(data) == ["A", "B", "C", "Arm 4"]
    assert Builder(data).spec is not None


def test_copy_stands_right_after_its_original():
    data = draft.complete(draft.apply_action(three_arms(), "copy:1"))
    assert names(data) == ["A", "B", "B (copy)", "C"]
    assert data["arm-2-seat-0-engine"] == "flat_mc"
    assert data["arm-2-seat-0-budget-amount"] == "40"
    assert data["arm-3-seat-0-engine"] == "random"


def test_remove_closes_the_gap():
    assert names(draft.apply_action(three_arms(), "remove:0")) == ["B", "C"]
    assert draft.apply_action(three_arms(), "remove:0")["arm-0-seat-0-engine"] == "flat_mc"


def test_the_last_arm_stays():
    data = draft.from_spec(checked())
    assert names(draft.apply_action(data, "remove:0")) == names(data)


@pytest.mark.parametrize(
    "action",
    ["copy:9", "remove:9", pytest.param(f"copy:{'9' * 5000}", id="copy-long"), "copy:x", "copy", "nonsense", ""],
)
def test_nonsense_changes_nothing(action):
    data = three_arms()
    assert draft.apply_action(data, action) == data


def test_no_more_arms_than_a_spec_may_have():
    arms = [{"name": str(i), "seats": [RANDOM, RANDOM]} for i in range(specs.MAX_ARMS)]
    data = draft.from_spec(checked(arms=arms))
    for action in ("add", "copy:0"):
        assert draft.num_arms(draft.apply_action(data, action)) == specs.MAX_ARMS


def test_drawing_a_seed_leaves_the_rest():
    data = three_arms()
    drawn = draft.apply_action(data, "seed")
    assert {**drawn, "seed": data["seed"]} == data
    assert 0 <= int(drawn["seed"]) < draft.SEED_LIMIT


def test_another_engine_takes_its_own_defaults():
    data = {**three_arms(), "arm-0-seat-0-engine": "flat_mc"}
    builder = Builder(data)
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.arms[0].seats[0].budget.to_json()
    assert builder.spec.arms[1].seats[0].options["utility"] == "wdl"


def test_more_seats_keep_those_that_sit():
    builder = Builder({**three_arms(), "seats": "4"})
    assert builder.spec is not None, builder.first_error()
    assert [len(arm.seats) for arm in builder.spec.arms] == [4, 4, 4]
    assert builder.spec.arms[1].seats[0].engine == "flat_mc"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", "99"),
        ("seats", "x"),
        ("game", "chess"),
        ("arms", "1000"),
        pytest.param("seats", "9" * 5000, id="seats-long"),
    ],
)
def test_what_cannot_be_becomes_what_can(key, value):
    assert Builder({**three_arms(), key: value}).spec is not None


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("deals", "0", "deals"),
        ("seed", "-1", "seed"),
        ("record", "all", "record"),
        ("rotation", "x", "rotation"),
        ("rules-unplaceable", "x", "unplaceable"),
        ("arm-1-name", "", "name"),
        ("arm-1-seat-0-budget-amount", "0", "amount"),
        ("arm-1-seat-0-budget-also_seconds_per_ply", "-2", "also_seconds_per_ply"),
        ("arm-1-seat-0-option-utility", "x", "utility"),
    ],
)
def test_errors_stand_at_their_field(key, value, field):
    builder = Builder({**three_arms(), key: value})
    assert builder.spec is None
    assert [name for form in builder.forms() for name in form.errors] == [field]
    assert builder.num_errors() == 1


def test_errors_that_only_the_whole_spec_shows_stand_at_their_field_too():
    twice = Builder({**three_arms(), "arm-2-name": "A"})
    assert twice.spec is None
    assert list(twice.arms[2].form.errors) == ["name"]
    many = Builder({**three_arms(), "deals": "1000000"})
    assert many.spec is None
    assert list(many.setup.errors) == ["deals"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (("arms", 1, "seats", 0, "options", "utility"), "utility"),
        (("arms", 1, "seats", 0, "budget", "playouts"), "amount"),
        (("arms", 1, "seats", 0, "budget", "seconds_per_ply"), "also_seconds_per_ply"),
        (("arms", 1, "seats", 0, "budget"), "amount"),
        (("arms", 0, "seats", 0, "budget"), "engine"),
        (("arms", 1, "seats", 1, "engine"), "engine"),
        (("arms", 2, "name"), "name"),
        (("options", "unplaceable"), "unplaceable"),
        (("stop", "rule"), "rule"),
        (("seats",), "seats"),
    ],
)
def test_paths_of_spec_errors_lead_to_fields(path, field):
    builder = Builder(three_arms())
    assert builder.spec is not None
    builder.add_error(specs.SpecError(path, "must be something else"))
    assert [(name, list(texts)) for form in builder.forms() for name, texts in form.errors.items()] == [
        (field, ["Must be something else"])
    ]


@pytest.mark.parametrize("path", [(), ("arms", 9, "name"), ("arms",), ("version",), ("arms", 0, "seats", 7, "engine")])
def test_errors_without_a_field_stand_above_the_form(path):
    builder = Builder(three_arms())
    assert builder.spec is not None
    builder.add_error(specs.SpecError(path, "must be something else"))
    assert len(builder.errors) == 1
    assert builder.num_errors() == 1


def test_the_json_shown_is_the_spec():
    import json

    builder = Builder(three_arms())
    assert specs.from_json(json.loads(builder.json_text())) == builder.spec


def test_the_title_is_the_question_or_who_meets_whom():
    assert Builder({**three_arms(), "title": " Which? "}).spec is not None
    builder = Builder({**three_arms(), "title": " Which? "})
    assert builder.spec
    assert builder.title == "Which?"
    unnamed = Builder(three_arms())
    assert unnamed.spec
    assert unnamed.title == "Carcassonne: Random against Flat Monte Carlo"
