"""Pages of ladders: from the form to the ratings, what they say, files, sharing."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.db.models import F
from django.test import Client

from engines import levels
from tests.records.experiments import target
from tests.webapp.lab.ladders import recomputed
from tests.webapp.lab.results.expected_page import signed
from tests.worker.ladders import made_up
from webapp.lab.ladders import services
from webapp.records import ladders, recorder
from webapp.records.models import Experiment, Match, Seat, ShareLink
from worker import schedule
from worker.spec import from_json
from worker.stats.tables import ranked_matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def rated(alice: Any) -> Experiment:
    """A ladder of four engines that has ended, one with a long name and one with the word between names."""
    names = ("Ada", "Bo v Cy", "W" * 90, "Di")
    entries = [{**row, "name": name} for row, name in zip(made_up.UCT, names, strict=False)]
    spec = made_up.spec_of(entries, deals=30, record="standard")
    made = services.create(alice, "Four of them", spec)
    play_here(made, made_up.player(spec))
    return made


def play_here(made: Experiment, play: made_up.Play) -> None:
    """Play all rounds over Django's own connection, as a worker does over its own."""
    connection.ensure_connection()
    spec = from_json(made.spec)
    while waiting := list(made.chunks.filter(status="waiting").order_by("first", "arm_index")):
        for chunk in waiting:
            matches = schedule.match_specs(spec, chunk.arm_index, chunk.first, chunk.size)
            recorder.write(connection.connection, target(made), [play(match) for match in matches])
        made.chunks.update(status="done", written=F("size"))
        ladders.put_up(connection.connection, made.pk)
    Experiment.objects.filter(pk=made.pk).update(status="finished")
    made.refresh_from_db()


