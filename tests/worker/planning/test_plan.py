import json
import math

import numpy as np
import pytest

from games import registry as game_registry
from tests.looping import looped
from worker import __main__ as program
from worker import spec as specs
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.planning import design as designs
from worker.planning import kinds, openings, trial
from worker.planning.design import EVEN, STORED, TRIAL, Design, Spread
from worker.planning.plan import plan, rounded

RANDOM, SCRIPTED = {"engine": "random"}, {"engine": "scripted"}
FLAT = [{"engine": "flat_mc", "options": {}, "budget": {"playouts": n}} for n in (10, 20, 30)]
ARMS = [{"name": f"A{i}", "seats": [engine, RANDOM]} for i, engine in enumerate([SCRIPTED, *FLAT])]


def spec(**changes):
    return {"version": 1, "game": "carcassonne", "seats": 2, "deals": 3, "seed": 7} | changes


def asked(arms=2, deals=400, **changes):
    return specs.from_json(spec(arms=ARMS[:arms], deals=deals, **changes))


def asked_four():
    return specs.from_json(spec(seats=4, arms=[{"name": "x", "seats": [SCRIPTED, RANDOM, RANDOM, RANDOM]}]))


def rules(made):
    return {row.rule.rule: row for row in made.outlooks}


def test_the_spread_of_equals_by_hand():
    """Two matches a deal: 0.25 / 2 = 0.125 for one arm, 0.25 for two; four seats of which one wins: 0.1875 / 4."""
    one, two = (designs.even_spread(Design.of(asked(arms))) for arms in (1, 2))
    assert (one.deviation**2, two.deviation**2, one.source) == (pytest.approx(0.125), pytest.approx(0.25), EVEN)
    assert designs.even_spread(Design(1, 4, 4)).deviation ** 2 == pytest.approx(0.1875 / 4)


def test_the_spread_of_deals_is_that_of_what_is_compared():
    """Differences 1, 0, 1, 0, ... have the variance 0.25 * 8 / 7; the first arm's own noise is in it, too."""
    first = np.array([0.0, 1.0] * 4)
    values = np.stack([first, np.ones(8)])
    assert designs.spread_of(values, 0.5, TRIAL).deviation ** 2 == pytest.approx(2 / 7)
    assert designs.spread_of(values[1:], 0.5, TRIAL) == Spread(math.sqrt(0.25 / 8), 8, TRIAL)  # as if one were half off
    assert designs.spread_of(values[:, :7], 0.5, TRIAL) is None
    assert Spread(1.0, 9, TRIAL).unsure == 0.25


def test_a_plan_of_two_arms_by_hand():
    """A deviation of 50: 5 points take (1.960 + 0.842)^2 * 100 = 784.9 deals and a few for Student; 400 show 7.0."""
    made = plan(asked(), Spread(0.5, 24, TRIAL), 5.0)
    assert (made.measure, made.needed, made.is_possible) == (WIN_RATE, 787, True)
    assert made.detectable == pytest.approx(2.8016 * 50 / 20, rel=0.01)
    assert made.half_width == pytest.approx(1.966 * 50 / 20, rel=0.001)
    assert made.at_every_look > made.detectable
    assert made.needed_s == pytest.approx(787 * 2 * made.arm_deal_s)
    found = rules(made)
    assert found["fixed"].is_chosen
    assert found["best_of"].refused == "for 3 arms or more"
    # a precision of 2.5 takes (1.96 * 50 / 2.5)^2 = 1,537: more than there are
    assert (found["precision"].rule.half_width, found["precision"].wanted.deals) == (2.5, 400)
    assert found["sprt"].rule.h1 == 5.0
    assert found["sprt"].wanted.deals < 400
    assert found["fixed"].curve[-1].difference == pytest.approx(1.5 * made.detectable, rel=0.01)


def test_many_arms_share_the_error_and_one_has_two_sides():
    three, two = (plan(asked(arms), Spread(0.5, 24, TRIAL), 5.0) for arms in (3, 2))
    one = plan(asked(1), Spread(0.25, 24, TRIAL), 5.0)  # a rate: the difference of both sides deviates by twice as much
    assert three.needed == pytest.approx((2.2414 + 0.8416) ** 2 * 100, abs=4)
    assert three.needed > two.needed == one.needed
    assert rules(three)["sprt"].refused == "for one arm or two"
    assert (three.widest, one.widest, plan(asked_four(), Spread(0.25, 24, TRIAL), 5.0).widest) == (100, 100, 75)
    assert (one.deviation, one.half_width) == (two.deviation, pytest.approx(two.half_width))
    # the only arm's rate is 2.5 above even where it is 5 above its opponents': the deals are the same
    assert (rules(one)["sprt"].rule.h1, rules(one)["precision"].rule.half_width) == (5.0, 1.25)
    for rule in ("sprt", "precision"):
        assert rules(one)[rule].wanted.deals == pytest.approx(rules(two)[rule].wanted.deals)


