"""What came out, by script: the numbers of the page, shared ones for everybody, rows in parts that make the whole."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pyarrow.parquet as parquet
import pytest
from django.test import Client

from tests.webapp.api.callers import Researcher
from tests.webapp.lab.results import factory, read_page
from tests.webapp.lab.results.factory import FLAT, RANDOM
from webapp.common import formats
from webapp.records.models import Match

ARMS = [[FLAT, RANDOM], [RANDOM, FLAT]]


def leaves(found: Any) -> Iterator[float]:
    """All numbers of JSON, and half of each interval."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        if len(found) == 2 and all(isinstance(end, int | float) for end in found):
            yield (found[1] - found[0]) / 2
        for one in found:
            yield from leaves(one)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield found


def as_written(found: Any) -> set[str]:
    """Every way in which a page may write a number of JSON, without its sign."""
    ways: set[str] = set()
    for number in leaves(found):
        for value in (number, 100 * number):
            ways |= {formats.number(abs(value), digits) for digits in (0, 1, 2, 3)}
    return ways


@pytest.mark.django_db
def test_the_result_has_every_number_of_the_page_and_anybody_reads_that_of_a_shared_one(
    researcher: Researcher, alice: Any, client: Client
) -> None:
    made = factory.played(alice, ARMS, deals=4)
    one = f"/experiments/{made.pk}"
    result = researcher.ask(f"{one}/result")
    client.force_login(alice)
    page = client.get(f"{one}/").content.decode()
    written, rest = (
        as_written(result),
        {name: read_page.lines(page, name) for name in ("result", "arms", "result-rest")},
    )
    assert sum(map(len, rest.values())) > 10
    for name, lines in rest.items():
        for line in lines:
            missing = [text for text in line if text.lstrip("+\u2212±") not in written | {"95"}]
            assert not missing, (name, line, missing)
    assert result["answer"]["sentence"] in page.replace("&#x27;", "'")
    share = researcher.tell("PUT", f"{one}/share")
    assert share == researcher.tell("PUT", f"{one}/share") == researcher.ask(one)["share"]
    shared = Client().get(share["result"])
    assert shared.status_code == 200
    assert {**shared.json(), "as_of": 0} == {**result, "as_of": 0}
    assert researcher.send("DELETE", f"{one}/share").status_code == 204
    assert Client().get(share["result"]).status_code == 410
    refused = researcher.send("DELETE", one)
    assert (refused.status_code, "shared once" in refused.json()["detail"]) == (409, True)


@pytest.mark.django_db
def test_charts_matches_plies_and_traces_are_those_of_the_pages(researcher: Researcher, alice: Any) -> None:
    made = factory.played(alice, deals=2)
    one = f"/experiments/{made.pk}"
    client = Client()
    client.force_login(alice)
    ids = [row["id"] for row in researcher.ask(f"{one}/charts")["charts"]]
    assert "win-rate" in ids
    assert researcher.ask(f"{one}/charts/win-rate") == client.get(f"{one}/charts/win-rate.json").json()
    assert researcher.send("GET", f"{one}/charts/nothing").status_code == 404
    page = researcher.ask(f"{one}/matches?limit=3")
    more = researcher.ask(f"{one}/matches?limit=3&after={page['next']}")
    matches = list(Match.objects.filter(experiment=made).order_by("pk"))
    assert [row["match"] for row in page["rows"] + more["rows"]] == [match.pk for match in matches for _ in range(2)]
    assert more["next"] is None
    match = matches[1]
    here = f"{one}/matches/{match.pk}"
    assert researcher.ask(here)["rows"] == [row for row in page["rows"] if row["match"] == match.pk]
    plies = researcher.ask(f"{here}/plies")["rows"]
    assert [row["action"] for row in plies] == list(match.plies.order_by("ply").values_list("action", flat=True))
    assert researcher.ask(f"{here}/trace") == client.get(f"/matches/{match.pk}/trace.json").json()
    other = factory.played(alice, deals=1)
    assert researcher.send("GET", f"/experiments/{other.pk}/matches/{match.pk}").status_code == 404


def rows_of(response: Any, format_id: str) -> list[dict[str, Any]]:
    """The rows of a file."""
    data = b"".join(response.streaming_content)
    if format_id == "csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    if format_id == "jsonl":
        return [json.loads(line) for line in data.decode().splitlines()]
    return list(parquet.read_table(io.BytesIO(data)).to_pylist())


@pytest.mark.django_db(transaction=True)
def test_parts_of_an_export_make_the_whole(researcher: Researcher, alice: Any) -> None:
    made = factory.played(alice, deals=3)
    for table, format_id in (("matches", "csv"), ("matches", "parquet"), ("plies", "jsonl")):
        place = f"/experiments/{made.pk}/export/{table}.{format_id}"
        parts, after = [], "0"
        while after:
            response = researcher.send("GET", f"{place}?limit=4&after={after}")
            assert response.status_code == 200
            parts.append(rows_of(response, format_id))
            after = response.headers.get("Meeple-Next", "")
        assert len(parts) == 2
        whole = rows_of(researcher.send("GET", place), format_id)
        rows = list(chain.from_iterable(parts))
        assert [int(row["match"]) for row in rows] == sorted(int(row["match"]) for row in whole)
        assert sorted(map(str, rows)) == sorted(map(str, whole))
        had = int(rows[len(rows) // 2]["match"])
        rest = rows_of(researcher.send("GET", f"{place}?after={had}"), format_id)
        assert rest == [row for row in rows if int(row["match"]) > had]
    assert researcher.send("GET", f"/experiments/{made.pk}/export/rows.csv").status_code == 422
