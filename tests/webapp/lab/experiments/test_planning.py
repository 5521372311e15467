"""The plan beside the form: where it knows the spread from, what it says, the three ways to begin, trial deals."""

import math
import re

import pytest
from django.db import connection

from games import registry as game_registry
from tests.looping import looped
from tests.records import ruled
from tests.records.experiments import target
from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, Form, text_of
from tests.webapp.specs import RANDOM, SCRIPTED, make, spec
from webapp.lab.experiments import curves, draft, spreads
from webapp.lab.experiments.builder import Builder
from webapp.records import recorder
from webapp.records.models import Experiment
from worker import schedule
from worker import spec as specs
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.planning import openings, trial
from worker.planning.design import EARLIER, EVEN, STORED, TRIAL

pytestmark = pytest.mark.django_db

FLAT = [{"engine": "flat_mc", "options": {}, "budget": {"playouts": n}} for n in (10, 20)]
ARMS = [{"name": name, "seats": [engine, RANDOM]} for name, engine in (("A", SCRIPTED), ("B", FLAT[0]), ("C", FLAT[1]))]


def form_of(arms=1, **changes):
    return draft.from_spec(specs.from_json(spec(arms=ARMS[:arms], deals=400))) | {"wanted": "5"} | changes


def plain(response):
    return re.sub(r"\s+", " ", text_of(response)).replace("\u202f", " ")


def played_by(owner, count, arms=2, title="", **changes):
    """An experiment of which the first deals are played."""
    asked = ruled.spec_of({"rule": "fixed"}, arms, deals=max(count, 2), **changes)
    made = ruled.experiment(asked, owner=owner)
    matches = [match for match in schedule.expand(asked) if match.deal < count]
    recorder.write(connection.connection, target(made), [ruled.record(asked, match) for match in matches])
    return asked, made


def test_a_plan_is_about_the_comparison_that_is_asked(signed_in):
    """Two arms of the table: 0.4921 a deal, so 400 show 2.8016 * 49.21 / 20 = 6.9, and 5 points take about 762."""
    shown = signed_in.post(ESTIMATE, form_of(2))
    plan = shown.context["plan"]
    assert (plan.plan.measure, plan.plan.spread.source) == (WIN_RATE, STORED)
    known = openings.for_game("carcassonne").measured.deviations[WIN_RATE]
    assert float(plan.detectable) == pytest.approx(2.8016 * 100 * known[1] / 20, abs=0.06)
    text = plain(shown)
    assert f"a difference of <strong>{plan.detectable} points of win rate</strong> between both arms is seen" in text
    needed = (2.8016 * known[1] / 0.05) ** 2
    assert plan.takes == pytest.approx(needed, abs=3)
    assert f'value="deals:{plan.takes}"' in text
    assert 'id="plan" class="stack" hx-swap-oob="true"' in text
    assert text.count("<polyline") == 6  # three rules can be taken with two arms, in two figures
    assert "for 3 arms or more" in text
    one = signed_in.post(ESTIMATE, form_of(1)).context["plan"]
    assert (one.unit, one.compared) == ("points of win rate between both sides", "")
    precise = form_of(1, **{"stop-rule": "precision", "stop-half_width": "3", "stop-on": "win_rate"})
    shown = signed_in.post(NEW, precise | {"do": "update"})
    assert "their difference has one twice as wide" in text_of(shown), "stored specs keep a side's own rate"
    assert [row.detail for row in shown.context["plan"].rows if row.is_chosen] == ["±6.0"]
    assert shown.context["kinds"][0].note.endswith("that shows 40 points of win rate between both sides.")
    three = signed_in.post(ESTIMATE, form_of(3)).context["plan"]
    assert "one of the 2 others" in three.compared
    assert three.plan.needed > plan.plan.needed


@looped(
    "changes, words",
    [
        ({"wanted": "120"}, "There is no difference of 120 points of win rate: ask for less than 100."),
        ({"wanted": "0.05"}, "would take more than 1 000 000 deals, the most that there may be: ask for 0.14 or more."),
        ({"deals": "1"}, "One deal tells nothing about a difference: take two or more"),
        ({"deals": "4"}, "no difference will be seen in 8 of 10 cases, however large"),
        ({"wanted": "many"}, "Enter a number, above 0, at most 10 000. Try 5."),
        ({"deals": "x"}, "The plan appears here as soon as the form is complete."),
    ],
)
def test_what_is_impossible_says_what_to_do(signed_in, changes, words):
    text = plain(signed_in.post(ESTIMATE, form_of(2, **changes)))
    assert words in text
    assert ("Check the form" in text) == (changes == {"deals": "x"}), "a plan keeps nobody from starting"