def text(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, url
    return " ".join(response.content.decode().split())


def test_the_form_begins_with_levels_and_starts(signed_in: Client, alice: Any) -> None:
    size = len(levels.for_game("dominoes"))
    page = text(signed_in, "/ladders/new/?game=dominoes&seats=4")
    assert page.count('aria-label="Engine ') == size
    fields = form_data(signed_in, "dominoes")
    more = signed_in.post("/ladders/new/", fields | {"do": "add"}).content.decode()
    assert more.count('aria-label="Engine ') == size + 1
    fewer = signed_in.post("/ladders/new/", fields | {"do": "remove:0"}).content.decode()
    assert fewer.count('aria-label="Engine ') == size - 1
    cost = signed_in.post("/ladders/new/estimate/", fields).content.decode()
    assert f"{math.comb(size, 2)} tables" in cost
    response = signed_in.post("/ladders/new/", fields | {"do": "start"})
    (made,) = Experiment.objects.filter(kind="ladder", owner=alice)
    assert response["Location"] == f"/ladders/{made.pk}/"
    assert [entry["name"] for entry in made.spec["ladder"]["entries"]][:2] == ["Beginner", "Easy"]
    assert "No ratings yet" in text(signed_in, f"/ladders/{made.pk}/")


def form_data(client: Client, game: str) -> dict[str, str]:
    """The fields of a fresh form, as a browser would send them."""
    builder = client.get(f"/ladders/new/?game={game}").context["builder"]
    return dict(builder.data)


def test_errors_stand_at_their_fields_and_nothing_starts(signed_in: Client) -> None:
    fields = form_data(signed_in, "dominoes") | {"entry-1-name": "Beginner", "do": "start"}
    page = signed_in.post("/ladders/new/", fields).content.decode()
    assert "is the name of another entry" in page
    assert "1 place" in page
    page = signed_in.post("/ladders/new/", fields | {"do": "paste", "pasted": '{"version": 1}'}).content.decode()
    assert "game: is missing" in page
    assert not Experiment.objects.exists()


def test_a_page_says_who_leads_who_beats_whom_and_what_it_rests_on(signed_in: Client, rated: Experiment) -> None:
    page = text(signed_in, f"/ladders/{rated.pk}/")
    shown = signed_in.get(f"/ladders/{rated.pk}/").context["shown"]
    answer = shown.answer
    assert shown.fit
    assert [row.rank for row in shown.forest.rows] == [1, 2, 3, 4]
    assert " ".join(answer.split()) in page
    assert answer.startswith("Di leads,")
    for words in ("Head to head", "mean of the pool", shown.fit, "All deals are played", "W" * 90, "one extra deal"):
        assert words in page
    assert page.count(f'href="/ladders/{rated.pk}/charts/cost-and-strength/"') == 1
    assert f'data-chart-source="/ladders/{rated.pk}/charts/cost-and-strength.json"' in page
    assert re.findall(r'<a href="(\S+)" aria-current="page"', page)[0] == "/experiments/"
    # For who does not see: names head the columns, and each cell is a sentence.
    matrix = page[page.index('class="matrix"') : page.index("</table>", page.index('class="matrix"'))]
    heads = re.findall(r'<span class="sr">([^<]*)</span> </th>', matrix)
    assert heads == [row.name for row in shown.matrix]
    cells = re.findall(r'<span class="sr">([^<]*)</span> </td>', matrix)
    assert len(cells) == sum(cell is not None for row in shown.matrix for cell in row.cells) > 5
    assert cells[0].startswith("Di against ")
    assert matrix.count('<span class="sr">itself</span>') == 4
    for part in ("matches", "settings", "failures", "result", "live"):
        text(signed_in, f"/ladders/{rated.pk}/{part}/")
    asked = text(signed_in, f"/ladders/{rated.pk}/settings/")
    assert "Deals of a table" in asked
    assert not re.search("Baseline|Place in the line-up", asked)  # words of arms
    assert f'href="/ladders/{rated.pk}/"' in text(signed_in, f"/matches/{rated.matches.first().pk}/")
    assert "Four of them" in text(signed_in, "/ladders/?tab=finished")
    assert "Four of them" not in text(signed_in, "/experiments/?tab=finished")
    assert signed_in.get(f"/experiments/{rated.pk}/").status_code == 404
    figure = signed_in.get(f"/ladders/{rated.pk}/charts/cost-and-strength.json").json()
    assert figure["empty"] == "No engine has a rating and a cost yet."  # made-up matches have no plies
    assert "Nothing to draw yet" in text(signed_in, f"/ladders/{rated.pk}/charts/cost-and-strength/")
    assert signed_in.get(f"/ladders/{rated.pk}/charts/length.json").status_code == 404


NEAR = 0.25
"""Part of a half-width by which two sets of resamples may differ: four standard errors of a quantile of 1,000."""


@pytest.mark.long
@pytest.mark.django_db(transaction=True)  # files are read over a connection of their own
def test_page_and_file_agree_with_a_recomputation_from_the_export(
    signed_in: Client, rated: Experiment, tmp_path: Path
) -> None:
    found = json.loads(signed_in.get(f"/ladders/{rated.pk}/result.json").content)
    export: Any = signed_in.get(f"/ladders/{rated.pk}/export/matches.csv")
    exported = b"".join(export.streaming_content).decode()
    again = recomputed.Ladder(exported)
    names = again.names
    (tmp_path / "matches.csv").write_text(exported)
    players, matches = ranked_matches(tmp_path / "matches.csv")
    assert (sorted(players), len(matches)) == (names, len(again.matches))
    assert found["matches"] == len(again.matches) == Match.objects.count()
    assert np.shape(found["covariance"]) == (4, 4)
    order = [names[i] for i in np.argsort(-again.elo)]
    assert [row["name"] for row in found["entries"]] == order
    shown = signed_in.get(f"/ladders/{rated.pk}/").context["shown"]
    compared = 0
    for row, entry, name in zip(shown.forest.rows, found["entries"], order, strict=True):
        elo, ends = float(again.elo[names.index(name)]), again.interval(name)
        assert entry["elo"] == pytest.approx(elo, abs=1e-6)
        assert row.rating.replace("\u202f", "") == f"{1500 + elo:.0f}"
        assert entry["interval"] == pytest.approx(ends, abs=NEAR * (ends[1] - ends[0]) / 2)
        strict, lax = again.ranks(name, 0.4), again.ranks(name, 2.5)
        said = re.match(r"rank (\d)(?: to (\d))?", row.order)
        assert said
        first, last = int(said[1]), int(said[2] or said[1])
        assert strict[0] <= first <= lax[0]
        assert lax[1] <= last <= strict[1]
        margins = [margin for pair in again.pairs if pair[0] == name for margin in again.margins(*pair)]
        assert entry["mean_margin"] == pytest.approx(np.mean(margins))
        if next_of := re.findall(r"next >?(\d+)", row.order):
            sure = 100 * again.above(name, order[row.rank])
            compared += 1
            assert float(next_of[0]) == pytest.approx(min(99, sure), abs=2)
    assert compared
    lead = again.elo[names.index(order[0])] - again.elo[names.index(order[1])]
    assert shown.answer.startswith(f"{order[0]} leads, {lead:.0f} points above {order[1]} (")
    check_matrix(shown.matrix, order, again)
    assert Seat.objects.count() == 2 * len(again.matches)


def check_matrix(rows: Any, order: list[str], again: recomputed.Ladder) -> None:
    """Share, deals, margin, and the words with the interval of a share and what the ratings expect."""
    for row, name in zip(rows, order, strict=True):
        for cell, other in zip(row.cells, order, strict=True):
            pair = again.pair(name, other)
            assert (cell is None) == (pair is None)
            if cell is None or pair is None:
                continue
            share, matches, deals, margin = pair
            assert (cell.text, cell.deals, cell.margin) == (f"{100 * share:.0f}", str(deals), signed(margin))
            gap = again.elo[again.names.index(name)] - again.elo[again.names.index(other)]
            expected = 100 / (1 + 10 ** (-gap / 400))
            assert f"{matches} matches on {deals} deals, {expected:.0f}\u202f% by their ratings" in cell.words


def test_an_engine_enters_and_more_deals_are_played(signed_in: Client, rated: Experiment) -> None:
    fields = {
        "entry-0-name": "New one",
        "entry-0-engine": "random",
        "entry-0-for": "random",
        "do": "start",
    }
    assert "Add an engine" in text(signed_in, f"/ladders/{rated.pk}/enter/")
    response = signed_in.post(f"/ladders/{rated.pk}/enter/", fields)
    assert response["Location"] == f"/ladders/{rated.pk}/"
    rated.refresh_from_db()
    assert rated.status == "running"
    page = text(signed_in, f"/ladders/{rated.pk}/")
    assert "New here: these deals link it to the others." in page
    assert "Not rated yet" in page
    again = signed_in.post(f"/ladders/{rated.pk}/enter/", fields).content.decode()
    assert "is the name of another entry" in again
    signed_in.post(f"/ladders/{rated.pk}/more/", {"deals": "12"})
    assert "Nothing has changed" in text(signed_in, f"/ladders/{rated.pk}/")
    signed_in.post(f"/ladders/{rated.pk}/more/", {"deals": "40"})
    rated.refresh_from_db()
    assert rated.spec["deals"] == 40


def test_a_shared_ladder_is_seen_by_anybody(signed_in: Client, rated: Experiment) -> None:
    signed_in.post(f"/ladders/{rated.pk}/share/")
    link = ShareLink.objects.get()
    signed_in.logout()
    page = text(signed_in, f"/r/{link.slug}/")
    for words in ("Di leads", "Head to head", "Cite", "Ratings as JSON"):
        assert words in page
    assert "Go on" not in page
    assert "Add an engine" not in page
    assert f'href="/ladders/new/?shared={link.slug}">Make a ladder like this' in page
    for file in ("result.json", "spec.json", "card.png", "export/matches.csv", "matches/", "result/", "live/"):
        assert signed_in.get(f"/r/{link.slug}/{file}").status_code == 200, file
    assert "entries" in signed_in.get(f"/r/{link.slug}/result.json").json()


def test_nobody_else_sees_or_changes_a_ladder(client: Client, rated: Experiment, bob: Any) -> None:
    client.force_login(bob)
    for path in ("", "matches/", "result.json", "enter/"):
        assert client.get(f"/ladders/{rated.pk}/{path}").status_code == 404
    assert client.post(f"/ladders/{rated.pk}/more/", {"deals": "99"}).status_code == 404


def test_every_method_of_ladders_has_a_source_with_a_link(client: Client) -> None:
    page = text(client, "/judging/")
    section = page[page.index('id="ladders"') : page.index('id="sweeps"')]
    sources = re.findall(r"<li>(.*?)</li>", section[section.index("<summary>Sources") :])
    assert all('href="https://doi.org/10.' in source for source in sources)
    for method in ("Bradley and Terry 1952", "Frazier", "Luce 1959", "Mogstad", "Plackett 1975", "Rubin 1981"):
        assert method in section[: section.index("<summary>Sources")]
        assert sum(source.strip().startswith(method) for source in sources) == 1, method
