"""The packages that environments need: declared once in two places, and missed in words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from webapp.ops.data_folder import CHECKOUT
from worker.environments import extras


def test_the_extra_of_the_package_is_what_requirements_say() -> None:
    listed = (CHECKOUT / "requirements" / "learning.in").read_text().splitlines()
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"]["learning"] == [line for line in listed if not line.startswith("#")]


def test_a_missing_package_says_how_it_is_installed() -> None:
    with pytest.raises(ImportError, match=r"need no_such_package; install it with: .*requirements/learning\.txt"):
        extras.require("json", "no_such_package")
    assert Path(extras.how().split()[-1]).is_file()


def test_an_installed_package_names_no_file_that_it_has_not(tmp_path: Path) -> None:
    assert extras.how(tmp_path / "learning.txt").startswith("pip install '.[learning]'")
