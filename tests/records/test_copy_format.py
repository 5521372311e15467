from __future__ import annotations

import json
import math
from typing import Any

import pytest
from django.db import connection

from webapp.records import copy_format

NASTY = 'tab\tline\nreturn\rback\\slash \\N é 棋 \u0001 quote" {a,b}'


def stored(kind: str, field: str) -> Any:
    """What Postgres reads from a field of this type."""
    with connection.cursor() as cursor:
        cursor.execute(f"create temp table copied (value {kind}) on commit drop")
        copy_format.send(cursor.cursor, "copied", ["value"], [field])
        cursor.execute("select value from copied")
        (row,) = cursor.fetchall()
        cursor.execute("drop table copied")
    return json.loads(row[0]) if kind == "jsonb" and row[0] is not None else row[0]


@pytest.mark.django_db
def test_text_comes_back_as_it_was() -> None:
    assert stored("text", copy_format.text(NASTY)) == NASTY
    assert stored("text", copy_format.text("plain 12,-3 r90 [city]")) == "plain 12,-3 r90 [city]"
    assert stored("text", copy_format.text("")) == ""


@pytest.mark.django_db
def test_what_no_database_text_can_hold_is_replaced() -> None:
    assert stored("text", copy_format.text("a\x00b\ud800c")) == "a\ufffdb?c"


@pytest.mark.django_db
def test_document_comes_back_as_it_was() -> None:
    value = {"best": [[1, NASTY, 0.1, 20, None]], "deep": {"n": 2**60, "é": [True, False]}}
    assert stored("jsonb", copy_format.document(value)) == value
    assert stored("jsonb", copy_format.document(None)) is None


@pytest.mark.django_db
def test_document_without_what_json_cannot_hold() -> None:
    value = {"nan": math.nan, "list": [math.inf, (1.5, "a\x00\ud800")]}
    assert stored("jsonb", copy_format.document(value)) == {"nan": None, "list": [None, [1.5, "a\ufffd?"]]}


@pytest.mark.django_db
def test_numbers_come_back_exactly() -> None:
    assert stored("float8", copy_format.number(0.1 + 0.2)) == 0.1 + 0.2
    assert stored("float8", copy_format.number(math.nan)) is None
    assert stored("float8", copy_format.number(None)) is None
    assert stored("integer", copy_format.whole(-5)) == -5
    assert stored("integer", copy_format.whole(None)) is None
    assert stored("integer[]", copy_format.array((3, -1))) == [3, -1]
    assert stored("integer[]", copy_format.array(())) == []
