"""Typed options: every bad value is refused by the name of its field."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from games import options
from games.options import OptionError, data_option, option
from tests.games import walks
from tests.looping import looped


@dataclass(frozen=True)
class Sample:
    depth: int = option(3, "Depth", "How deep.", minimum=1, maximum=9)
    weight: float = option(0.5, "Weight", minimum=0.0, maximum=1.0)
    ordered: bool = option(True, "Ordered")
    mode: str = option("slow", "Mode", choices=(("slow", "slowly"), ("fast", "at once")), former={"quick": "fast"})
    name: str = option("x", "Name")
    free: float = option(1.0, "Free")
    step: int = option(1, "Step", choices=((1, "one"), (4, "four")))
    edition: str = option("1", "Edition", choices=(("1", "2008"), ("2", "2016")), where=("mode", ("slow",)))
    plan: Mapping[str, Any] = data_option("Plan", "What to do.", names="plans")


@looped(
    "field, value, message",
    [
        ("depth", 0, "between 1 and 9, not 0"),
        ("depth", 10, "between 1 and 9, not 10"),
        ("depth", 2.0, "whole number, not 2.0"),
        ("depth", True, "whole number, not true"),
        ("depth", "3", "whole number, not '3'"),
        ("depth", None, "whole number, not null"),
        ("depth", 10**400, "between 1 and 9"),
        ("weight", -0.1, "between 0 and 1,"),
        ("weight", float("nan"), "between 0 and 1, not NaN"),
        ("weight", "much", "number, not 'much'"),
        ("weight", False, "number, not false"),
        ("free", float("inf"), "a finite number, not Infinity"),
        ("free", 10**400, "a finite number, not 1000"),
        ("ordered", 1, "true or false, not 1"),
        ("mode", "medium", "one of slow, fast, not 'medium'"),
        ("mode", ["slow"], "one of slow, fast"),
        ("name", 3, "text, not 3"),
        ("step", 2, "one of 1, 4, not 2"),
        ("edition", 3, "one of 1, 2, not 3"),
        ("edition", True, "one of 1, 2, not true"),
        ("plan", "x", "an object, not 'x'"),
        ("colour", "red", "unknown option; known: depth"),
    ],
)
def test_a_bad_value_is_refused_by_name(field: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        options.from_json(Sample, {field: value})
    assert caught.value.field == field
    assert message in caught.value.message
    assert str(caught.value).startswith(f"{field}: ")


@pytest.mark.parametrize("data", [None, [], "depth", 3])
def test_what_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(OptionError, match="options: must be an object"):
        options.from_json(Sample, data)


def test_a_long_bad_value_is_quoted_briefly() -> None:
    with pytest.raises(OptionError) as caught:
        options.from_json(Sample, {"mode": "a" * 10_000})
    assert len(str(caught.value)) < 200


def test_absent_options_take_their_default() -> None:
    assert options.from_json(Sample, {}) == Sample()
    assert options.from_json(Sample, {"depth": 5}) == Sample(depth=5)


def test_a_choice_that_is_written_as_a_number_is_taken_as_one() -> None:
    assert options.from_json(Sample, {"edition": 2}) == Sample(edition="2")


def test_a_choice_is_read_by_the_name_that_it_had() -> None:
    assert options.from_json(Sample, {"mode": "quick"}) == Sample(mode="fast")
    stored = {"mode": "quick", "name": "quick", "gone": "quick"}
    assert options.renamed(Sample, stored) == stored | {"mode": "fast"}
    with pytest.raises(OptionError, match="one of slow, fast, not 'quicker'"):
        options.from_json(Sample, {"mode": "quicker"})


def test_an_option_is_in_play_where_another_one_says_so() -> None:
    rows = {row["name"]: row for row in options.schema(Sample)}
    assert [options.in_play(rows["edition"], {"mode": mode}) for mode in ("slow", "fast")] == [True, False]
    assert options.in_play(rows["depth"], {})


def test_an_object_is_data_of_its_reader() -> None:
    row = options.schema(Sample)[-1]
    assert (row["type"], row["default"], row["names"]) == (options.DATA, {}, "plans")
    given = options.from_json(Sample, {"plan": {"steps": [1]}})
    assert options.to_json(given)["plan"] == {"steps": [1]}


def test_whole_numbers_fit_where_numbers_are_asked_for() -> None:
    given = options.from_json(Sample, {"weight": 1})
    assert given.weight == 1.0
    assert type(given.weight) is float


def test_json_both_ways() -> None:
    sample = Sample(depth=9, weight=0.25, ordered=False, mode="fast", name="é", step=4)
    assert options.from_json(Sample, options.to_json(sample)) == sample


def test_schema_says_all_that_a_form_needs() -> None:
    rows = {row["name"]: row for row in options.schema(Sample)}
    assert list(rows) == [field.name for field in dataclasses.fields(Sample)]
    assert rows["depth"] == {
        "name": "depth",
        "type": "int",
        "label": "Depth",
        "help": "How deep.",
        "default": 3,
        "minimum": 1,
        "maximum": 9,
        "choices": [],
        "names": "",
        "where": None,
    }
    assert [rows[name]["type"] for name in ("weight", "ordered", "mode")] == ["float", "bool", "str"]
    assert rows["mode"]["choices"] == [{"value": "slow", "label": "slowly"}, {"value": "fast", "label": "at once"}]


def test_defaults_and_choices_of_every_game_are_accepted(game: Any) -> None:
    for row in options.schema(game.options):
        for value in [row["default"], *(choice["value"] for choice in row["choices"])]:
            made = options.from_json(game.options, {row["name"]: value})
            assert options.to_json(made)[row["name"]] == value
            assert game.num_seats(game.initial_state(made, game.traits.min_seats)) == game.traits.min_seats


def test_every_option_of_every_game_is_labelled() -> None:
    for game_id in walks.GAME_IDS:
        for row in options.schema(walks.game_of(game_id).options):
            assert row["label"].strip(), (game_id, row["name"])
            assert row["help"].strip(), (game_id, row["name"])


def test_kernels_get_choices_by_their_number_and_switches_as_0_and_1() -> None:
    @dataclass(frozen=True)
    class Whole:
        mode: str = option("slow", "Mode", choices=(("slow", "slowly"), ("fast", "at once")))
        ordered: bool = option(True, "Ordered")
        depth: int = option(3, "Depth")
        step: int = option(4, "Step", choices=((1, "one"), (4, "four")))

    assert options.codes(Whole()) == [0, 1, 3, 1]
    assert options.codes(Whole(mode="fast", ordered=False, depth=7, step=1)) == [1, 0, 7, 0]
