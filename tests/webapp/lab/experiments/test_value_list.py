import pytest

from webapp.lab.experiments.value_list import ValueListError, parse, spell


def test_what_is_typed_is_what_is_meant(subtests):
    for text, whole, values in [
        ("0.5, 1, 2, 3", False, [0.5, 1.0, 2.0, 3.0]),
        ("1, 2,\n3;", True, [1, 2, 3]),
        ("1 to 4", True, [1, 2, 3, 4]),
        ("1 to 9 step 2", True, [1, 3, 5, 7, 9]),
        ("1 to 8 step 3", True, [1, 4, 7]),
        ("9 to 1 step 4", True, [9, 5, 1]),
        ("0 to 0.3 step 0.1", False, [0.0, 0.1, 0.2, 0.3]),
        ("-1 to 1 in 5 steps", False, [-1.0, -0.5, 0.0, 0.5, 1.0]),
        ("100 to 10000 in 5 steps, log", True, [100, 316, 1000, 3162, 10000]),
        ("100 TO 10 000 in 3 steps log", True, [100, 1000, 10000]),
        ("0.1 to 10 in 3 steps, log", False, [0.1, 1.0, 10.0]),
        ("1 to 2 in 4 steps, log", False, [1.0, 1.26, 1.587, 2.0]),
        ("10 to 1000 in 3 steps, log, 5000", True, [10, 100, 1000, 5000]),
        ("1 to 3, 8, 16", True, [1, 2, 3, 8, 16]),
        ("1 to 3, 2 to 4", True, [1, 2, 3, 4]),
        ("1 to 3 in 9 steps", True, [1, 2, 3]),
        ("\u22121, 1e3, 2\u2009000", True, [-1, 1000, 2000]),
        ("4, 2, 1", True, [4, 2, 1]),
    ]:
        with subtests.test(text=text, whole=whole, values=values):
            found = parse(text, whole=whole, limit=64)
            assert found == values
            assert {type(value) for value in found} == {int if whole else float}


def test_errors_say_what_to_write(subtests):
    for text, whole, message in [
        ("", True, "Write the values: a list like"),
        (" , ;", True, "Write the values"),
        ("many", True, "“many” is not a number. Write a list like 0.5, 1, 2 or a range"),
        ("1 to", False, "is not a number"),
        ("1 to 2 to 3", True, "is not a number"),
        ("1 to 9 in steps", False, "is not a number"),
        ("0 to 1", False, "Say how 0 to 1 continues: 0 to 1 step 0.5, or 0 to 1 in 5 steps."),
        ("1, 2.5", True, "“2.5” must be made of whole numbers."),
        ("1 to 3 step 0.5", True, "must be made of whole numbers"),
        ("1 to 3 step 0", True, "The step must not be 0"),
        ("1 to 1000000", True, "gives more than 64 values. Take a larger step."),
        ("1 to 9 in 999999 steps", False, "Take 2 to 64 steps"),
        ("1 to 9 in 1 steps", False, "Take 2 to 64 steps"),
        ("0 to 9 in 3 steps, log", False, "both ends must be above 0"),
        ("nan", False, "is too large"),
        ("1e999999999", True, "is too large"),
        ("9" * 5000, True, "is not a number"),
        ("10, 20, 10", True, "10 appears twice."),
        ("10, 10", True, "10 appears twice."),
        ("1e3, 1\u2009000", True, "1000 appears twice."),
        ("1 to 4, 3", True, "3 appears twice."),
        ("3, 1 to 4", True, "3 appears twice."),
        ("0.5, .50", False, "0.5 appears twice."),
        ("1 to 40, 101 to 140", True, "Take at most 64 values."),
    ]:
        with subtests.test(text=text, whole=whole, message=message):
            with pytest.raises(ValueListError) as caught:
                parse(text, whole=whole, limit=64)
            assert message in str(caught.value)
            assert len(str(caught.value)) < 200


@pytest.mark.parametrize("values", [[0.1, 2.0, 1e-7], [1, 20_000], [-0.30000000000000004]])
def test_values_come_back_from_their_spelling(values):
    whole = all(isinstance(value, int) for value in values)
    assert parse(spell(values), whole=whole, limit=64) == values


@pytest.mark.parametrize(
    "text", ["1e-400 to 1 in 5 steps, log", "1e-300 to 1e18 in 5 steps, log", "1e18 to 1e-310 in 3 steps, log"]
)
def test_ends_that_floats_cannot_divide_are_refused(text):
    with pytest.raises(ValueListError, match=r"above 0|too far apart"):
        parse(text, whole=False, limit=64)