def test_an_unreadable_difference_has_its_error_at_its_field_and_starts_all_the_same(signed_in):
    page = signed_in.post(NEW, form_of(2, wanted="0", do="update"))
    assert "Enter a number, above 0" in page.context["plan"].form.errors["wanted"][0]
    assert 'id="id_wanted_error"' in text_of(page)
    assert signed_in.post(NEW, form_of(2, wanted="0")).status_code == 302


def test_deals_that_the_plan_asks_for_are_taken(signed_in):
    shown = signed_in.post(NEW, form_of(2, do="deals:762")).context["builder"]
    assert shown.spec.deals == 762
    assert signed_in.post(NEW, form_of(2, do="deals:x")).context["builder"].spec.deals == 400


def test_the_spread_is_that_of_earlier_deals_of_the_same_line_ups(signed_in, alice, bob):
    asked, made = played_by(alice, 20)
    other, _ = played_by(bob, 30)
    found = spreads.known(asked, alice, WIN_RATE)
    assert (found.spread.source, found.spread.deals, found.experiment) == (EARLIER, 20, made)
    assert spreads.known(asked, alice, WIN_RATE, trial_id=made.pk).spread.source == TRIAL
    records = [ruled.record(asked, match) for match in schedule.expand(asked)]
    for measure in (WIN_RATE, MARGIN):
        values = trial.values_of(asked, records, measure)
        assert spreads.known(asked, alice, measure).spread == trial.spread(asked, values, measure, EARLIER)
    single = specs.from_json({**specs.to_json(asked), "arms": specs.to_json(asked)["arms"][:1]})
    assert spreads.known(single, alice, WIN_RATE).spread.deals == 20, "one arm of two is known, too"
    assert other.game == asked.game
    elsewhere = specs.from_json({**specs.to_json(asked), "rotation": "none"})
    assert spreads.known(elsewhere, alice, WIN_RATE).experiment is None


def test_few_deals_and_other_line_ups_tell_nothing(alice):
    asked, _ = played_by(alice, 7)
    assert spreads.known(asked, alice, WIN_RATE).spread.source in (STORED, EVEN)
    three = [{"name": "x", "seats": [SCRIPTED, RANDOM, RANDOM]}]
    seats = specs.from_json(spec(arms=three, seats=3))
    assert spreads.known(seats, alice, WIN_RATE).spread.source == EVEN
    assert spreads.known(seats, alice, MARGIN) is None


def test_margins_that_nobody_knows_ask_for_trial_deals(signed_in):
    three = {"arms": [{"name": "x", "seats": [SCRIPTED, RANDOM, RANDOM]}], "seats": 3}
    rule = {"rule": "precision", "on": "margin", "half_width": 1.0}
    text = plain(signed_in.post(ESTIMATE, draft.from_spec(specs.from_json(spec(**three, stop=rule)))))
    assert "How far margins spread is not known for these rules and seats. Play trial deals" in text
    assert "Play 24 trial deals" in text


def test_trial_deals_are_played_on_the_queue_and_remembered(signed_in, alice):
    shown = signed_in.post(NEW, form_of(2, title="Which?", do="trial"))
    made = Experiment.objects.get(owner=alice)
    assert (made.title, made.spec["deals"], made.status) == ("Trial deals: Which?", trial.MOST_DEALS, "running")
    assert made.archived_at is not None
    assert made.spec["seed"] != 7
    builder = shown.context["builder"]
    assert builder.data["trial"] == str(made.pk)
    assert builder.spec.deals == 400, "the form stays as it was"
    assert "Trial deals are being played." in text_of(shown)
    assert 'hx-trigger="load delay:1500ms"' in text_of(shown)
    played = specs.from_json(made.spec)
    records = [ruled.record(played, match) for match in schedule.expand(played)]
    recorder.write(connection.connection, target(made), records)
    Experiment.objects.filter(pk=made.pk).update(status="finished")
    text = plain(signed_in.post(ESTIMATE, builder.data))
    assert f'Planned from 24 trial deals of these line-ups (<a href="/experiments/{made.pk}/">' in text
    assert "Trial deals are being played." not in text
    assert "24 deals of these line-ups in an earlier experiment" in plain(signed_in.post(ESTIMATE, form_of(2)))


