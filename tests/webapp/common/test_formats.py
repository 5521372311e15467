"""How numbers are written."""

from __future__ import annotations

import pytest

from webapp.common import formats


def test_thousands_are_thin_spaced(subtests: pytest.Subtests) -> None:
    for value, text in [
        (0, "0"),
        (999, "999"),
        (1312, "1\u202f312"),
        (-2450, "\u22122\u202f450"),
        (10**7, "10\u202f000\u202f000"),
    ]:
        with subtests.test(value=value, text=text):
            assert formats.count(value) == text


def test_differences_carry_a_true_sign_and_zero_none(subtests: pytest.Subtests) -> None:
    for value, text in [(25.44, "+25.4"), (-6.25, "\u22126.2"), (0.0, "0.0"), (-0.04, "0.0"), (None, "undefined")]:
        with subtests.test(value=value, text=text):
            assert formats.signed(value) == text


def test_what_is_not_finite_is_undefined() -> None:
    assert formats.number(float("nan")) == formats.number(float("inf")) == "undefined"


def test_shares_and_intervals() -> None:
    assert formats.percent(0.8171) == "81.7\u202f%"
    assert formats.percent(None) == "undefined"
    assert formats.span(77.24, 85.46) == "77.2 to 85.5"


def test_numbers_beyond_words_are_powers_of_ten(subtests: pytest.Subtests) -> None:
    for log, text in [
        (194.943, "8.8·10¹⁹⁴"),
        (40.7, "5.0·10⁴⁰"),
        (6.9999, "1.0·10⁷"),
        (3.0, "1\u202f000"),
        (0.0, "1"),
        (None, "undefined"),
    ]:
        with subtests.test(log=log, text=text):
            assert formats.power(log) == text


@pytest.mark.parametrize(
    ("value", "text"), [(3.5e40, "3.5·10⁴⁰"), (-2.04e9, "\u22122.0·10⁹"), (4.2e-8, "4.2·10⁻⁸"), (10**400, "1.0·10⁴⁰⁰")]
)
def test_numbers_far_from_one_keep_their_sign(value: float, text: str) -> None:
    assert formats.with_power(value) == text


def test_times_take_the_unit_that_fits(subtests: pytest.Subtests) -> None:
    for value, text in [
        (0.0051, "5.1 ms"),
        (0.0514, "51 ms"),
        (0.4, "0.40 s"),
        (3.4, "3.4 s"),
        (600, "10 min"),
        (9000, "2.5 h"),
    ]:
        with subtests.test(value=value, text=text):
            assert formats.seconds(value) == text


def test_sizes() -> None:
    assert [formats.bytes_size(v) for v in (900, 2100, 2_100_000, 118e6, 3e9)] == [
        "900 bytes",
        "2.1 kB",
        "2.1 MB",
        "118 MB",
        "3.0 GB",
    ]


def test_duration(subtests):
    for seconds, words in [
        (0, "1 s"),
        (89, "89 s"),
        (90, "2 min"),
        (21 * 60, "21 min"),
        (2 * 3600, "2 h"),
        (2 * 3600 + 1200, "2 h 20 min"),
        (12 * 3600 + 1200, "12 h"),
        (72 * 3600, "3 days"),
        (5000 * 86400, "5\u202f000 days"),
    ]:
        with subtests.test(seconds=seconds, words=words):
            assert formats.duration(seconds) == words


def test_what_ends_in_no_lifetime_has_no_figure():
    assert formats.about(3600 * 24 * 30) == "about 30 days"
    assert formats.about(1e12) == "far too long"