def test_a_rule_of_the_spec_keeps_its_numbers():
    sprt = {"rule": "sprt", "on": "margin", "h0": -1.0, "h1": 2.0}
    made = plan(asked(stop=sprt), Spread(9.0, 24, TRIAL), 2.0)
    assert (made.measure, made.widest) == (MARGIN, None)
    assert (rules(made)["sprt"].rule.h0, rules(made)["precision"].rule.on) == (-1.0, "margin")
    elo = {"rule": "sprt", "on": "normalised", "h0": 0.0, "h1": 20.0}
    found = rules(plan(asked(stop=elo, deals=5000), Spread(0.5, 24, TRIAL), 4.07))["sprt"]
    # 20 points are 0.0576 deviations of a match, 0.0814 of a deal of two: 4.07 per cent where these deviate by 50
    assert found.wanted.found == pytest.approx(0.95, abs=0.03)


def test_what_cannot_be_seen_is_said():
    few, tiny, huge = (plan(asked(deals=n), Spread(0.5, 0, EVEN), x) for n, x in ((1, 5.0), (400, 0.01), (400, 130.0)))
    assert (few.detectable, few.half_width) == (None, math.inf)
    assert plan(asked(deals=2), Spread(0.5, 0, EVEN), 5.0).detectable is None  # more than there can be
    assert tiny.needed is None
    assert tiny.least == pytest.approx(2.8016 * 50 / 1000, rel=0.001)
    assert not huge.is_possible


def test_kinds_set_deals_rule_and_error():
    quick, publishable, regression = (kinds.kind(name, asked(2), Spread(0.5, 24, TRIAL)) for name in kinds.KINDS)
    assert (quick.deals, quick.stop.rule) == (
        55,
        "fixed",
    )  # 20 points: 7.85 * 2.5^2 = 49.05, and 2 for Student, up to a 5
    assert (publishable.stop.rule, publishable.stop.half_width, publishable.deals) == ("precision", 3.0, 1700)
    assert (regression.stop.h0, regression.stop.h1, regression.deals) == (-5.0, 0.0, 1200)
    assert kinds.kind("publishable", asked(3), Spread(0.5, 24, TRIAL)).stop.rule == "best_of"
    assert kinds.kind("regression", asked(3), Spread(0.5, 24, TRIAL)) is None
    assert kinds.kind("regression", asked(1), Spread(0.3, 24, TRIAL)).stop.h0 == -10.0  # of opponents: 5 from even
    assert [kinds.kind("quick", asked(n), Spread(0.3, 24, TRIAL)).wanted for n in (1, 2)] == [40, 20]
    for arms, name in ((1, "regression"), (2, "quick"), (1, "publishable"), (2, "regression"), (3, "publishable")):
        found = kinds.kind(name, asked(arms), Spread(0.5, 24, TRIAL))
        cost = kinds.outlook(found, asked(arms), Spread(0.5, 24, TRIAL))
        assert cost.deals <= found.deals
        assert cost.found > 0.78
    assert [rounded(x) for x in (7, 31.2, 101, 1234)] == [10, 35, 110, 1300]


@looped("game_id", [game for game in game_registry.ids() if openings.for_game(game)])
def test_openings_are_close_and_measured(game_id):
    opening = openings.for_game(game_id)
    share = opening.measured.won / opening.measured.matches
    assert 0.4 < share + opening.measured.drawn / opening.measured.matches / 2 < 0.6
    checked = openings.measuring_spec(opening, 40)
    assert checked.seats == opening.measured.seats
    for measure in (WIN_RATE, MARGIN):
        alone, apart = opening.measured.deviations[measure]
        assert alone < apart < 2 * alone
        assert openings.stored_spread(checked, measure) == Spread(apart, opening.measured.deals, STORED)
    none = specs.from_json({**specs.to_json(checked), "rotation": "none"})
    assert openings.known_spread(none, MARGIN).deviation == pytest.approx(apart * math.sqrt(2))


def test_trial_deals_are_few_and_tell_how_far_deals_spread():
    wanted = asked(2)
    assert trial.num_deals(wanted, 2) == trial.MOST_DEALS
    slow = [{"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 5}}, RANDOM]
    assert trial.num_deals(specs.from_json(spec(arms=[{"name": "x", "seats": slow}])), 1) == 0
    asked_for = trial.trial_spec(asked(2, stop={"rule": "precision"}), 9, 5)
    assert (asked_for.deals, asked_for.seed, asked_for.stop.rule) == (9, 5, "fixed")


def test_the_command_says_it_as_json(tmp_path, capsys):
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(spec(arms=ARMS[:2], deals=400)))
    assert program.main(["plan", str(file), "--trial", "12", "--wanted", "10"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["known_from"] == {"source": "trial", "deals": 12}
    assert said["deals_for_wanted"] == plan(asked(), Spread(said["deviation_of_a_deal"] / 100, 12, TRIAL), 10.0).needed
    assert {row["stop"]["rule"] for row in said["rules"]} == {"fixed", "precision", "sprt", "best_of"}
    refused = {"--wanted 0": "above 0", "--wanted 120": "as large as 120", "--trial 3": "fewer than 8"}
    for wrong, words in refused.items():
        assert program.main(["plan", str(file), *wrong.split()]) == 2
        assert words in capsys.readouterr().err
