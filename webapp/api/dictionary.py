"""The data dictionary over HTTP, for everybody and without a token."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema

from webapp.api.errors import problem_responses
from webapp.api.game_field import GameField
from webapp.lab.dictionary import tables
from worker.fields import Kind

router = Router(tags=["Data"])


class ColumnOut(Schema):
    """One column of a table. games: those whose files have it; all where it names none. only: which files else."""

    name: str
    meaning: str
    type: Kind
    unit: str
    games: list[str]
    only: str
    group: str
    case: str


class TableOut(Schema):
    """One table. key: columns whose values are those of one row alone; study: the kind of study that has it."""

    id: str
    title: str
    about: str
    key: list[str]
    study: str
    columns: list[ColumnOut]


class Dictionary(Schema):
    """All tables."""

    tables: list[TableOut]


@router.get("/columns", response={200: Dictionary, **problem_responses(422)}, summary="Data dictionary")
def columns(
    request: HttpRequest,
    game: Annotated[GameField, Query("", description="Only columns that files of this game have")] = "",
) -> Any:
    """What every column of every export means: type, unit, for which game.

    The same is a page, `/data/`. A metric is a column of matches and a row of metrics, with its group and case.
    """
    listed = [table.of_game(game) for table in tables.tables() if not table.study] if game else tables.tables()
    return {"tables": [_table(table) for table in listed]}


def _table(table: tables.Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": table.title,
        "about": table.about,
        "key": table.key,
        "study": table.study,
        "columns": [
            {
                "name": entry.name,
                "meaning": entry.field.meaning,
                "type": entry.field.kind,
                "unit": entry.field.unit,
                "games": entry.games,
                "only": entry.only,
                "group": entry.group,
                "case": entry.case,
            }
            for entry in table.entries
        ],
    }
