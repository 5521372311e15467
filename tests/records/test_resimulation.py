"""Matches played again by their engines, and what an operator reads of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from engines import registry as engine_registry
from games import registry
from tests.records.experiments import make_experiment, spec, target
from webapp.records import recorder
from webapp.records.models import Experiment, Match, Ply, Seat
from webapp.records.replayed import comparable_metrics
from webapp.records.verification import Report, verify
from webapp.records.verification_words import sentences
from worker import schedule
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match

pytestmark = pytest.mark.django_db
FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 10}}


def searching(**changes: Any) -> dict[str, Any]:
    """Flat Monte Carlo against chance in dominoes of one round."""
    seats = [FLAT, {"engine": "random", "options": {}, "budget": {}}] * 2
    options = {"length": "round"}
    return spec(game="dominoes", seats=4, options=options, arms=[{"name": "search", "seats": seats}], deals=1) | changes


@pytest.fixture(scope="module")
def played() -> list[MatchRecord]:
    """Both seatings of a deal, one with its plies."""
    both = [play_match(match) for match in schedule.match_specs(specs.from_json(searching()), 0, 0, 2)]
    return [both[0], replace(both[1], plies=())]


@pytest.fixture
def experiment(played: list[MatchRecord]) -> Experiment:
    made = make_experiment(num_matches=2, game="dominoes", spec=searching())
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), played)
    return made


def report_of(experiment: Experiment, **options: Any) -> Report:
    return verify(
        list(Match.objects.filter(experiment=experiment).order_by("rotation").values_list("pk", flat=True)), **options
    )


def words(report: Report) -> str:
    return "\n".join(sentences(report))


def test_a_match_without_plies_is_played_again_by_its_engines(experiment: Experiment) -> None:
    report = report_of(experiment)
    assert (report.matches, report.resimulated, report.mismatches) == (2, 1, [])
    assert "1 of them played again by their engines: all as stored" in words(report)
    last = Match.objects.get(experiment=experiment, rotation=1)
    for change in ({"num_plies": last.num_plies + 1}, {"digest": 5}, {"seed": last.seed + 1}):
        kept = {name: getattr(last, name) for name in change}
        Match.objects.filter(pk=last.pk).update(**change)
        (found,) = report_of(experiment).mismatches
        assert found["match"] == last.pk
        Match.objects.filter(pk=last.pk).update(**kept)
    Seat.objects.filter(match=last, seat=2).update(score=-1)
    (found,) = report_of(experiment).mismatches
    assert (found["field"], found["stored"][2]) == ("scores", -1)
    assert "the rules go another way" in words(report_of(experiment))


def test_what_engines_thought_is_compared_when_asked(experiment: Experiment) -> None:
    assert report_of(experiment, again=True).resimulated == 2
    assert report_of(experiment, again=True).mismatches == []
    ply = Ply.objects.filter(match__rotation=0, playouts__gt=0).order_by("ply")[0]
    Ply.objects.filter(match=ply.match, ply=ply.ply).update(value=0.125)
    assert report_of(experiment).mismatches == [], "a value is no part of the course"
    report = report_of(experiment, again=True)
    (found,) = report.mismatches
    assert (found["ply"], found["seat"], found["field"], found["stored"]) == (ply.ply, ply.seat, "value", 0.125)
    assert "dominoes: 1 differ first in value (1): an engine decides otherwise" in words(report)


def test_metrics_that_a_game_counts_no_more_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = registry.get("kingdomino"), [{"holes": 1.0}, {"holes": 2.0}]
    kept = [{"holes": 1.0, "starts_first": 1.0}, {"holes": 2.0, "starts_first": 0.0}]
    left_out: dict[str, int] = {}
    for _ in range(85):
        assert comparable_metrics(game, kept, found, left_out) == (found, found)
    said = words(Report(matches=85, left_out=left_out))
    assert "Metrics that are counted no more, or were not yet, left out of the comparison: starts_first (85)." in said
    monkeypatch.setattr(game, "dropped_metrics", ())
    assert comparable_metrics(game, kept, found) == (kept, found)


def test_what_cannot_be_played_again_is_said(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    for change, said in (
        ({"status": "failed", "failure": {"seat": 0, "kind": "exception", "message": ""}}, "and it failed"),
        ({"cpu_s": 61.0}, "it took more than 60 CPU seconds"),
        ({"renewal": {"ply": 1, "seed": 1}}, "people or agents played it"),
        ({"versions": {"random": "1"}}, "the match died before its game began"),
    ):
        match = Match.objects.get(experiment=experiment, rotation=1)
        Match.objects.filter(pk=match.pk).update(**change)
        report = report_of(experiment)
        assert said in report.not_comparable[0]["reason"]
        assert "1 matches that cannot be played again were not compared" in words(report)
        match.save()
    for seat, said in (
        ({**FLAT, "budget": {"seconds_per_ply": 0.1}}, "its engines thought by the clock"),
        ({**FLAT, "options": {"of another lab": 1}}, "its specification is no longer valid"),
    ):
        experiment.spec = searching(arms=[{"name": "other", "seats": [seat] * 4}])
        experiment.save()
        assert said in report_of(experiment).not_comparable[0]["reason"]
    experiment.spec = searching()
    experiment.save()
    monkeypatch.setattr(engine_registry.get("flat_mc"), "version", "9")
    report = report_of(experiment)
    assert (report.matches, report.not_comparable) == (1, []), "its course does not depend on the engine"
    assert "played with version 1 of flat_mc, this is version 9 (1)" in words(report)
