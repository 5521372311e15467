"""Runs that ship with the project: dated, judged as any other, shown where the lab has none that is as large."""

from __future__ import annotations

import dataclasses
import html
import re
from datetime import date

import pytest

from tests.ops.test_preset import printed
from tests.webapp.lab.presets.runs import run
from tests.webapp.pages import markup
from webapp.lab.presets import paper_verdicts, stored
from webapp.lab.presets.models import PresetRun
from webapp.records.models import ShareLink
from worker.presets import registry, stored_runs
from worker.presets.numbers import Numbers
from worker.presets.stored_runs import StoredRun

pytestmark = pytest.mark.django_db
TABLE, ALIKE = "jansen-table-25", "gedda-table-1"
"""A preset of matches with both columns; one whose scales differ in their deals alone."""


def text(response) -> str:
    """The words of a page."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.fixture
def kept() -> StoredRun:
    """The run of the table that ships."""
    found = stored_runs.load(TABLE)
    assert found is not None
    return found


def test_on_a_fresh_lab_a_preset_shows_the_run_that_ships_judged_as_any_other(client, kept):
    page = client.get(f"/presets/{TABLE}/")
    shown, words = page.context["comparison"], text(page)
    verdicts = stored_runs.compared(kept).counts
    assert [number for number, _, _ in shown.table.counts] == list(verdicts.values())
    assert sum(verdicts.values()) == shown.table.judged
    assert (
        "Of 12 figures played both ways, 2 differ as described; of these, as their program ran, 2 still differ."
        in words
    )
    assert f"at quick scale, seed {kept.seed}: 600 matches" in words
    assert "every figure must come out alike" in words
    assert "Sign in to run it again" in words
    assert "Nobody has run this here yet" not in words
    assert page.content.decode().count('href="?run=stored"') == 1


def test_ones_own_run_goes_before_it_and_both_can_be_seen(client, alice, kept):
    client.force_login(alice)
    made = run(alice, preset=TABLE, deals=2)
    assert client.get(f"/presets/{TABLE}/").context["comparison"].run == made
    page = client.get(f"/presets/{TABLE}/?run=stored")
    assert page.context["comparison"].stored.run == kept
    assert "This scale has been started here before" in text(page)
    form = re.search(r'<div class="notice stored-run.*?<form[^>]+action="([^"]+)">.*?value="(quick)"', markup(page))
    assert form[1] == f"/presets/{TABLE}/start/"


def test_of_a_shared_run_and_that_which_ships_the_larger_one_is_shown(client, alice, shipped):
    small = dataclasses.replace(_made(ALIKE), deals=3)
    stored_runs.write(small)
    made = run(alice, preset=ALIKE, deals=2)
    ShareLink.objects.create(slug="smaller-than-stored", experiment=made.experiment)
    address = f"/presets/{ALIKE}/"
    assert client.get(address).context["comparison"].stored is not None
    one = next(one for one in paper_verdicts.compared("gedda-2018", alice) if one.preset.id == ALIKE)
    assert (one.runs, one.stored.run.deals) == ((), 3), "on the paper's page, too, whoever looks"
    stored_runs.write(dataclasses.replace(small, deals=2))
    stored.row.cache_clear()
    assert client.get(address).context["comparison"].run == made
    one = next(one for one in paper_verdicts.compared("gedda-2018", alice) if one.preset.id == ALIKE)
    assert (one.runs, one.stored) == ((made,), None)


def test_the_page_and_the_summary_of_a_paper_say_which_figures_ship(client, shipped):
    stored_runs.write(_made("dominai-oracle"))
    page = text(client.get("/presets/papers/dominai/"))
    assert re.search(r"0 of \d+ tables run here, 1 shown by runs that ship with the project", page)
    assert "stored, quick scale, 30 Nov 2026" in page, "in the summary"
    assert "ships with the project: quick scale, 30 Nov 2026, seed 7" in page, "at its table"
    summary = printed("summary", "dominai")
    assert re.match(r"DominAI: 0 of \d+ tables run here, 1 by runs that ship with the project", summary)
    assert "ships with the project: run on 2026-11-30 at quick scale, seed 7" in summary


def test_what_is_out_of_date_says_so(client, shipped):
    """Another version of a game is said beside the figures; figures of another setup are not shown at all."""
    old = _made(ALIKE)
    stored_runs.write(old)
    assert "Out of date Here are kingdomino " in text(client.get(f"/presets/{ALIKE}/"))
    stored_runs.write(dataclasses.replace(old, fit="another setup"))
    stored.row.cache_clear()
    page = client.get(f"/presets/{ALIKE}/")
    assert page.context["comparison"] is None
    assert "ships with the project, of an earlier setup than this one: its figures are not shown" in text(page)
    assert f"python -m worker preset {ALIKE} --scale quick --store" in text(page)
    assert PresetRun.objects.count() == 0


def _made(preset_id: str) -> StoredRun:
    """A stored run of a preset without a match, by a version of the game that never was."""
    preset = registry.get(preset_id)
    return StoredRun(
        preset=preset_id,
        scale="quick",
        seed=7,
        deals=5,
        units=15,
        run_on=date(2026, 11, 30),
        cpu_s=1.5,
        machine="a machine",
        versions={"kingdomino": "0"},
        fit=stored_runs.fit(preset, preset.scales["quick"]),
        sample=(),
        numbers=Numbers(),
    )
