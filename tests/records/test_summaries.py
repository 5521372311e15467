from __future__ import annotations

import dataclasses
import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import registry
from tests.records import samples, totals
from tests.records.experiments import make_experiment, target
from webapp.lab.results import cache
from webapp.records import metrics, rebuild, recorder, stored_matches, summaries, waiting_summaries
from webapp.records.batches import Batch
from webapp.records.models import Experiment, Summary, WaitingSummary
from worker.records import MatchRecord, PlyRecord


def ply(index: int, seat: int, legal: int, scores: tuple[int, int]) -> PlyRecord:
    return PlyRecord(index, seat, 0, "", legal, scores, None, 10, 3, 0, 0.5, 0.25, 0)


def by_hand() -> list[MatchRecord]:
    """Two rotations of a match of two plies, and one that failed."""
    first = dataclasses.replace(
        samples.match(0, num_plies=2),
        scores=(7, 3),
        ranks=(1, 2),
        results=("win", "loss"),
        metrics=({"cities": 2.5}, {"cities": 0.0}),
        plies=(ply(0, 0, 22, (4, 0)), ply(1, 1, 40, (4, 3))),
    )
    second = dataclasses.replace(
        samples.match(1, num_plies=2),
        scores=(5, 5),
        ranks=(1, 1),
        results=("draw", "draw"),
        metrics=({"cities": 1.0}, {"cities": 4.0}),
        plies=(ply(0, 0, 22, (0, 0)), ply(1, 1, 38, (0, 5))),
    )
    return [first, second, samples.failed(2, seat=1)]


Key = tuple[str, int, int, int]


def summed(records: list[MatchRecord]) -> dict[Key, summaries.Total]:
    return {(row.metric, row.lineup, row.seat, row.ply): row for row in summaries.summarise(Batch(records))}


def test_totals_by_hand(subtests: pytest.Subtests) -> None:
    for key, expected in [
        (("score", 0, 0, -1), (1, 7, 49)),
        (("score", 0, 1, -1), (1, 5, 25)),
        (("margin", 1, 1, -1), (1, -4, 16)),
        (("win", 0, 0, -1), (1, 1, 1)),
        (("draw", 0, 1, -1), (1, 1, 1)),
        (("loss", 1, 1, -1), (1, 1, 1)),
        (("loss", 1, 0, -1), (1, 0, 0)),
        (("failed", 1, 1, -1), (2, 1, 1)),  # the first match and the failed one
        (("failed", 0, 0, -1), (2, 0, 0)),
        (("num_plies", 0, 0, -1), (1, 2, 4)),
        (("cities", 0, 0, -1), (1, 2.5, 6.25)),
        (("cities", 0, 1, -1), (1, 4, 16)),
        (("playouts", 0, 0, -1), (1, 10, 100)),
        (("nodes", 0, 0, -1), (1, 3, 9)),
        (("cpu_s", 0, 0, -1), (1, 0.25, 0.0625)),
        (("score", 0, 0, 0), (1, 4, 16)),
        (("score", 0, 1, 1), (1, 5, 25)),
        (("legal_actions", 0, 0, 0), (1, 22, 484)),
        (("legal_actions", 1, 1, 1), (1, 40, 1600)),
        (("legal_actions", 0, 1, -1), (1, 38, 1444)),
    ]:
        with subtests.test(key=key, expected=expected):
            row = summed(by_hand())[key]
            assert (row.n, row.total, row.total_squares) == expected


def test_seats_not_on_turn_have_no_legal_actions() -> None:
    assert ("legal_actions", 1, 1, 0) not in summed(by_hand())


def test_histograms_count_in_the_metric_s_bins() -> None:
    rows = summed(by_hand())
    for row in rows.values():
        bins = metrics.bins(row.metric, row.ply)
        assert (row.histogram is None) == (bins is None)
        if bins is not None and row.histogram is not None:
            assert len(row.histogram) == bins.count
            assert row.histogram.sum() == row.n
            assert bins.low + bins.width * row.histogram.argmax() <= row.total / row.n


def test_values_beyond_the_bins_count_in_the_outer_ones() -> None:
    record = dataclasses.replace(by_hand()[0], scores=(100_000, -100_000))
    rows = summed([record])
    high, low = rows["score", 0, 0, -1].histogram, rows["score", 1, 1, -1].histogram
    assert high is not None
    assert low is not None
    assert high[-1] == 1
    assert low[0] == 1


def test_matches_without_plies_have_no_totals_by_ply() -> None:
    rows = summed([dataclasses.replace(by_hand()[0], plies=())])
    assert {key[3] for key in rows} == {metrics.WHOLE_MATCH}
    assert "playouts" not in {key[0] for key in rows}


