import pytest
from django import forms

from webapp.common.fields import NumberField, bounds_text, format_plain


def test_whole_numbers_are_read_as_people_write_them(subtests):
    for text, number in [("7", 7), (" 70 411 ", 70411), ("1\u2009000", 1000), ("1_000", 1000), ("\u22123", -3)]:
        with subtests.test(text=text, number=number):
            assert NumberField(whole=True).clean(text) == number


def test_decimals():
    assert NumberField(whole=False).clean("0.75") == 0.75


@pytest.mark.parametrize("text", ["1.5", "x", "1e3", "nan"])
def test_a_whole_number_refuses_what_is_none(text):
    with pytest.raises(forms.ValidationError, match="Enter a whole number"):
        NumberField(whole=True).clean(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf"])
def test_a_decimal_refuses_what_is_not_finite(text):
    with pytest.raises(forms.ValidationError):
        NumberField(whole=False).clean(text)


def test_the_error_says_what_is_allowed_and_names_a_good_value():
    field = NumberField(whole=False, minimum=0, maximum=10, example=1.5)
    with pytest.raises(forms.ValidationError) as caught:
        field.clean("11")
    assert caught.value.messages == ["Enter a number, 0 to 10. Try 1.5."]


def test_above_refuses_the_bound_itself():
    field = NumberField(whole=False, minimum=0, maximum=600, above=True)
    assert field.clean("0.01") == 0.01
    with pytest.raises(forms.ValidationError) as caught:
        field.clean("0")
    assert caught.value.messages == ["Enter a number, above 0, at most 600."]


def test_empty():
    assert NumberField(whole=True, required=False).clean("") is None
    with pytest.raises(forms.ValidationError):
        NumberField(whole=True).clean("")


@pytest.mark.parametrize(("value", "text"), [(2.0, "2"), (0.1, "0.1"), (10_000_000, "10000000"), (1e9, "1000000000")])
def test_plain(value, text):
    assert format_plain(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"), [(0, 1, "0 to 1"), (0, None, "0 or more"), (None, 5, "at most 5"), (None, None, "")]
)
def test_bounds_text(low, high, text):
    assert bounds_text(low, high) == text
