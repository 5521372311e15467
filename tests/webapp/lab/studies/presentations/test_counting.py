"""What pages say about counted boards, best kingdoms and one kingdom's size."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.webapp.lab.studies.conftest import fill
from webapp.common.formats import THIN
from webapp.lab.studies import services
from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study
from worker.studies import registry
from worker.studies import spec as specs

LARGE = "1560858753560238398528"


def stages(kind: str, game: str = "kingdomino", **parameters: Any) -> Iterator[tuple[Study, dict[str, Any]]]:
    """A study before its first piece and after each one, as pages get it."""
    data = {"version": 1, "study": kind, "game": game, "seed": 7, "parameters": parameters}
    spec, study_kind = specs.from_json(data), registry.get(kind)
    study, rows = Study(kind=kind, game=game, spec=specs.to_json(spec)), {}
    for piece in range(study_kind.num_pieces(spec) + 1):
        yield study, json.loads(json.dumps(study_kind.result(spec, rows)))
        if piece < study_kind.num_pieces(spec):
            rows[piece] = json.loads(json.dumps(study_kind.piece(spec, piece)))


def told(kind: str, **parameters: Any) -> tuple[Study, dict[str, Any]]:
    """A finished study."""
    *_, last = stages(kind, **parameters)
    return last


def by_title(study: Study, result: dict[str, Any]) -> dict[str, Any]:
    return {section.title: section for section in pages.sections(study, result)}


def test_five_by_five_is_told_with_the_published_number() -> None:
    found = told("tilings", shown=4)
    assert pages.finding(*found) == "A board of 5 x 5 squares with the castle anywhere has 2\u202f180 tessellations."
    assert next(fact.value for fact in pages.facts(*found)) == f"2{THIN}180"
    sections = by_title(*found)
    assert list(sections) == ["Counts", "Published", "Gallery"]
    rows = {row[0]: row[1:4] for row in sections["Counts"].tables[0].rows}
    assert rows["Column\u00a03, row\u00a03"] == ["1", "196", "196"]
    assert rows["All cells"] == ["25", f"2{THIN}180", f"2{THIN}180"]
    assert "nothing fills the board" in sections["Counts"].words[0]
    printed = sections["Published"].tables[0].rows
    assert printed == [["Tessellations (section 5)", f"2{THIN}768", f"2{THIN}768", "the same", f"2{THIN}180"]]
    pictures = sections["Gallery"].galleries[0].pictures
    assert len(pictures) == 4
    assert all(picture.svg.count("<rect") >= 12 and "No. " in picture.caption for picture in pictures)


def test_a_cell_that_allows_nothing_has_words_and_no_picture() -> None:
    found = told("tilings", width=3, height=3, start="cell", column=2, row=1)
    sections = by_title(*found)
    assert sections["Gallery"].words == ["There is nothing to draw: no layout exists."]
    assert "with the castle in column\u00a02, row\u00a01 has 0 tessellations" in pages.finding(*found)
    assert sections["Published"].tables[0].rows[0][2] == "needs all start cells"


def test_the_published_search_takes_one_cell_of_each_class() -> None:
    table = by_title(*told("tilings", width=3, height=1, rule="first_touch", shown=0))["Counts"].tables[0]
    assert [row[:2] for row in table.rows][-1] == ["These 2 cells", "2"]
    assert not table.note
    sections = by_title(*told("tilings", width=3, height=1, rule="terrain", shown=20))
    whole = sections["Counts"].tables[0]
    assert [row[:2] for row in whole.rows][-1] == ["All cells", "3"]
    assert "mirroring" in whole.note
    captions = {picture.caption for picture in sections["Gallery"].galleries[0].pictures}
    assert "the castle alone, no domino fits" in captions


def test_kingdoms_are_drawn_with_their_dominoes() -> None:
    found = told("tilings", width=3, height=3, rule="terrain", shown=3)
    gallery = by_title(*found)["Gallery"].galleries[0]
    assert gallery.is_large
    assert all("dominoes " in picture.caption for picture in gallery.pictures)
    ids = [name for picture in gallery.pictures for name in re.findall(r' id="([^"]+)"', picture.svg)]
    assert len(ids) == len(set(ids)) > 6
    wanted = {name for picture in gallery.pictures for name in re.findall(r'(?:href="|url\()#([\w-]+)', picture.svg)}
    assert wanted <= set(re.findall(r' id="([^"]+)"', gallery.symbols))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("tilings", {"width": 3, "height": 3, "rule": "crowns", "start": "cell", "column": 2, "shown": 1}),
        pytest.param(
            "best_kingdom",
            {"size": "7", "searches": 1, "boards": 10, "steps": 100, "box": "all"},
            marks=pytest.mark.slow,
        ),
        ("lone_kingdom", {"size": "3", "populations": 1, "paths": 5}),
    ],
)
def test_every_stage_can_be_shown(kind: str, parameters: dict[str, Any]) -> None:
    for study, result in stages(kind, **parameters):
        pages.finding(study, result)
        assert all(fact.value for fact in pages.facts(study, result))
        for section in pages.sections(study, result):
            json.dumps([figure.to_json() for figure in section.figures], allow_nan=False)
            for table in section.tables:
                assert all(isinstance(cell, str) for row in table.rows for cell in row)
                assert {len(row) for row in table.rows} == {len(table.columns)}
    if kind == "tilings":
        assert pages.finding(study, result).endswith("The most points are 21.")
        best = by_title(study, result)["Best kingdom"].galleries[0].pictures[0]
        assert best.caption.startswith("21 points; can be laid in the order ")


@pytest.mark.slow
def test_the_best_kingdom_stands_beside_the_bound() -> None:
    steps = stages("best_kingdom", size="5")
    begun = [next(steps) for _ in range(3)][-1]
    assert (
        pages.finding(*begun)
        == "The best kingdom of 5 x 5 squares found so far has 126 points; none has more than 128."
    )
    facts = {fact.label: fact.value for fact in pages.facts(*begun)}
    assert facts == {"Most points": "126", "No more than": "128", "With both bonuses": "141"}
    sections = by_title(*begun)
    assert sections["Castles"].tables[0].rows[0][:4] == ["Column\u00a03, row\u00a03", "1", "126", "1 of 13"]
    assert sections["Bound"].tables[0].rows[-1] == ["Together", "22", "", "128"]
    assert sections["Kingdoms"].galleries[0].pictures[0].caption.startswith("126 points; can be laid in the order ")
    study, result = begun
    done = [cell | {"done": cell["parts"]} for cell in result["cells"]]
    whole = result | {"cells": done, "is_proved": True}
    assert "No more than" not in {fact.label for fact in pages.facts(study, whole)}
    proved = pages.finding(study, whole)
    middle = "with the castle in the middle has more than 126 points, and one has them."
    assert proved == f"No kingdom of 5 x 5 squares {middle}"


def test_the_printed_size_stands_beside_the_sampled_one() -> None:
    found = told("lone_kingdom", size="3", populations=2, paths=20)
    assert [fact.label for fact in pages.facts(*found)] == [
        "Ways to the end",
        "Kingdoms at the end",
        "Printed estimate",
    ]
    figure = by_title(*found)["Size"].figures[0]
    assert [row[0] for row in figure.rows] == ["0", "1", "2", "3", "4"]
    assert figure.rows[1][1] == figure.rows[1][3] == "672"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_numbers_beyond_every_machine_word_stay_whole_in_pages_and_files(alice: Any) -> None:
    client = Client()
    client.force_login(alice)
    parameters = {"width": 13, "height": 13, "start": "anywhere", "shown": 0}
    data = {"version": 1, "study": "tilings", "game": "kingdomino", "seed": 7, "parameters": parameters}
    study = services.create(alice, "", specs.from_json(data))
    fill(study, study.num_pieces)
    page = client.get(f"/studies/{study.pk}/").content.decode()
    assert f"{int(LARGE):,}".replace(",", THIN) in page
    assert client.get(f"/studies/{study.pk}/result.json").json()["result"]["total"]["complete"] == LARGE
    for name, read in (
        ("csv", lambda text: next(csv.DictReader(io.StringIO(text)))),
        ("jsonl", lambda text: json.loads(text.splitlines()[0])),
    ):
        response = client.get(f"/studies/{study.pk}/export/rows.{name}")
        assert read(b"".join(response.streaming_content).decode())["complete"] == LARGE


@pytest.mark.django_db
def test_the_form_offers_the_game_of_its_kind_and_names_the_bad_size(alice: Any) -> None:
    client = Client()
    client.force_login(alice)
    page = client.get("/studies/new/?kind=tilings").content.decode()
    assert "Kingdomino" in page
    assert "Carcassonne" not in page.split("<form")[1].split("</form>")[0]
    fields = dict(re.findall(r'name="(p-[a-z]+)"[^>]*value="([^"]*)"', page)) | {"p-rule": "packings"}
    asked = {
        **{"kind": "tilings", "title": "", "game": "kingdomino", "seed": "7", "submission": "7" * 32},
        **fields,
        **{"p-start": "none", "p-picked": "random", "p-width": "12", "p-height": "12"},
    }
    refused = client.post("/studies/new/", asked).content.decode()
    assert "must be at most 11 on the shorter side" in refused
    assert not Study.objects.exists()
