import pytest

from games.json_paths import PathError, format_path
from games.options import OptionError


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("deals",), "deals"),
        (("arms", 0, "seats", 1, "options", "epsilon"), "arms[0].seats[1].options.epsilon"),
        ((0, "name"), "[0].name"),
    ],
)
def test_a_path_is_told_as_people_write_it(path, text):
    assert format_path(path) == text
    assert PathError(path, "is missing").place == text


def test_an_error_tells_its_place_first_and_nothing_of_the_whole():
    assert str(PathError(("seed",), "is missing")) == "seed: is missing"
    assert str(PathError((), "must be an object")) == "must be an object"


def test_an_option_that_is_data_names_the_place_within():
    error = OptionError("strategy", "is missing", ("buy", 1, "card"))
    assert (error.field, error.path) == ("strategy", ("strategy", "buy", 1, "card"))
    assert str(error) == "strategy.buy[1].card: is missing"
