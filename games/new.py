"""Writes the package of a new game, a copy of the toy under its own name: ``python -m games new NAME``."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
MAX_LENGTH = 30
"""Characters of a game's id: its line in the registry has room for no more."""
IMPORTS = re.compile(r"(?:^from \S+ import [^(\n]+\n){2,}", re.MULTILINE)
"""Imports that follow each other, a line each."""
TOY = "toy"
OWN = ("secret.py", "test_by_hand.py", "__pycache__")
"""Files that the toy keeps to itself: its second game, and sums that hold of its own rules alone."""
LEVELS = "stored/levels.json"
FIRST_LEVEL = {
    "id": "beginner",
    "label": "Beginner",
    "summary": "Chooses at random among all legal actions.",
    "engine": "random",
    "options": {},
    "budget": {},
    "has_clock": False,
    "against_next": None,
    "decision_s": 1e-05,
    "stands_in": True,
    "by_book": None,
}
"""The one opponent that every game has (`engines.levels`): the lobby offers games that have any."""
REGISTRY = "games/registry.py"
END_OF_GAMES = "\n}\n\n\ndef ids()"
"""End of the registry's table of games."""


def write(name: str, root: Path) -> dict[str, Any]:
    """Write package, tests and registry line of a game, and say which files these are and what is left to do.

    root: the checkout. Raises ValueError for a name that cannot be a game's, and writes nothing then.
    """
    folders = [(root / room / TOY, root / room / name) for room in ("games", "tests/games")]
    _check(name, root)
    copies = {new / path.relative_to(toy): _renamed(path, name) for toy, new in folders for path in _files(toy)}
    copies[root / "games" / name / LEVELS] = (
        f'{{"format": "levels-2", "game": "{name}", "levels": [\n{json.dumps(FIRST_LEVEL)}\n]}}\n'
    )
    registry = root / REGISTRY
    copies[registry] = _registered(registry.read_text(encoding="utf-8"), name)
    for path, text in copies.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {
        "game": name,
        "files": sorted(str(path.relative_to(root)) for path in copies),
        "next": f"It plays the toy's rules. Change games/{name} and tests/games/{name} step by step, as docs/adding.md "
        f"says; python -m pytest tests/games -k {name} checks each step.",
    }


def _check(name: str, root: Path) -> None:
    """Raises ValueError that says what is wrong with a name."""
    if not NAME.fullmatch(name) or len(name) > MAX_LENGTH or keyword.iskeyword(name):
        raise ValueError(
            f"{name!r} cannot name a game: it takes small letters, digits and single underscores, begins with a "
            f"letter, has {MAX_LENGTH} characters at most and is no word of Python"
        )
    for room in ("games", "tests/games"):
        if not (root / room / TOY).is_dir():
            raise ValueError(f"there is no {room}/{TOY} to begin from: a new game is written in a checkout")
        for path in (root / room / name, root / room / f"{name}.py"):
            if path.exists():
                raise ValueError(f"{path.relative_to(root)} is there already: choose another name than {name!r}")


def _files(folder: Path) -> Iterator[Path]:
    """The toy's files that a new game begins with."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not set(path.relative_to(folder).parts) & set(OWN):
            yield path


def class_of(name: str) -> str:
    """``FourWinds`` of ``four_winds``."""
    return "".join(word.capitalize() for word in name.split("_"))


def _renamed(path: Path, name: str) -> str:
    """A file of the toy in the words of the new game."""
    text = path.read_text(encoding="utf-8")
    label = name.replace("_", " ").capitalize()
    for old, new in (
        ("games.toy", f"games.{name}"),
        ('"toy"', f'"{name}"'),
        ("class Cards(", f"class {class_of(name)}("),
        ('label = "Cards"', f'label = "{label}"'),
        ("# Cards\n", f"# {label}\n"),
    ):
        text = text.replace(old, new)
    return IMPORTS.sub(_sorted, text)


def _sorted(block: re.Match[str]) -> str:
    """Imports in the order of their modules, of which one has another name now."""
    return "".join(sorted(block[0].splitlines(keepends=True), key=lambda line: line.split()[1]))


def _registered(text: str, name: str) -> str:
    """The registry with a line for the game. Raises ValueError where its table is not where it was."""
    line = f'    "{name}": "games.{name}.game:{class_of(name)}",'
    if text.count(END_OF_GAMES) != 1:
        raise ValueError(f"{REGISTRY} has no table of games to add this to: {line.strip()}")
    return text.replace(END_OF_GAMES, f"\n{line}{END_OF_GAMES}")