def test_no_game_calls_a_metric_like_one_of_ours() -> None:
    ours = {key[0] for key in summed(by_hand())} - {"cities"}
    assert {"score", "margin", "cpu_s"} <= ours
    assert ours.isdisjoint(metric.id for game in registry.ids() for metric in registry.get(game).metric_table)


def kept(experiment: Experiment) -> dict[Any, tuple[Any, ...]]:
    """What readers see."""
    return totals.kept(experiment.pk)


def check_equal(found: dict[Any, tuple[Any, ...]], wanted: dict[Any, tuple[Any, ...]]) -> None:
    assert found.keys() == wanted.keys()
    for key, (n, total, squares, histogram) in wanted.items():
        assert (found[key][0], found[key][3]) == (n, histogram)
        # sums of fractions differ in their last bits with the order of additions
        assert found[key][1:3] == pytest.approx((total, squares), rel=1e-12)


@pytest.mark.django_db
def test_rebuilt_summaries_equal_those_written_with_the_matches() -> None:
    connection.ensure_connection()
    experiment, other = make_experiment(), make_experiment()
    matches = [samples.match(ordinal, num_plies=20 + ordinal % 3) for ordinal in range(25)] + [samples.failed(25)]
    for start in range(0, len(matches), 7):  # overlapping batches, in several shards
        batch = matches[max(0, start - 2) : start + 7]
        recorder.write(connection.connection, target(experiment, shard=start % 3), batch)
    recorder.write(connection.connection, target(other), matches[:3])
    written, untouched = kept(experiment), kept(other)
    assert written["num_plies", 0, 0, 0, -1][0] == 13
    WaitingSummary.objects.filter(experiment=experiment).delete()

    output = io.StringIO()
    call_command("rebuild_summaries", "--experiment", str(experiment.pk), stdout=output)

    assert output.getvalue() == f"experiment {experiment.pk}: 26 matches\n"
    check_equal(kept(experiment), written)
    assert kept(other) == untouched


@pytest.mark.django_db
def test_what_is_written_during_a_rebuild_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    experiment = make_experiment()
    first, later = [[samples.match(ordinal, num_plies=2) for ordinal in range(*ends)] for ends in ((0, 9), (9, 12))]
    recorder.write(connection.connection, target(experiment), first)
    monkeypatch.setattr(rebuild, "FEW", 2)
    monkeypatch.setattr(stored_matches, "BATCH", 4)
    seen = []

    def report(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 4:
            recorder.write(connection.connection, target(experiment), later)

    assert rebuild.rebuild(experiment.pk, report) == 12
    assert seen == [(4, 9), (8, 9), (9, 9), (12, 12), (12, 12)]
    rebuilt = kept(experiment)
    Summary.objects.all().delete()
    WaitingSummary.objects.all().delete()
    connection.connection.execute("delete from records_seat")
    connection.connection.execute("delete from records_ply")
    connection.connection.execute("delete from records_match")
    recorder.write(connection.connection, target(experiment), first + later)
    check_equal(rebuilt, kept(experiment))


@pytest.mark.django_db
def test_plies_that_go_during_a_rebuild_break_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    experiment = make_experiment()
    recorder.write(connection.connection, target(experiment), [samples.match(i, num_plies=2) for i in range(4)])
    before = kept(experiment)
    monkeypatch.setattr(rebuild, "FEW", 2)

    def report(done: int, total: int) -> None:
        Experiment.objects.filter(pk=experiment.pk).update(plies_gone_to=1)

    with pytest.raises(ValueError, match="removed meanwhile"):
        rebuild.rebuild(experiment.pk, report)
    assert kept(experiment) == before != {}


@pytest.mark.django_db
def test_numbers_that_web_processes_keep_are_made_anew_after_a_rebuild(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_summaries, "FEW", 0)
    connection.ensure_connection()
    experiment = make_experiment()
    recorder.write(connection.connection, target(experiment), [samples.match(0)])

    @cache.per_version
    def rows(made: Experiment) -> int:
        return Summary.objects.filter(experiment=made).count()

    whole = rows(experiment)
    assert whole
    Summary.objects.filter(experiment=experiment, metric="score").delete()
    assert rows(experiment) == whole
    call_command("rebuild_summaries", "--experiment", str(experiment.pk), stdout=io.StringIO())
    Summary.objects.filter(experiment=experiment).delete()
    assert rows(Experiment.objects.get(pk=experiment.pk)) == 0


@pytest.mark.django_db
def test_rebuild_of_an_unknown_experiment_is_refused() -> None:
    with pytest.raises(CommandError, match="no experiment 12345"):
        call_command("rebuild_summaries", "--experiment", "12345")
