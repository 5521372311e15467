"""Exports: whole, well quoted, in one snapshot, and adding up to the numbers on the page."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from django.test import Client

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.jobs import share_links as services
from webapp.lab.results import exports, files
from webapp.lab.results.selectors import results
from webapp.records import metric_numbers
from webapp.records.models import Arm, Experiment, Match, Ply, Seat
from worker.analysis.intervals import CONFIDENCE
from worker.stats import answers, tables

pytestmark = pytest.mark.django_db(transaction=True)
NASTY = 'A "quoted", arm;\nwith a \\ and an é and \t a tab'


def _read(data: bytes, format_id: str) -> list[dict[str, Any]]:
    if format_id == "csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    if format_id == "jsonl":
        return [json.loads(line) for line in data.decode().splitlines()]
    return parquet.read_table(io.BytesIO(data)).to_pylist()


def _export(made: Any, table: str, format_id: str, match: Match | None = None) -> list[dict[str, Any]]:
    return _read(b"".join(exports.stream(made, table, format_id, match)), format_id)


@pytest.mark.parametrize("format_id", exports.FORMATS)
def test_matches_add_up_to_the_page(alice: Any, format_id: str) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [RANDOM, FLAT]], deals=3)
    rows = _export(made, "matches", format_id)
    assert len(rows) == 2 * made.num_matches
    for side_row in results(made).sides:
        for side in side_row:
            own = [r for r in rows if (int(r["arm"]), int(r["place"])) == (side.side.arm, side.side.place)]
            result = side.result
            assert len(own) == result.matches
            assert sum(row["result"] == "win" for row in own) == result.wins
            assert sum(row["result"] == "draw" for row in own) == result.draws
            assert sum(int(row["score"]) for row in own) == pytest.approx(result.mean_score * result.matches)
            assert sum(int(row["margin"]) for row in own) == pytest.approx(result.mean_margin * result.matches)
            kinds = ("city", "road", "monastery", "field")
            assert sum(float(row[f"points_{kind}"]) for row in own for kind in kinds) == pytest.approx(
                result.mean_score * result.matches
            )


def test_the_command_stats_says_of_an_export_what_the_page_says(alice: Any, tmp_path: Path) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [RANDOM, FLAT]], deals=4)
    path = tmp_path / "matches.csv"
    path.write_bytes(b"".join(exports.stream(made, "matches", "csv", None)))
    sides = {side.side.arm: side.result for row in results(made).sides for side in row if side.side.place == 0}
    for on, value, interval in (
        ("win_rate", "win_rate", "win_rate_interval"),
        ("margin", "mean_margin", "margin_interval"),
        ("score", "mean_score", "score_interval"),
    ):
        answer = answers.rates(tables.arms(path, on, place=0), on, None, CONFIDENCE)
        for arm in answer["arms"]:
            result = sides[arm["arm"]]
            assert (arm["deals"], arm["matches"], arm["left_out"]) == (result.deals, result.matches, 0)
            assert arm["mean"] == pytest.approx(getattr(result, value)), on
            assert arm["interval"] == pytest.approx(getattr(result, interval)), on


def test_a_match_that_was_played_on_has_all_that_it_replays_from(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = factory.played(alice, deals=1)
    Match.objects.filter(experiment=made).update(renewal={"ply": 3, "seed": 2**62 + 1})
    for format_id in exports.FORMATS:
        rows = _export(made, "matches", format_id)
        assert {(int(row["renewal_ply"]), int(row["renewal_seed"])) for row in rows} == {(3, 2**62 + 1)}
    monkeypatch.setattr(Experiment, "is_secret", True)
    assert {row["renewal_seed"] for row in _export(made, "matches", "jsonl")} == {None}


def test_an_export_says_which_team_a_seat_is_of(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM]], deals=1, game="dominoes")
    rows = [row for row in _export(made, "matches", "jsonl") if row["rotation"] == 1]
    assert [row["team"] for row in rows] == [1, 0, 1, 0]
    for team in (0, 1):
        assert len({(row["result"], row["score"], row["margin"]) for row in rows if row["team"] == team}) == 1
    assert [row["rounds"] for row in rows] == [1] * 4


@pytest.mark.parametrize("format_id", exports.FORMATS)
def test_plies_are_all_there_in_order(alice: Any, format_id: str) -> None:
    made = factory.played(alice, deals=2)
    rows = _export(made, "plies", format_id)
    kept = list(Ply.objects.filter(match__experiment=made).order_by("match_id", "ply"))
    assert [(int(r["match"]), int(r["ply"]), int(r["action"])) for r in rows] == [
        (p.match_id, p.ply, p.action) for p in kept
    ]
    assert [int(row["digest"]) for row in rows] == [ply.digest for ply in kept]
    assert [(int(row["score_0"]), int(row["score_1"])) for row in rows] == [tuple(ply.scores) for ply in kept]
    info = rows[5]["info"] if format_id == "jsonl" else json.loads(rows[5]["info"])
    assert info == kept[5].info


@pytest.mark.parametrize("format_id", exports.FORMATS)
def test_whatever_stands_in_a_name_comes_back(alice: Any, format_id: str) -> None:
    made = factory.experiment(alice, deals=1)
    Arm.objects.filter(experiment=made).update(name=NASTY)
    factory.write(made, [factory.record(made, 0, 0)])
    assert {row["arm_name"] for row in _export(made, "matches", format_id)} == {NASTY}


@pytest.mark.parametrize(
    "name", ['=HYPERLINK("http://example.org","x")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "a=1"]
)
def test_no_name_is_a_formula_in_a_spreadsheet(alice: Any, name: str) -> None:
    made = factory.experiment(alice, deals=1)
    Arm.objects.filter(experiment=made).update(name=name)
    factory.write(made, [factory.record(made, 0, 0)])
    (shown,) = {row["arm_name"] for row in _export(made, "matches", "csv")}
    assert shown == (name if name.startswith((" ", "a")) else f"'{name}")
    assert {row["arm_name"] for row in _export(made, "matches", "parquet")} == {name}


@pytest.mark.parametrize("format_id", exports.FORMATS)
def test_failed_matches_are_there_without_a_result(alice: Any, format_id: str) -> None:
    made = factory.experiment(alice, deals=1)
    factory.write(made, [factory.record(made, 0, 0), factory.record(made, 0, 1, fail_at=7)])
    failed = [row for row in _export(made, "matches", format_id) if row["status"] == "failed"]
    assert len(failed) == 2
    assert all(row["score"] in (None, "") and row["result"] in (None, "") for row in failed)
    assert {row["failure_kind"] for row in failed} == {"exception"}
    assert len([r for r in _export(made, "plies", format_id) if int(r["match"]) == int(failed[0]["match"])]) == 7


def test_nothing_played_gives_the_heads_alone(alice: Any, subtests: pytest.Subtests) -> None:
    for format_id in exports.FORMATS:
        for table in exports.TABLES:
            with subtests.test(format_id=format_id, table=table):
                made = factory.experiment(alice)
                data = b"".join(exports.stream(made, table, format_id))
                assert _read(data, format_id) == []
                if format_id == "parquet":
                    assert "seat" in parquet.read_schema(io.BytesIO(data)).names


def test_parquet_columns_are_typed(alice: Any) -> None:
    made = factory.played(alice, deals=1)
    schema = parquet.read_schema(io.BytesIO(b"".join(exports.stream(made, "matches", "parquet"))))
    assert str(schema.field("score").type) == "int64"
    assert str(schema.field("finished_at").type) == "timestamp[us, tz=UTC]"
    ids = {metric.id for metric in game_registry.get("carcassonne").metric_table}
    assert ids <= set(schema.names)


def test_a_file_holds_one_snapshot_although_matches_keep_coming(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "READ_BYTES", 1)  # a block per row
    made = factory.experiment(alice, deals=3)
    factory.write(made, [factory.record(made, 0, i) for i in range(3)])
    blocks = exports.stream(made, "matches", "csv")
    first = next(blocks)
    factory.write(made, [factory.record(made, 0, 3)])
    rows = _read(first + b"".join(blocks), "csv")
    assert len({row["match"] for row in rows}) == 3
    assert len(_export(made, "matches", "csv")) == 8


def test_an_abandoned_download_gives_its_connection_back(alice: Any) -> None:
    from django.db import connection

    made = factory.played(alice, deals=1)
    blocks = exports.stream(made, "plies", "parquet")
    next(blocks)
    blocks.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY (SELECT%' AND state = 'active'")
        assert cursor.fetchone() == (0,)


def test_downloads_have_slots_of_all_and_of_each_person_or_address(alice: Any, bob: Any, client: Client) -> None:
    made = factory.played(alice, deals=1)
    link = services.share(made)
    client.force_login(alice)
    url, shared = f"/experiments/{made.pk}/export/matches.csv", f"/r/{link.slug}/export/matches.csv"
    first, second = (client.get(url) for _ in range(files.MAX_OF_ONE))
    busy = client.get(url)
    assert (busy.status_code, busy["Retry-After"]) == (503, "60")
    assert "At most 2 files" in busy.content.decode()
    assert "try again" in busy.content.decode()
    b"".join(first)  # read to its end
    second.close()  # given up before its first block
    others = [Client(REMOTE_ADDR=f"192.0.2.{number // 2}").get(shared) for number in range(files.MAX_DOWNLOADS)]
    assert [answer.status_code for answer in others] == [200] * files.MAX_DOWNLOADS
    assert "Many files" in client.get(url).content.decode()
    assert Client(REMOTE_ADDR="192.0.2.9").get(shared).status_code == 503
    others.pop().close()
    guest = Client(REMOTE_ADDR="192.0.2.0").get(shared)
    assert "At most 2 files" in guest.content.decode(), "guests and strangers share their address's"
    own = client.get(url)
    assert own.status_code == 200
    for answer in (*others, own):
        answer.close()
    assert client.get(url).status_code == 200


def test_a_download_without_end_is_broken_off(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "READ_BYTES", 1)
    blocks = exports.stream(factory.played(alice, deals=1), "plies", "csv")
    next(blocks)
    monkeypatch.setattr(blocks, "_ends_at", 0.0)
    with pytest.raises(files.TooLongError):
        next(blocks)


def test_one_match_alone(alice: Any) -> None:
    made = factory.played(alice, deals=2)
    match = made.matches.order_by("pk")[1]
    assert {int(row["match"]) for row in _export(made, "plies", "csv", match)} == {match.pk}


class TestViews:
    """Who gets files, and how they are named."""

    def test_the_owner_gets_a_named_file(self, alice: Any, client: Client) -> None:
        made = factory.played(alice, deals=1)
        client.force_login(alice)
        answer = client.get(f"/experiments/{made.pk}/export/plies.jsonl")
        assert answer.streaming
        assert answer["Content-Disposition"] == f'attachment; filename="meeple-lab-experiment-{made.pk}-plies.jsonl"'
        assert answer["Content-Type"] == "application/x-ndjson"
        assert len(_read(b"".join(answer), "jsonl")) == 142

    def test_strangers_and_guests_get_404(self, alice: Any, bob: Any, client: Client) -> None:
        made = factory.played(alice, deals=1)
        url = f"/experiments/{made.pk}/export/matches.csv"
        assert client.get(url).status_code == 404
        client.force_login(bob)
        assert client.get(url).status_code == 404

    @pytest.mark.parametrize("name", ["matches.xlsx", "owners.csv"])
    def test_unknown_files_are_404(self, alice: Any, client: Client, name: str) -> None:
        made = factory.experiment(alice)
        client.force_login(alice)
        assert client.get(f"/experiments/{made.pk}/export/{name}").status_code == 404


@pytest.mark.parametrize("format_id", exports.FORMATS)
def test_what_a_sweep_varies_has_a_column_an_axis(alice: Any, format_id: str) -> None:
    axes = [
        {"paths": ["seats[0].budget.playouts"], "values": [10, 20]},
        {"paths": ["seats[0].options.utility"], "values": ["wdl", "differ'ence"]},
    ]
    lineups = [
        [seat("flat_mc", {"utility": utility}, {"playouts": playouts}), RANDOM]
        for playouts in (10, 20)
        for utility in ("wdl", "differ'ence")
    ]
    made = factory.played(alice, lineups, deals=1, sweep={"axes": axes})
    rows = _export(made, "matches", format_id)
    found = {int(row["arm"]): (int(row["sweep_playouts"]), row["sweep_utility"]) for row in rows}
    assert found == {0: (10, "wdl"), 1: (10, "differ'ence"), 2: (20, "wdl"), 3: (20, "differ'ence")}


def test_columns_of_axes_that_share_a_name_say_which_seat(alice: Any) -> None:
    axes = [{"paths": [f"seats[{i}].budget.playouts"], "values": [10, 20]} for i in (0, 1)]
    made = factory.played(alice, [[FLAT, FLAT]] * 4, deals=1, sweep={"axes": axes})
    row = _export(made, "matches", "jsonl")[-1]
    assert (row["sweep_seat0_playouts"], row["sweep_seat1_playouts"]) == (20, 20)
    assert not [name for name in _export(factory.played(alice, deals=1), "matches", "jsonl")[0] if "sweep" in name]


@pytest.mark.parametrize("format_id", ["parquet", pytest.param("csv", marks=pytest.mark.slow)])
def test_long_metrics_are_those_of_the_wide_table(alice: Any, format_id: str) -> None:
    made = factory.played(alice, [[FLAT, RANDOM]], deals=1, game="dominion")
    rows, metrics = _export(made, "metrics", format_id), game_registry.get("dominion").metric_table
    expected = [
        (row["match"], row["seat"], metric.id, metric.group, metric.kind, row[metric.id])
        for row in _export(made, "matches", format_id)
        for metric in metrics
        if row[metric.id] not in (None, "")
    ]
    named = [tuple(row[key] for key in ("match", "seat", "metric", "group", "case", "value")) for row in rows]
    assert [(*row[:4], row[4] or "", row[5]) for row in named] == expected, "the same numbers to the last digit"
    first, following = exports.span_after(made, None, 1)
    part = _read(b"".join(exports.stream(made, "metrics", format_id, first)), format_id)
    rest = _read(
        b"".join(exports.stream(made, "metrics", format_id, exports.span_after(made, following, None)[0])), format_id
    )
    assert sorted(map(str, part + rest)) == sorted(map(str, rows))
    assert {str(row["match"]) for row in part} == {str(following)}


def test_metrics_of_rows_of_before_are_rows_too(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM]], deals=1)
    before = _export(made, "metrics", "jsonl")
    names = metric_numbers.of_game(made.game)
    for row in Seat.objects.filter(experiment=made):
        Seat.objects.filter(match=row.match_id, seat=row.seat).update(
            metrics=names.read(row), counts=None, measures=None
        )
    assert _export(made, "metrics", "jsonl") == before


def test_parquet_says_what_each_column_means(alice: Any) -> None:
    made = factory.played(alice, deals=1)
    schema = parquet.read_schema(io.BytesIO(b"".join(exports.stream(made, "matches", "parquet"))))
    found = {name: schema.field(name).metadata for name in schema.names}
    assert found["margin"] == {
        b"description": b"Own score less the best opponent's.",
        b"unit": b"points",
    }
    assert all(said[b"description"] for said in found.values())
