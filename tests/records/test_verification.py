from __future__ import annotations

import fnmatch
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import registry
from tests.records import metrics
from tests.records.experiments import make_experiment, target
from webapp.records import recorder, stored_matches
from webapp.records.models import Experiment, Match, Ply, Seat
from webapp.records.resimulation import EngineRoom
from worker import schedule
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match
from worker.whole_matches import players

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played() -> list[MatchRecord]:
    """Two real matches: both rotations of one deal."""
    spec = specs.from_json(make_spec())
    return [play_match(match) for match in schedule.match_specs(spec, 0, 0, 2)]


def make_spec() -> dict[str, Any]:
    from tests.records.experiments import spec

    return spec(deals=1)


@pytest.fixture
def experiment(played: list[MatchRecord]) -> Experiment:
    made = make_experiment(num_matches=2, spec=make_spec())
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), played)
    return made


def verify(*arguments: str) -> tuple[dict[str, Any], int]:
    """Report and exit code of the command."""
    output, code = io.StringIO(), 0
    try:
        call_command("verify", *arguments, stdout=output)
    except SystemExit as error:
        code = error.code  # type: ignore[assignment]
    return json.loads(output.getvalue()), code


def test_what_was_recorded_is_found_again(experiment: Experiment, played: list[MatchRecord]) -> None:
    plies = sum(record.num_plies for record in played)
    clean = {"matches": 2, "plies": plies, "resimulated": 0, "left_out": {}}
    clean |= {"mismatches": [], "walked_only": [], "older": [], "not_comparable": []}
    assert verify("--experiment", str(experiment.pk)) == (clean, 0)
    assert verify("--sample", "50") == (clean, 0)
    assert verify() == (clean, 0)
    one, code = verify("--match", str(Match.objects.first().pk))
    assert (one["matches"], code) == (1, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("notation", "somewhere else"),
        ("legal_count", 3),
        ("scores", [1000, 0]),
        ("digest", 1),
        ("seat", 7),
        ("action", 2**30),
    ],
)
def test_a_changed_ply_is_found(experiment: Experiment, field: str, value: Any) -> None:
    match = Match.objects.order_by("pk").last()
    assert match is not None
    Ply.objects.filter(match=match, ply=30).update(**{field: value})
    report, code = verify("--experiment", str(experiment.pk))
    assert code == 1
    assert report["matches"] == 2
    (found,) = report["mismatches"]
    assert (found["match"], found["field"]) == (match.pk, field)
    assert found["ply"] in (30, 31)
    assert found["stored"] == value


@pytest.mark.parametrize(
    ("field", "value"), [("score", -4), ("rank", 5), ("result", "none"), ("metrics", {"made up": 1.0})]
)
def test_a_changed_result_is_found(experiment: Experiment, field: str, value: Any) -> None:
    match = Match.objects.order_by("pk").first()
    assert match is not None
    if field == "metrics":
        metrics.put(Seat.objects.get(match=match, seat=1), value)
    else:
        Seat.objects.filter(match=match, seat=1).update(**{field: value})
    report, code = verify("--match", str(match.pk))
    assert code == 1
    names = {"score": "scores", "rank": "ranks", "result": "results", "metrics": "metrics"}
    assert report["mismatches"][0]["field"] == names[field]
    assert report["mismatches"][0]["stored"][1] == value


def test_metrics_that_the_game_counts_since_then_are_no_difference(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = list(Seat.objects.filter(match__experiment=experiment))
    before = [metrics.of(row) for row in rows]
    name = next(iter(before[0]))
    for row, values in zip(rows, before, strict=True):
        metrics.put(row, {other: value for other, value in values.items() if other != name})
    assert verify()[1] == 1, "all seats have lost it"
    monkeypatch.setattr(registry.get("carcassonne"), "later_metrics", (name,))
    assert verify() == (verify()[0] | {"mismatches": [], "left_out": {name: 2}}, 0)
    metrics.put(rows[0], before[0])
    assert verify()[1] == 1, "the other seat of the match has lost it"


def test_metrics_that_are_all_lost_are_found(experiment: Experiment) -> None:
    for row in Seat.objects.filter(match__experiment=experiment):
        metrics.put(row, {})
    report, code = verify()
    assert (code, [row["field"] for row in report["mismatches"]]) == (1, ["metrics"] * 2)


def test_patterns_of_later_metrics_are_those_of_metrics() -> None:
    for game_id in registry.ids():
        game = registry.get(game_id)
        ids = {metric.id for metric in game.metric_table}
        assert not any(fnmatch.filter(ids, one) for one in game.dropped_metrics)
        assert game.version == "1" or not game.dropped_metrics
        assert all(fnmatch.filter([metric.id for metric in game.metric_table], one) for one in game.later_metrics)
        assert game.version == "1" or not game.later_metrics, "another version counts all of them from its start"


def test_a_match_of_another_version_is_counted_apart(experiment: Experiment) -> None:
    match = Match.objects.order_by("pk").first()
    assert match is not None
    match.versions["carcassonne"] = "0"
    match.save()
    report, code = verify("--experiment", str(experiment.pk))
    assert code == 0
    assert (report["matches"], report["not_comparable"]) == (1, [])
    (row,) = report["older"]
    assert row["match"] == match.pk
    assert "version 0" in row["reason"]
    assert verify("--match", str(match.pk))[1] == 3, "nothing was compared"


@pytest.mark.parametrize("arguments", [("--match", "99999"), ("--experiment", "99999"), ("--sample", "0")])
def test_what_does_not_exist_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        verify(*arguments)


def test_a_match_that_a_kernel_plays_the_same_need_not_be_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever differs is found all the same: then it is walked, which says what."""
    monkeypatch.setattr(players, "WORTH_S", 0.0)
    seats = [{"engine": "scripted", "options": {"policy": "greedy"}, "budget": {}}] * 4
    changes = {"game": "dominoes", "seats": 4, "arms": [{"name": "greedy", "seats": seats}], "deals": 1}
    made = make_experiment(num_matches=1, spec=make_spec() | changes, game="dominoes")
    records = [play_match(match) for match in schedule.match_specs(specs.from_json(made.spec), 0, 0, 1)]
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), records)
    match = Match.objects.get(experiment=made)
    (record,) = stored_matches.load_records([match])
    room = EngineRoom(60.0)
    assert room.is_played_alike(match, record)
    for wrong in (
        replace(record, metrics=({}, *record.metrics[1:])),
        replace(record, plies=[replace(record.plies[0], notation="0-0"), *record.plies[1:]]),
        replace(record, deal_seed=record.deal_seed + 1),
        replace(record, versions=dict(record.versions) | {"scripted": "0"}),
    ):
        assert not room.is_played_alike(match, wrong)
