"""Samples that are played again by workers: what is found, what a crash leaves, what is not compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests.records.experiments import make_experiment, target
from tests.records.studies import make_study
from tests.records.test_resimulation import searching
from webapp.records import recorder, sample_checks, sampling, turns
from webapp.records.check_models import SampleCheck
from webapp.records.models import Experiment, Match, Ply, Study, StudyPiece
from webapp.records.sample_report import SampleReport
from webapp.table.live.work_source import LabWorkSource
from worker import schedule
from worker import spec as specs
from worker.recorder import ANALYSIS
from worker.records import MatchRecord
from worker.runner import play_match
from worker.stop_switch import StopSwitch
from worker.studies import again, pieces, registry
from worker.studies import spec as study_specs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def played() -> list[MatchRecord]:
    """Both seatings of a deal."""
    return [play_match(match) for match in schedule.match_specs(specs.from_json(searching()), 0, 0, 2)]


@pytest.fixture
def experiment(played: list[MatchRecord]) -> Experiment:
    made = make_experiment(num_matches=2, game="dominoes", spec=searching(), status="finished")
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), played)
    return made


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    """Three squares, done."""
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")
    made = make_study(status="finished")
    spec = study_specs.from_json(made.spec)
    for piece in made.pieces.all():
        outcome = pieces.carry_out(spec, piece.index)
        StudyPiece.objects.filter(pk=piece.pk).update(
            status="done", row=outcome.row, versions=outcome.versions, cpu_s=0.1
        )
    return made


@pytest.fixture
def source() -> Iterator[LabWorkSource]:
    made = LabWorkSource()
    yield made
    made.close()


def put_up(numbers: list[int], **of: Any) -> SampleCheck:
    return SampleCheck.objects.create(waiting=numbers, size=len(numbers), **of)


def do_all(source: LabWorkSource) -> int:
    """Do all that workers of analyses find; return the number of claims."""
    for done in range(100):
        with source.claim(ANALYSIS) as found:
            if found is None:
                return done
            found.carry_out(StopSwitch())
    raise AssertionError("the work does not end")


def report_of(check: SampleCheck) -> SampleReport:
    check.refresh_from_db()
    return SampleReport.from_json(check.report)


def test_a_sample_agrees_and_says_how_much_was_compared(experiment: Experiment, source: LabWorkSource) -> None:
    drawn = sampling.matches(experiment)
    check = put_up(drawn, experiment=experiment)
    assert do_all(source) == 1
    report = report_of(check)
    assert sorted(drawn) == list(Match.objects.order_by("pk").values_list("pk", flat=True))
    assert (check.status, check.waiting, check.worker, check.ended_at is None) == ("done", [], "", False)
    assert (report.compared, report.by_engines, report.differing) == (2, 2, 0)
    assert report.plies == sum(Match.objects.values_list("num_plies", flat=True))
    assert len(check.code) == 64


def test_what_differs_is_named(experiment: Experiment, source: LabWorkSource) -> None:
    match = Match.objects.earliest("pk")
    Ply.objects.filter(match=match, ply=3).update(notation="elsewhere")
    check = put_up([match.pk], experiment=experiment, match=match)
    do_all(source)
    report = report_of(check)
    assert report.differing == 1
    assert report.differences == [{"match": match.pk, "ply": 3, "field": "notation"}]


def test_what_engines_cannot_decide_again_is_walked_or_left_out(experiment: Experiment, source: LabWorkSource) -> None:
    first, last = Match.objects.order_by("pk")
    Match.objects.filter(pk=first.pk).update(cpu_s=1000.0)
    Match.objects.filter(pk=last.pk).update(versions=last.versions | {"dominoes": "0"})
    check = put_up([first.pk, last.pk], experiment=experiment)
    do_all(source)
    report = report_of(check)
    assert (report.compared, report.by_engines) == (1, 0)
    assert list(report.walked_only) == ["it took more than 20 CPU seconds to play"]
    assert len(report.older) == 1


def test_a_sample_is_given_back_after_a_while_and_goes_on_where_it_was(
    experiment: Experiment, source: LabWorkSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_checks, "SLICE_S", 0.0)
    check = put_up(sampling.matches(experiment), experiment=experiment)
    with source.claim(ANALYSIS) as found:
        assert found is not None
        found.carry_out(StopSwitch())
    check.refresh_from_db()
    assert (check.status, len(check.waiting), check.report["compared"]) == ("waiting", 1, 1)
    assert do_all(source) == 1
    assert report_of(check).compared == 2


def test_analyses_go_first(experiment: Experiment, study: Study, source: LabWorkSource) -> None:
    put_up(sampling.matches(experiment), experiment=experiment)
    Study.objects.update(status="running", queue="analysis")
    StudyPiece.objects.filter(index=2).update(status="waiting", row=None)
    connection.ensure_connection()
    order = turns.order(connection.connection, ANALYSIS, source.sources)
    assert [turn.source for turn in order] == ["study", "check"]
    assert turns.order(connection.connection, "batch", source.sources) == []


def test_pieces_of_a_study_are_done_again(study: Study, source: LabWorkSource) -> None:
    StudyPiece.objects.filter(index=1).update(row={"square": 5})
    StudyPiece.objects.filter(index=2).update(versions={"counting": "3", "carcassonne": "1"})
    check = put_up(sorted(sampling.pieces(study)), study=study)
    do_all(source)
    report = report_of(check)
    assert (report.compared, report.differing, list(report.older)) == (
        2,
        1,
        ["done with version 3 of counting, this is version 4"],
    )
    assert report.differences[0]["piece"] == 1


def test_seconds_are_no_difference() -> None:
    row = {"cpu_s": 1.0, "moves": [{"value": 0.5, "elapsed_s": 2.0}]}
    assert again.first_difference(row, {"cpu_s": 3.0, "moves": [{"value": 0.5 + 1e-12, "elapsed_s": 9.0}]}) is None
    assert again.first_difference(row, {"cpu_s": 3.0, "moves": [{"value": 0.6}]}) == "moves.0.value"
    assert again.first_difference(row, {"moves": []}) == "moves"


def test_one_sample_of_a_result_is_open_at_a_time(experiment: Experiment) -> None:
    put_up([1], experiment=experiment)
    with pytest.raises(IntegrityError), transaction.atomic():
        put_up([2], experiment=experiment)
    put_up([1], experiment=experiment, match=Match.objects.earliest("pk"))


def test_a_sample_stays_within_its_budget(experiment: Experiment) -> None:
    Match.objects.update(cpu_s=19.0)
    assert len(sampling.matches(experiment)) == 2
    assert len(sampling._within_budget([(number, 19.0) for number in range(50)])) == 3
    only_walked = sampling._within_budget([(number, 500.0) for number in range(50)])
    assert len(set(only_walked)) == sampling.MOST
    assert only_walked != sorted(only_walked), "20 of 50 in order: once in 10^18"
