"""Schemas that have their fields from dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, get_args, get_type_hints

from ninja import Schema

from webapp.api import schemas
from webapp.api.shapes import shaped_like
from webapp.table.live import snapshot
from webapp.table.live.models import LiveMatch, LiveSeat


@dataclass(frozen=True)
class Leaf:
    """A part."""

    name: str


@dataclass(frozen=True)
class Tree:
    """A whole."""

    leaves: Annotated[tuple[Leaf, ...], "All of them"]
    height: int
    top: Leaf | None = None
    sap: str = ""


def test_a_schema_has_the_fields_of_a_dataclass_and_what_it_states_itself() -> None:
    @shaped_like(Leaf)
    class LeafOut(Schema):
        """A leaf."""

    @shaped_like(Tree, without=("sap",))
    class TreeOut(Schema):
        """A tree."""

        height: str
        age: int = 3

    found = TreeOut.model_json_schema()
    assert (found["title"], found["description"], found["$defs"].keys()) == ("TreeOut", "A tree.", {"LeafOut"})
    assert list(found["properties"]) == ["leaves", "height", "top", "age"]
    assert found["required"] == ["leaves", "height"]
    leaves = {"type": "array", "items": {"$ref": "#/$defs/LeafOut"}, "description": "All of them", "title": "Leaves"}
    assert found["properties"]["leaves"] == leaves
    assert found["properties"]["height"]["type"] == "string"


def test_agents_are_answered_what_a_snapshot_has_but_for_what_only_pages_need() -> None:
    of_pages = {"has_aids", "rematch"}
    assert [field.name for field in fields(snapshot.Snapshot) if field.name not in of_pages] == list(
        schemas.State.model_fields
    )


def test_words_of_a_snapshot_are_those_of_the_database() -> None:
    assert list(get_args(snapshot.SeatKind)) == LiveSeat.Kind.values
    assert list(get_args(snapshot.Status)) == LiveMatch.Status.values
    assert set(get_args(get_type_hints(snapshot.Move)["played_by"])) == set(LiveSeat.Kind.values)
