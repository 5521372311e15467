import json

import pytest

from worker.__main__ import main
from worker.analysis.verdict import EQUIVALENT
from worker.presets import registry, stored_runs
from worker.presets.comparison import NOT_JUDGED
from worker.presets.model import Scale

RANDOM = {"engine": "random"}


@pytest.fixture
def small(monkeypatch):
    """Table 6.1 at quick scale, with four random matches instead."""
    preset = registry.get("heyden-table-6.1")
    spec = {**preset.scales["quick"].spec, "arms": [{"name": "a", "seats": [RANDOM, RANDOM]}], "deals": 2}
    monkeypatch.setitem(preset.scales, "quick", Scale("4 matches", spec))


def printed(capsys) -> dict:
    """What the command printed, as JSON."""
    return json.loads(capsys.readouterr().out)


def test_matches_are_played_and_compared(small, capsys):
    assert main(["preset", "heyden-table-6.1"]) == 0
    answer = printed(capsys)
    assert (answer["preset"], answer["scale"], answer["setup"], answer["failed"]) == (
        "heyden-table-6.1",
        "quick",
        "4 matches",
        0,
    )
    cell = next(cell for cell in answer["cells"] if cell["label"] == "MC: mean score")
    assert (cell["group"], cell["published"]["value"], cell["ours"]["n"]) == ("MC starts", 62.6, 2)
    assert sum(answer["counts"].values()) == 8


@pytest.mark.long
def test_the_number_of_processes_changes_nothing(small, capsys):
    assert main(["preset", "heyden-table-6.1"]) == 0
    first = printed(capsys)["cells"]
    assert main(["preset", "heyden-table-6.1", "--processes", "2"]) == 0
    assert printed(capsys)["cells"] == first


def test_a_scale_without_the_last_arms_of_a_table_has_its_pooled_line(monkeypatch, capsys):
    preset = registry.get("jansen-table-10")
    spec = preset.scales["quick"].spec
    arms = [{"name": arm["name"], "seats": [RANDOM, {"engine": "scripted", "options": {"policy": "bmfsm"}}]}
            for arm in spec["arms"]]  # fmt: skip
    monkeypatch.setitem(preset.scales, "quick", Scale("6 matches", {**spec, "arms": arms, "deals": 2}))
    assert main(["preset", "jansen-table-10"]) == 0
    answer = printed(capsys)
    assert [(line["name"], line["cells"]) for line in answer["pooled"]] == [("Wins", len(arms))]
    assert answer["sweeps"][0]["values"] == 8 > len(arms)


def test_several_seeds_are_pooled(small, capsys):
    assert main(["preset", "heyden-table-6.1", "--seed", "1", "2", "1"]) == 0
    answer = printed(capsys)
    assert answer["seeds"] == [1, 2]
    cell = next(cell for cell in answer["cells"] if cell["label"] == "MC: mean score")
    assert (cell["ours"]["n"], cell["level"]) == (4, 0.005)
    assert main(["preset", "heyden-table-3.1", "--seed", "1", "2"]) == 2
    assert "results of studies are not pooled" in capsys.readouterr().err


def test_a_stored_run_gives_the_figures_that_were_printed_and_can_be_played_again(small, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(stored_runs, "FOLDER", tmp_path)
    stored_runs.load.cache_clear()
    assert main(["preset", "heyden-table-6.1", "--store", "--seed", "3"]) == 2
    assert "is the preset's own" in capsys.readouterr().err
    assert main(["preset", "heyden-table-6.1", "--store"]) == 0
    answer, found = printed(capsys), stored_runs.load("heyden-table-6.1")
    again = json.loads(json.dumps(stored_runs.compared(found).to_json()))
    assert again["cells"] == answer["cells"]
    assert [line["difference"] for line in again["pooled"]] == pytest.approx(
        [line["difference"] for line in answer["pooled"]]
    )
    assert (found.units, found.seed, found.is_fitting, found.outdated) == (2, 2009, True, ())
    samples = list(stored_runs.play_again(found))
    assert len(samples) == stored_runs.MATCHES
    assert all(now == kept for now, kept in samples)
    stored_runs.load.cache_clear()


def test_studies_are_done_and_compared(capsys):
    """The counts of Wong and Kang, digit for digit."""
    assert main(["preset", "wong-kang-ends-5", "--scale", "published"]) == 0
    assert [(cell["ours"]["value"], cell["verdict"]) for cell in printed(capsys)["cells"]] == [
        (303388, EQUIVALENT),
        (275764, NOT_JUDGED),
        (2768, EQUIVALENT),
        (2180, NOT_JUDGED),
    ]


def test_without_an_id_all_are_listed(capsys):
    assert main(["preset"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == list(registry.presets())
    assert set(rows[0]["scales"]) == {"quick", "standard", "published"}


def test_an_unknown_id_is_refused(capsys):
    assert main(["preset", "heyden-table-9.9"]) == 2
    assert "no preset 'heyden-table-9.9'" in capsys.readouterr().err
