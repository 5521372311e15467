import json

import pytest

from tests.webapp.lab.results.by_hand import place_bounds
from tests.worker.ladders import made_up
from worker import spec as specs
from worker.__main__ import main
from worker.files import match_line
from worker.ladders import batch, standing
from worker.ladders.batch import Rows
from worker.ladders.standing import Meeting, Standing
from worker.spec import SpecError

ENTRIES = [
    {"name": "Random", "engine": "random"},
    {"name": "Plain", "engine": "scripted", "options": {"policy": "gprd_plain"}},
    {"name": "Full", "engine": "scripted", "options": {"policy": "fg"}},
]


def spec(entries, pairing="round_robin", **changes):
    ladder = {"pairing": pairing, "entries": entries}
    whole = {"version": 1, "game": "kingdomino", "seats": 2, "deals": 3, "seed": 2, "ladder": ladder}
    return whole | {"record": "matches"} | changes


@pytest.fixture
def play(tmp_path, capsys):
    """Return a function that plays a ladder by the command line: its report and its rows."""

    def played(data, *arguments):
        path, out = tmp_path / "spec.json", tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        path.write_text(json.dumps(data))
        assert main(["ladder", str(path), "--out", str(out), *arguments]) == 0
        return json.loads(capsys.readouterr().out), out

    return played


def test_an_engine_that_enters_later_plays_what_all_would_have_played(play):
    two, rows = play(spec(ENTRIES[:2]))
    assert two["matches"] == 6
    assert two["next"] == {"end": "planned", "steps": []}
    three, more = play(spec(ENTRIES), "--rows", str(rows))
    whole, alone = play(spec(ENTRIES))
    lines = [set(path.read_text().splitlines()) for path in (rows, more, alone)]
    assert lines[0] | lines[1] == lines[2]
    assert len(lines[1]) == 12
    assert three["entries"] == whole["entries"]
    assert three["pairs"] == whole["pairs"]


@pytest.mark.slow
def test_two_processes_play_what_one_plays(play):
    data = spec(ENTRIES, pairing="uncertainty", deals=40, record="standard")
    (one, rows), (two, others) = play(data), play(data, "--processes", "2")
    assert rows.read_bytes() == others.read_bytes()
    assert all(row.pop("cpu_s_a_match") > 0 for report in (one, two) for row in report["entries"])
    assert one == two


def test_rows_of_files_are_those_of_records(tmp_path):
    found = made_up.spec_of(3, pairing="round_robin", deals=2)
    records = [made_up.player(found)(match) for match in made_up.schedule.expand(found)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(match_line(found, record)) + "\n" for record in records))
    assert batch.read(found, path) == [standing.row_of(record, 2) for record in records]
    other = made_up.spec_of([{"engine": "random"}, {"engine": "scripted"}])
    with pytest.raises(SpecError, match=r"line 1: 'Engine 0 v Engine 1' is no table|is no match"):
        batch.read(specs.from_json(specs.to_json(other) | {"arms": specs.to_json(other)["arms"]}), path)
    path.write_text("{}\n")
    with pytest.raises(SpecError, match="line 1 is no match that --out wrote"):
        batch.read(found, path)


def test_specs_go_to_their_own_command(play, tmp_path, capsys):
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(spec(ENTRIES)))
    assert main(["run", str(path)]) == 2
    assert "is played by python -m worker ladder" in capsys.readouterr().err
    path.write_text(json.dumps({"version": 1}))
    assert main(["ladder", str(path)]) == 2


def test_a_report_names_everything(play):
    answer, _ = play(spec(ENTRIES, deals=12))
    assert [row["name"] for row in answer["entries"]] == ["Full", "Plain", "Random"]
    assert answer["entries"][0]["ranks"][0] == 1
    assert len(answer["covariance"]) == 3
    assert {(pair["first"], pair["second"]) for pair in answer["pairs"]} == {
        ("Random", "Plain"),
        ("Random", "Full"),
        ("Plain", "Full"),
    }
    row = next(pair for pair in answer["pairs"] if pair["second"] == "Full" and pair["first"] == "Plain")
    assert sum(found["deals"] for found in row["deal_results"]) == 12
    assert Rows(specs.from_json(spec(ENTRIES))).to_json()["fit"] is None


def test_a_mean_place_stays_among_the_places() -> None:
    ranks = [[2 if (deal, seating) == (0, 0) else 1 for seating in range(3)] for deal in range(10)]
    meetings = tuple(
        Meeting(deal, (0, 1, 2), tuple((rank, 3 - rank, 3) for rank in row), ((0.0, 0.0, 0.0),) * 3)
        for deal, row in enumerate(ranks)
    )
    ladder = made_up.spec_of(3, seats=3).ladder
    assert ladder is not None
    mean, ends = Standing(ladder, 5, meetings).mean_rank(0)
    assert mean == pytest.approx(31 / 30)
    assert ends == pytest.approx(place_bounds(ranks, 3))
    assert ends is not None
    assert 1 <= ends.low < mean
