"""Pages on how strong the engines are: only what is stored is shown, each figure with its interval."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from engines import levels
from games import data_files
from games import registry as game_registry
from tests.webapp.pages import markup
from webapp.play.strength import figures, learned, lines, pages, steps
from webapp.records.models import Experiment, Study
from worker.strength import registry, stored
from worker.strength.model import INSIDER, MATCHES, RESPONSE, WIN, Target

pytestmark = pytest.mark.django_db
INSIDER_ID = "dominion-insider-hard"


def test_every_game_has_its_levels_each_with_what_it_won_against_the_one_below(client, subtests):
    index = markup(client.get("/strength/"))
    for game_id in game_registry.ids():
        with subtests.test(game_id):
            known = levels.for_game(game_id)
            assert f"/strength/{game_id}/" in index
            text = markup(client.get(f"/strength/{game_id}/"))
            for below, level in pairwise(known):
                found = next(step for step in steps.steps(game_id) if step.label == level.label)
                assert found.below == below.label
                assert found.won.value in text, "the share that the stronger one won"
                assert found.won.interval in text


def test_what_the_stronger_won_is_what_the_weaker_lost():
    for game_id in game_registry.ids():
        for level, step in zip(levels.for_game(game_id), steps.steps(game_id)[1:], strict=False):
            played = level.by_book or level.against_next
            assert step.won.value == f"{100 * played.losses / played.matches:,.1f}\u202f%"
            assert float(step.won.low) < 100 * played.losses / played.matches < float(step.won.high)


def test_stored_measurements_stand_on_the_page_of_their_game_with_all_that_repeats_them(client, subtests):
    for one in registry.measurements().values():
        found = stored.load(one.id)
        if found is None:
            continue
        with subtests.test(one.id):
            text = markup(client.get(f"/strength/{one.game}/"))
            assert one.command in text
            assert f"/strength/of/{one.id}.json" in text
            record = json.loads(client.get(f"/strength/of/{one.id}.json").content)
            assert record["spec"] == json.loads(json.dumps(one.spec))
            assert record["report"] == found.report


def test_what_was_not_carried_out_or_is_of_another_spec_is_not_shown(client, monkeypatch):
    assert client.get("/strength/of/no-such.json").status_code == 404
    one = registry.get(INSIDER_ID)
    assert INSIDER_ID in [row.provenance.id for row in lines.lines(one.game, INSIDER)]
    waiting, changed = replace(one, id="dominion-waits"), replace(one, spec={**one.spec, "seed": 1})
    listed = {row.id: row for row in (waiting, changed)}
    monkeypatch.setattr(registry, "of_game", lambda game_id: tuple(listed.values()))
    monkeypatch.setattr(registry, "measurements", lambda: listed)
    assert lines.lines(one.game, INSIDER) == ()
    assert client.get(f"/strength/of/{waiting.id}.json").status_code == 404
    assert waiting.id not in markup(client.get("/strength/dominion/"))


def test_a_target_is_met_or_missed_only_where_the_whole_interval_says_so(monkeypatch):
    assert figures.verdict(0.8, (0.81, 0.9)) == "met"
    assert figures.verdict(0.8, (0.6, 0.79)) == "missed"
    assert figures.verdict(0.8, (0.75, 0.85)) == "open"
    assert figures.verdict(0.8, None) == "open"
    one = registry.get(INSIDER_ID)
    asked = replace(one, part=MATCHES, target=Target(WIN, 0.5, 0.05))
    monkeypatch.setattr(registry, "of_game", lambda game_id: (asked,))
    (line,) = lines.lines(one.game, MATCHES)
    assert (line.verdict, line.target) == ("met", "at least 50\u202f%")
    page = pages.page(one.game)
    assert (page.verdicts, len(page.targets)) == ("1 met", 1)


def test_a_response_that_found_nothing_better_tells_what_it_began_with():
    found = stored.load("carcassonne-response-medium")
    first = found.report["candidates"][0]
    assert not found.report["confirmation"]
    line = next(row for row in lines.lines("carcassonne", RESPONSE) if row.provenance.id == found.id)
    assert line.share == first["win"]["mean"]
    assert line.figure.value == f"{100 * line.share:.1f}\u202f%"
    assert line.sample == f"{first['deals']} deals of the search, among 32 opponents"
    assert line.found.startswith("Nothing that was tried was better")


def test_the_opponent_that_won_most_stands_for_the_probes():
    page = pages.page("carcassonne")
    assert page.hardest.title == "An insider against Hard"
    assert page.hardest.share == max(line.share for line in page.probes)
    assert replace(page, probes=()).hardest is None


def test_a_measurement_is_done_again_as_a_job_of_ones_own_once_a_form(client, alice):
    path = f"/strength/of/{INSIDER_ID}/start/"
    assert client.post(path).url.startswith("/accounts/login/")
    client.force_login(alice)
    form = {"submission": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}
    first, second = client.post(path, form), client.post(path, form)
    (made,) = Experiment.objects.all()
    assert first.url == second.url == f"/experiments/{made.pk}/"
    assert (made.owner, made.title, made.num_matches) == (alice, registry.get(INSIDER_ID).title, 200)
    client.post("/strength/of/dominoes-regret/start/", form)
    assert Study.objects.get().kind == "regret"
    assert client.get(path).url == "/strength/dominion/"


def test_logs_of_training_are_told_in_a_line(tmp_path, monkeypatch):
    folder = tmp_path / learned.PLACES[0]
    folder.mkdir(parents=True)
    log = {"command": "python -m engines.learning toy", "day": "2026-11-30", "cpu_s": 5400, "plan": {"seed": 7}}
    (folder / "first.log.json").write_text(json.dumps({**log, "rounds": [{"matches": 400}, {"matches": 800}]}))
    monkeypatch.setattr(type(game_registry.get("dominoes")), "folder", tmp_path)
    learned.sets.cache_clear()
    (found,) = learned.sets("dominoes")
    learned.sets.cache_clear()
    assert (found.name, found.seed, found.cost) == ("first", "7", "1.50 CPU hours")
    assert (found.matches, found.rounds) == ("1\u202f200 matches", "2 rounds")
    assert found.training == "2026-11-30, 2 rounds, 1\u202f200 matches, 1.50 CPU hours, seed 7"


def test_other_pages_lead_here(client):
    for path in ("/", "/engines/"):
        assert "/strength/" in markup(client.get(path))
    for path in ("/games/", "/games/dominion/", "/play/new/?game=dominion"):
        assert "/strength/dominion/" in markup(client.get(path))


def test_what_a_value_says_stands_on_the_page_of_its_game(client):
    text = markup(client.get("/strength/kingdomino/"))
    folder = game_registry.get("kingdomino").folder
    hole = data_files.read(folder, learned.FACTS, learned.FORMAT)["alone"]["hole"]
    assert hole["label"] in text
    assert f"\u2212{-hole['worth'][0]:.1f}" in text
    assert "What it learned" not in markup(client.get("/strength/dominoes/"))
    assert [one.name for one in learned.sets("dominion")] == ["learned"]
