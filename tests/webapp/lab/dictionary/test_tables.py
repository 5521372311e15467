"""The dictionary has every column of every file, and no file lacks a column of it."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.worker.ladders import made_up
from webapp.lab.dictionary import tables
from webapp.lab.results import columns
from worker.spec import to_json
from worker.studies import registry as study_registry

pytestmark = pytest.mark.django_db


def _fits(column: str, entry: str) -> bool:
    return fnmatchcase(column, re.sub(r"{\w+}", "*", entry))


def _experiments(owner: Any, game: str) -> list[Any]:
    """One of each sort whose files have columns that others lack."""
    found = [factory.experiment(owner, [[factory.RANDOM]], deals=1, game=game)]
    if game == "carcassonne":
        ladder = factory.experiment(owner, deals=1)
        ladder.spec = to_json(made_up.spec_of(3))
        sweep = factory.experiment(owner, deals=1)
        axis = {"paths": ["seats[0].budget.playouts"], "values": [20, 40]}
        sweep.spec = sweep.spec | {
            "arms": sweep.spec["arms"] * 2,
            "sweep": {"axes": [axis]},
        }
        found += [ladder, sweep]
    return found


@pytest.mark.parametrize("game", game_registry.ids())
def test_columns_and_entries_are_the_same(alice: Any, game: str) -> None:
    made = _experiments(alice, game)
    for table in tables.tables():
        if table.study:
            continue
        entries = table.of_game(game).entries
        written = {column.name: column.field for one in made for column in columns.columns(one, table.id)}
        for name, field in written.items():
            own = [entry for entry in entries if _fits(name, entry.name)]
            assert [entry.name for entry in own], f"no entry of {table.id}.{name}"
            assert own[0].field == field or "{" in own[0].name, name
        others = {"player", tables.ANY_AXIS} if game != "carcassonne" else set()
        lacking = {e.name for e in entries if not any(_fits(name, e.name) for name in written)} - others
        assert not lacking, f"no column of {table.id} is called so"


def test_every_entry_says_something() -> None:
    for table in tables.tables():
        names = [(entry.name, entry.games) for entry in table.entries]
        assert len(set(names)) == len(names), table.title
        assert set(table.key) <= {entry.name for entry in table.entries}
        for entry in table.entries:
            assert re.fullmatch(r"\S.*\S\.", entry.field.meaning), f"{table.id}.{entry.name} has no meaning"


@pytest.mark.parametrize("kind_id", study_registry.ids())
def test_a_study_writes_each_field_that_it_describes(kind_id: str) -> None:
    """Rows with a field that is not described are refused as they are made (`worker.studies.pieces`)."""
    kind: Any = study_registry.get(kind_id)
    folder = Path(study_registry.__file__).parent
    text = "\n".join((folder / f"{name}.py").read_text() for name in SOURCES.get(kind_id, (kind_id,)))
    declared = text[text.index("row_fields") : text.index("    }\n", text.index("row_fields"))]
    rest = text.replace(declared, "")
    for name in kind.row_fields:
        assert re.search(rf"([\"'.]|^    ){name}\b", rest, re.M), f"{kind_id} writes no field {name}"


SOURCES = {
    "tuning": ("tuning", "tuning_plan"),
    "tilings": ("tilings", "../counting/kingdoms"),
}
"""Modules that make the rows of a kind, where it is not its own alone."""