def test_trial_deals_are_bounded(signed_in):
    slow = [{"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 5}}, RANDOM]
    data = draft.from_spec(specs.from_json(spec(arms=[{"name": "x", "seats": slow}])))
    assert "trial deals" not in plain(signed_in.post(ESTIMATE, data)).split("Planned from")[1].replace("no trial", "")
    assert "they take too long" in text_of(signed_in.post(NEW, data | {"do": "trial"}))
    assert not Experiment.objects.exists()


def test_the_three_ways_to_begin_set_what_they_say(signed_in):
    chosen = {}
    for name in ("quick", "publishable", "regression"):
        shown = signed_in.post(NEW, form_of(2, do=f"kind:{name}"))
        chosen[name] = shown.context["builder"].spec
        (pressed,) = [button for button in shown.context["kinds"] if button.is_chosen]
        assert pressed.id == name
        assert text_of(shown).count('aria-pressed="true"') == 1
    assert [row.stop.rule for row in chosen.values()] == ["fixed", "precision", "sprt"]
    assert chosen["quick"].deals < chosen["regression"].deals < chosen["publishable"].deals
    three = signed_in.post(NEW, form_of(3, do="kind:publishable"))
    assert three.context["builder"].spec.stop.rule == "best_of"
    assert re.search(r'value="kind:regression"\s+aria-pressed="false"\s+disabled', text_of(three))
    odd = signed_in.post(NEW, form_of(2, deals="x", do="kind:quick"))
    assert odd.context["builder"].spec == chosen["quick"], "it mends what it sets itself"
    assert signed_in.post(NEW, form_of(2, do="kind:odd")).context["builder"].spec.deals == 400


def line_up(asked):
    """What sits there; forms have twelve digits of a number."""
    seats = [specs.seat_to_json(seat) for seat in asked.arms[0].seats]
    return [seat | {"options": pytest.approx(seat["options"])} for seat in seats]


def test_a_newcomer_starts_at_once_in_each_game(signed_in):
    """A quick look at two engines that are about as strong, also where the game is chosen in the form."""
    first = signed_in.get(NEW).context["builder"].data
    for game_id in game_registry.ids():
        opening = openings.for_game(game_id)
        if opening is None:
            continue
        fresh = signed_in.get(f"{NEW}?game={game_id}")
        builder = fresh.context["builder"]
        assert line_up(builder.spec) == openings.lineup(opening, opening.first, builder.spec.seats)
        assert [button.is_chosen for button in fresh.context["kinds"]] == [True, False, False]
        assert 30 <= builder.spec.deals <= 60
        assert builder.cost.seconds < 300
        assert Builder(first | {"game": game_id}).spec.arms == builder.spec.arms
        kept = Builder(form_of(game=game_id)).spec.arms[0].seats
        assert kept[0].engine == "scripted", "what was chosen stays"
        posted = Form(text_of(fresh)).data
        assert posted["arm-0-seat-0-engine"]
        assert signed_in.post(NEW, posted).status_code == 302, "as a browser posts it, untouched"


def test_ticks_are_round_numbers():
    assert curves.ticks(100) == [0, 50, 100]
    assert curves.ticks(7.3) == [0, 2, 4, 6]
    assert curves.ticks(1) == [0, 0.5, 1]
    shown = curves.figure("T", "n", "x", [curves.Curve("a", 0, ((0.0, 0.0), (8.0, 50.0)))], 100.0, (50.0, 4.0))
    assert shown.lines[0][1] == "44.0,170.0 350.0,90.0"
    assert shown.cross == ("90.0", "197.0")
    assert not math.isnan(float(shown.x_ticks[-1].at))


def test_agents_have_a_plan_without_pairs(signed_in, alice):
    made = make(alice, "plain")
    assert signed_in.get(f"{NEW}?from={made.pk}").context["plan"].plan is not None
    assert signed_in.get("/matches/new/").context.get("plan") is None
