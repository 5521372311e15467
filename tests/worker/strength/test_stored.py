"""Measurements that ship: they are of what they measure today, and their figures follow from their sums."""

from __future__ import annotations

import json
import time

import pytest

from engines.levels import Measurement as Played
from webapp.play import measured_deals
from worker import spec as specs
from worker.analysis.methods import FIXED, AlwaysValid
from worker.spec import stop
from worker.strength import headless, registry, stored
from worker.studies import spec as study_specs

IDS = sorted(file.stem for file in stored.FOLDER.glob("*.json"))
ENOUGH_S = 20.0
"""CPU seconds up to which a measurement is carried out again."""


def test_every_measurement_has_a_spec_that_can_be_carried_out():
    assert len(registry.measurements()) == sum(len(registry.of_game(game)) for game in registry.GAMES), "an id twice"
    for one in registry.measurements().values():
        made = study_specs.from_json(one.spec) if one.is_study else specs.from_json(one.spec)
        assert made.game == one.game, one.id
        if not one.is_study:
            assert len(made.arms) == 1, f"{one.id}: one line-up, of which the first place is measured"
        if one.target:
            assert made.stop.rule == (stop.SPRT if one.target.about else stop.FIXED), one.id


def test_every_file_that_ships_fits_its_measurement():
    """Else it would not be shown: python -m worker strength ID --store renews it.

    One by another version of a game or an engine is shown, and called out of date (test_strength of the pages).
    """
    assert set(IDS) <= set(registry.measurements())
    for measurement_id in IDS:
        found = stored.load(measurement_id)
        assert found.id == measurement_id
        assert found.is_fitting, f"{measurement_id}: what it plays has changed"
        assert found.cpu_s > 0
        assert found.machine
        assert found.units > 0


def test_figures_of_matches_follow_from_their_sums():
    for one in registry.measurements().values():
        found = stored.load(one.id)
        if one.is_study or found is None:
            continue
        (arm,) = found.report["arms"]
        place, rows = arm["places"][0], arm["places"][0]["deal_results"]
        size = {row["wins"] + row["draws"] + row["losses"] for row in rows}
        assert len(size) == 1, one.id
        played = Played(int(size.pop()), tuple((int(r["wins"]), int(r["draws"]), r["deals"]) for r in rows))
        assert (place["matches"], place["wins"]) == (played.matches, played.wins), one.id
        method = AlwaysValid(found.report["deals"]) if found.report["intervals"] == "for every look" else FIXED
        assert place["win_rate_interval"] == pytest.approx(list(method.rate(measured_deals.wins(played)))), one.id
        assert (found.report["failed"], found.report["seed"]) == (0, one.spec["seed"]), one.id
        assert len(found.thinking_ms) == len(arm["places"])


@pytest.mark.slow  # some seconds of matches each; that they fit is tested above
@pytest.mark.parametrize("measurement_id", IDS)
def test_a_measurement_that_ships_is_found_again(measurement_id):
    found, one = stored.load(measurement_id), registry.get(measurement_id)
    if found.outdated or found.cpu_s > ENOUGH_S or "seconds" in str(one.spec):
        pytest.skip("by other versions, by a clock, or too long")
    began = time.process_time()
    again = headless.carry_out(one, 1, lambda words: None)
    report = json.loads(json.dumps(again.report))  # intervals become lists
    assert (report, again.units) == (found.report, found.units), f"after {time.process_time() - began:.0f} s"
