"""Runs of presets that ship: they are of what the presets play today, and today's code plays them alike."""

from __future__ import annotations

import time

import pytest

from worker.presets import headless, registry, stored_runs
from worker.presets.comparison import NO_NUMBER, NOT_PLAYED

IDS = sorted(file.stem for file in stored_runs.FOLDER.glob("*.json"))
ENOUGH_S = 5.0
"""CPU seconds of matches of each run after which no further one is played again."""


def test_every_run_that_ships_fits_its_preset_and_has_all_of_its_figures():
    """Else it would not be shown: python -m worker preset ID --scale SCALE --store renews it.

    One by another version of a game or an engine is shown, and called out of date (test_stored of the pages).
    """
    assert set(IDS) <= set(registry.presets())
    for preset_id in IDS:
        run = stored_runs.load(preset_id)
        assert run.preset == preset_id
        assert run.is_fitting, f"{preset_id}: what it plays or counts has changed"
        assert (run.seed, run.deals) == (run.chosen.spec.get("seed", 0), run.chosen.deals), preset_id
        rows = stored_runs.compared(run).rows
        without = [row.label for row in rows if row.verdict == NO_NUMBER and row.ours.words != NOT_PLAYED]
        assert not without, f"{preset_id} has no figure for {without}"


@pytest.mark.slow  # the first matches of every arm, for some seconds each; that they fit is tested above
@pytest.mark.parametrize("preset_id", IDS)
def test_a_run_that_ships_is_played_alike(preset_id):
    run, began = stored_runs.load(preset_id), time.process_time()
    if run.outdated:
        pytest.skip(f"played by other versions: {run.outdated}")
    for now, kept in stored_runs.play_again(run):
        assert now == kept, "store it anew"
        if time.process_time() - began > ENOUGH_S:
            break


@pytest.mark.slow  # whole studies without chance of seconds: their figures follow from the code alone
@pytest.mark.parametrize("preset_id", ["heyden-table-3.1", "jansen-table-3", "wong-kang-ends-5"])
def test_a_study_that_ships_is_done_alike_to_the_last_figure(preset_id):
    run = stored_runs.load(preset_id)
    (ran,) = headless.run((registry.get(preset_id),), run.scale, 1, lambda words: None)
    assert [cell["ours"] for cell in ran.to_json()["cells"]] == [
        row["ours"] for row in stored_runs.compared(run).to_json()["cells"]
    ]
