import csv
import io
import json

from worker import schedule
from worker import spec as specs
from worker.files import CSV_HEAD, METRIC_FIELDS, lines, match_line, metric_lines
from worker.runner import play_match


def played(data, size=2):
    spec = specs.from_json(data)
    return spec, [play_match(match) for match in schedule.match_specs(spec, 0, 0, size)]


def test_a_line_holds_the_match_in_seat_order(dice):
    spec, (_, record) = played(dice(("taker", "dicer")))
    line = match_line(spec, record)
    assert (line["arm"], line["arm_name"], line["deal"], line["rotation"]) == (0, "arm 0", 0, 1)
    assert line["seats"] == [
        {"seat": 0, "place": 1, "engine": "dicer"},
        {"seat": 1, "place": 0, "engine": "taker"},
    ]
    assert (line["scores"], line["ranks"], line["result"]) == (record.scores, record.ranks, record.results)
    assert (line["seed"], line["deal_seed"], line["digest"]) == (record.seed, record.deal_seed, record.digest)
    assert [ply["action"] for ply in line["plies"]] == [ply.action for ply in record.plies]


def test_times_are_written_only_when_asked_for(dice):
    spec, (record, _) = played(dice())
    plain, timed = match_line(spec, record), match_line(spec, record, times=True)
    assert "elapsed_s" not in plain
    assert "cpu_s" not in plain["plies"][0]
    assert timed["cpu_s"] == record.cpu_s
    assert timed["plies"][0]["elapsed_s"] == record.plies[0].elapsed_s


def test_a_spec_without_plies_has_none_in_its_lines(dice):
    spec, (record, _) = played(dice(record="matches"))
    assert "plies" not in match_line(spec, record)


def test_a_failed_match_says_why(dice):
    spec, (record, _) = played(dice(("taker", "raiser")))
    line = match_line(spec, record)
    assert (line["status"], line["scores"], line["result"]) == ("failed", (), ())
    assert (line["failure"]["seat"], line["failure"]["kind"]) == (1, "exception")
    assert line["failure"]["message"].startswith("RuntimeError: no idea")


def test_one_line_of_json_per_match_in_the_order_given(dice):
    spec, records = played(dice(), size=5)
    found = [json.loads(line) for line in (lines(spec, records[:3]) + lines(spec, records[3:])).splitlines()]
    assert [(line["deal"], line["rotation"]) for line in found] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]


def test_metrics_are_rows_in_seat_order_as_in_the_lines():
    seats = [{"engine": "scripted"}, {"engine": "random"}]
    spec, records = played(
        {
            "version": 1,
            "game": "kingdomino",
            "seats": 2,
            "arms": [{"name": "One", "seats": seats}],
            "deals": 1,
            "seed": 7,
        }
    )
    written = {}
    for is_csv in (True, False):
        head = CSV_HEAD if is_csv else ""
        text = io.StringIO(head + metric_lines(spec, records, is_csv=is_csv), newline="")
        written[is_csv] = list(csv.DictReader(text)) if is_csv else [json.loads(line) for line in text]
    assert [{name: str(value) for name, value in row.items()} for row in written[False]] == written[True]
    assert tuple(written[True][0]) == tuple(METRIC_FIELDS)
    found = {(row["rotation"], row["seat"], row["metric"]): row["value"] for row in written[False]}
    assert found == {
        (record.rotation, seat, name): value
        for record in records
        for seat, values in enumerate(record.metrics)
        for name, value in values.items()
    }
