"""What a run would cost, beside the builder."""

import pytest

from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, posted, text_of
from tests.webapp.specs import spec
from webapp.lab.experiments import draft
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db


def test_a_short_wait_is_no_range_of_one_figure(signed_in):
    quick = {f"arm-0-seat-{seat}-{part}": "random" for seat in (0, 1) for part in ("engine", "for")}
    text = text_of(signed_in.post(ESTIMATE, posted(deals="1", **quick)))
    assert "a second or so" in text
    assert "1 s to 1 s" not in text


def test_the_estimate_counts_the_processes_that_play(signed_in, settings):
    def cost(workers):
        settings.LAB_WORKERS = workers
        return signed_in.post(ESTIMATE, posted(deals="100"))

    alone, together = cost(1), cost(4)
    assert together.context["cost"].seconds == pytest.approx(alone.context["cost"].seconds / 4)
    assert "Time with 4 workers" in text_of(together)


def test_a_match_that_would_take_too_long_is_refused_at_its_budget(signed_in):
    seats = [{"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": seconds}} for seconds in (450, 550)]
    data = draft.from_spec(specs.from_json(spec(arms=[{"name": "x", "seats": seats}])))
    builder = signed_in.post(NEW, data).context["builder"]
    assert "take about 9 h 52 min" in builder.arms[0].seats[1].budget.errors["amount"][0]
    assert not Experiment.objects.exists()


def test_the_estimate_follows_the_form(signed_in):
    text = text_of(signed_in.post(ESTIMATE, posted(deals="10")))
    assert "Start 20 matches" in text
    assert '"deals": 10' in text.replace("&quot;", '"')


def test_the_estimate_says_what_is_missing(signed_in):
    text = text_of(signed_in.post(ESTIMATE, posted(deals="x")))
    assert "No estimate yet." in text
    assert "Deals per arm" in text
