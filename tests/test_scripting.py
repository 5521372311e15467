"""What `docs/scripting.md` tells people to type is understood."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest

import meeple
from engines import __main__ as engines_command
from games import __main__ as games_command
from meeple_client import __main__ as client_command
from webapp.ops.data_folder import CHECKOUT
from worker import __main__ as worker_command

TEXT = (CHECKOUT / "docs" / "scripting.md").read_text(encoding="utf-8")
LINES = re.findall(r"^    (meeple .*)$", TEXT, re.MULTILINE)
MAINS = (engines_command, games_command, client_command, worker_command)
PARSERS = {module.__name__: module._parser for module in MAINS}


def parse(line: str) -> None:
    """Read a command line as `meeple` would. Raises SystemExit where it is not understood."""
    _, word, *rest = shlex.split(line)
    module = (meeple.COMMANDS.get(word) or meeple.ROOMS[word])[0]
    PARSERS[module]("meeple").parse_args(rest if word in meeple.ROOMS else [word, *rest])


def test_command_lines_of_the_guide_are_understood(subtests: pytest.Subtests) -> None:
    assert len(LINES) > 10
    for line in LINES:
        with subtests.test(line):
            parse(line)


def test_extras_of_the_guide_are_those_of_the_package() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert named == set(project["optional-dependencies"])
