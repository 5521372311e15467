"""Quotas of an account: each bound at its edge, raised by staff, on the account page and beside the forms."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from tests import counting
from tests.webapp.pages import markup
from tests.webapp.specs import make, spec
from tests.worker.ladders import made_up
from webapp.common.errors import RefusedError
from webapp.lab.experiments.services import create, create_trial
from webapp.lab.jobs import services as jobs
from webapp.lab.jobs import waiting
from webapp.lab.ladders import services as ladders
from webapp.lab.quotas import selectors, sizes
from webapp.lab.quotas.selectors import Ask
from webapp.lab.studies import services as studies
from webapp.people.accounts.models import Quota, User
from webapp.records.models import Chunk, Experiment, Study, UsageDay
from worker import estimate
from worker.spec import SpecError, from_json
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs

pytestmark = pytest.mark.django_db


@pytest.fixture
def limit(settings: Any) -> Any:
    """Set limits of the lab; all others are off."""

    def to(**values: int) -> None:
        settings.LAB_QUOTAS = dict.fromkeys(settings.LAB_QUOTAS, 0) | values

    to()
    return to


def again(person: Any) -> User:
    """The account as it is stored."""
    return User.objects.get(pk=person.pk)


def test_all_that_makes_or_resumes_a_job_is_held_to_the_number_of_running_ones(
    limit: Any, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(study_registry.STUDIES, "counting", "tests.counting:Counting")
    limit(running=2)
    first, second = make(alice), make(alice)
    makers = {
        "experiment": lambda: make(alice),
        "match": lambda: make(alice, kind="match", deals=1, rotation="none"),
        "trial": lambda: create_trial(alice, "Trial", from_json(spec())),
        "ladder": lambda: ladders.create(alice, "Two", made_up.spec_of(2, deals=6, pairing="round_robin")),
        "study": lambda: studies.create(alice, "Squares", study_specs.from_json(counting.spec())),
    }
    for word, maker in makers.items():
        with pytest.raises(SpecError, match=r"^You have 2 jobs that run or are paused, and may have 2: wait"):
            maker()
        assert Experiment.objects.filter(owner=alice).count() == 2, word
    assert not Study.objects.exists()
    make(bob)
    jobs.pause(first)
    with pytest.raises(SpecError):
        make(alice)
    assert jobs.resume(first), "a paused one has counted all the time"
    jobs.stop(first)
    third = make(alice)
    with pytest.raises(RefusedError, match=r"staff for more\.$"):
        jobs.resume(first)
    assert Experiment.objects.get(pk=first.pk).status == "stopped"
    Quota.objects.create(owner=alice, running=3)
    assert jobs.resume(first)
    assert {first.status, second.status, third.status} == {"running"}
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    make(again(alice))


def test_one_form_sent_twice_is_not_refused_by_its_own_job(limit: Any, alice: Any) -> None:
    limit(running=1)
    number = uuid.uuid4()
    made = [create(alice, "Once", from_json(spec()), submission=number) for _ in range(2)]
    assert made[0] == made[1]


def test_rows_bytes_and_cpu_are_refused_beyond_what_is_left_and_allowed_at_the_edge(limit: Any, alice: Any) -> None:
    wanted = from_json(spec())
    found = estimate.estimate(wanted)
    limit(rows=2 * found.rows, bytes=2 * found.bytes)
    first, second = make(alice), make(alice)
    with pytest.raises(SpecError, match=r"^It takes about 18 rows, and you have 0 of 36 left"):
        make(alice)
    limit(bytes=2 * found.bytes)
    with pytest.raises(
        SpecError, match=r"^It takes about .* kB, and you have 0 bytes of .* left: ask for less, delete"
    ):
        make(alice)
    jobs.stop(first)
    assert sizes.kept(alice) == pytest.approx((found.rows, found.bytes)), "nothing of it was recorded"
    Chunk.objects.filter(experiment=second).update(written=1)
    jobs.stop(second)
    assert sizes.kept(alice)[0] == pytest.approx(found.rows / 6 * Chunk.objects.filter(experiment=second).count())
    limit(cpu_hours=1)
    ask = Ask(cpu_s=1800)
    UsageDay.objects.create(owner=alice, day=datetime.now(UTC).date(), cpu_s=1800)
    assert selectors.refusal(alice, ask) == ""
    UsageDay.objects.update(cpu_s=2000)
    why = "It takes about 30 min of CPU time, and you have 27 min of 1 h left in seven days: ask for less, wait"
    assert selectors.refusal(alice, ask) == f"{why}, or ask the lab's staff for more"
    Quota.objects.create(owner=alice, cpu_hours=0)
    assert selectors.refusal(again(alice), ask) == "", "0 is no limit"


def test_a_ladder_that_grows_is_asked_as_a_whole(limit: Any, alice: Any) -> None:
    wanted = made_up.spec_of(2, deals=6, pairing="round_robin")
    limit(rows=estimate.estimate(wanted).rows)
    ladder = ladders.create(alice, "Two engines", wanted)
    with pytest.raises(SpecError, match="rows"):
        ladders.play_more(ladder, 12)
    Quota.objects.create(owner=alice, rows=2 * estimate.estimate(wanted).rows)
    ladder = Experiment.objects.get(pk=ladder.pk)
    ladders.play_more(ladder, 12)


def test_pages_say_what_is_left_that_a_start_is_over_it_and_what_a_held_job_waits_for(
    limit: Any, client: Client, alice: Any
) -> None:
    client.force_login(alice)
    assert "This lab sets no limits." in client.get("/accounts/").content.decode()
    limit(running=1, cpu_hours=2, rows=10**6, bytes=10**9, api_calls=500)
    made = make(alice)
    page = markup(client.get("/accounts/"))
    labels = re.findall(r'aria-label="([^"]* used)"', page)
    assert labels[0] == "Running jobs: 1 of 1 used"
    assert labels[1] == "CPU time: 0 min of 2 h used"
    assert labels[2].startswith("Rows: 18 of")
    assert labels[4] == "API requests: 0 of 500 used"
    form = client.get("/experiments/new/").content.decode()
    assert "More than you may use." in form
    assert "You have 1 job that runs or is paused, and may have 1" in form
    assert waiting.of_job(made) is None or waiting.of_job(made).kind != "quota"
    UsageDay.objects.create(owner=alice, day=datetime.now(UTC).date(), cpu_s=7200)
    held = waiting.of_job(made)
    assert held is not None
    assert held.sentence.startswith("Your CPU hours are used up. There are some again on ")
    assert held.sentence in client.get(f"/experiments/{made.pk}/").content.decode().replace("&#x27;", "'")


def test_staff_change_what_one_person_may_have(client: Client, alice: Any, bob: Any) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
    client.force_login(again(bob))
    address = f"/admin/accounts/user/{alice.pk}/change/"
    form = client.get(address).context["adminform"].form
    joined = form["date_joined"].value()
    values = {"username": "alice", "is_active": "on", "preferences": "{}", "date_joined_0": f"{joined:%Y-%m-%d}"}
    values |= {"date_joined_1": f"{joined:%H:%M:%S}", "quota-TOTAL_FORMS": "1", "quota-INITIAL_FORMS": "0"}
    assert client.post(address, values | {"quota-0-owner": str(alice.pk), "quota-0-rows": "77"}).status_code == 302
    changed = Quota.objects.get(owner=alice)
    assert (changed.rows, changed.running) == (77, None)
