import json
import re
import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import Sum
from django.test import Client
from django.utils import timezone

from engines import registry as engine_registry
from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.pages import markup
from tests.webapp.specs import make
from tests.webapp.table.live import tables
from webapp.lab.watch import beats, condition, reports, trouble
from webapp.lab.watch.models import Report
from webapp.lab.watch.recording import READ_ONLY, SILENT, Recording
from webapp.records import faults, orders, waiting_summaries, worker_processes
from webapp.records.check_models import NightlyCheck
from webapp.records.models import Experiment, Match, ShareLink, WaitingSummary
from webapp.site import selectors, views
from webapp.site.notes import render_notes
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db
CHECKED = Client(enforce_csrf_checks=True)


def test_a_fresh_start_page_shows_the_stored_result_and_counts_nothing(client):
    cache.clear()
    text = markup(client.get("/"))
    assert "Ten greedy playouts" in text
    assert "Stored result of 29 November 2026" in text
    assert "Matches kept" not in text
    assert text.count("img/boards/") == len(game_registry.ids())


@pytest.mark.long
def test_the_numbers_of_the_start_page_add_up(alice):
    for deals in (1, 2):
        factory.played(alice, deals=deals)
    at_a_table = tables.open_match(alice, [tables.person(alice), tables.engine()])
    with_an_agent = tables.open_match(
        alice, [tables.person(alice), tables.engine()], experiment=factory.played(alice, deals=1), deal=1
    )
    for match in (at_a_table, with_an_agent):
        tables.play_on(match)
    tables.open_match(alice, [tables.person(alice), tables.engine()])
    cache.clear()
    found = selectors.numbers()
    assert found.matches == Match.objects.count() == 10
    assert found.by_people == 1
    assert found.plies == Match.objects.aggregate(n=Sum("num_plies"))["n"]


@pytest.mark.long
def test_plies_are_counted_once_however_a_merge_falls_between_statements(alice):
    made = factory.played(alice, deals=2)
    wanted = Match.objects.aggregate(n=Sum("num_plies"))["n"]
    assert WaitingSummary.objects.filter(experiment=made).exists()

    def merge_behind(execute, *statement):
        found = execute(*statement)
        with connection.cursor() as cursor:
            for shard in WaitingSummary.objects.values_list("shard", flat=True).distinct():
                waiting_summaries.merge(cursor.cursor, made.pk, shard)
        return found

    assert selectors._num_plies() == wanted
    with connection.execute_wrapper(only_once(merge_behind)):
        assert selectors._num_plies() == wanted
    assert not WaitingSummary.objects.exists()
    assert selectors._num_plies() == wanted


def only_once(wrapper):
    """A wrapper of statements that wraps the first one alone."""
    wrapped = []

    def wrap(execute, *statement):
        if wrapped:
            return execute(*statement)
        wrapped.append(True)
        return wrapper(execute, *statement)

    return wrap


def test_start_page_shows_a_featured_result_but_not_what_is_only_shared(client, alice, played):
    shown, hidden = played(alice, title="In the window"), played(alice, title="For friends")
    for experiment in (shown, hidden):
        ShareLink.objects.create(slug=f"slug-of-{experiment.pk}", experiment=experiment)
    Experiment.objects.filter(pk=shown.pk).update(is_featured=True)
    text = client.get("/").content.decode()
    assert "In the window" in text
    assert f"/r/slug-of-{shown.pk}/charts/win-rate.json" in text
    assert "Mean score" in text
    assert "For friends" not in text


def test_start_page_forgets_a_withdrawn_result(client, alice, played):
    experiment = played(alice, title="Once shown")
    Experiment.objects.update(is_featured=True)
    ShareLink.objects.create(slug="abcdef", experiment=experiment, withdrawn_at=experiment.created_at)
    assert "Once shown" not in markup(client.get("/"))


def test_game_pages_come_from_options_and_traits(client, subtests):
    index = client.get("/games/").content.decode()
    for game_id in game_registry.ids():
        with subtests.test(game_id=game_id):
            game = game_registry.get(game_id)
            assert f"/games/{game_id}/" in index
            text = client.get(f"/games/{game_id}/exact/").content.decode()
            assert game.label in text
            assert "Options of the rules" in text


def test_rules_pages_speak_to_players(client, subtests):
    papers = re.compile(r"\b(ply|plies|segments?|seat \d|out of scope|branching)\b", re.IGNORECASE)
    for game_id in game_registry.ids():
        with subtests.test(game_id=game_id):
            page = client.get(f"/games/{game_id}/").content.decode()
            words = re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
            assert not papers.findall(words)
            assert f"/games/{game_id}/exact/" in page
            if game_registry.get(game_id).lessons is not None:
                assert page.count('class="lesson"') >= 4
                assert page.count("<svg ") >= 4


def test_engine_pages_come_from_options_and_budgets(client, subtests):
    index = client.get("/engines/").content.decode()
    for engine_id in engine_registry.ids():
        with subtests.test(engine_id=engine_id):
            engine = engine_registry.get(engine_id)
            assert f"/engines/{engine_id}/" in index
            text = client.get(f"/engines/{engine_id}/").content.decode()
            assert engine.label in text


def test_engines_and_presets_of_one_game_are_listed_alone(client):
    engines = client.get("/engines/?game=dominion").context["engines"]
    assert "strategy" in [engine.id for engine in engines]
    assert "expectimax" not in [engine.id for engine in engines]
    assert {paper.game for paper in client.get("/presets/?game=kingdomino").context["papers"]} == {"kingdomino"}
    assert len({paper.game for paper in client.get("/presets/?game=chess").context["papers"]}) > 1


@pytest.mark.parametrize("address", ["/games/chess/", "/engines/oracle9/", "/nowhere/"])
def test_what_is_not_there_is_a_page_with_words(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "Nothing is at this address" in response.content.decode()
    assert f"/accounts/login/?next={address}" in response.content.decode()


def test_an_old_form_is_refused_with_words():
    response = CHECKED.post("/accounts/login/", {"username": "x", "password": "y"})
    assert response.status_code == 403
    assert "too old to be sent" in response.content.decode()


def test_a_broken_page_says_so_without_asking_the_database(client, monkeypatch, django_assert_num_queries):
    from webapp.site import errors

    with django_assert_num_queries(0):
        response = errors.server_error(None)
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()


def test_a_database_that_does_not_answer_is_named():
    from django.db import OperationalError

    from webapp.site import errors

    try:
        raise OperationalError("Postgres has not answered within 12 s")
    except OperationalError:
        response = errors.server_error(None)
    assert (response.status_code, response["Cache-Control"]) == (503, "no-store")
    assert "The database does not answer" in response.content.decode()


def test_health_names_each_part(client, settings, valkey_service):
    settings.LAB_DISK = ""
    response = client.get("/health/")
    assert response.status_code == 200
    parts = {"database": "ok", "queue": "ok", "disk": "unknown", "worker": "idle", "tables": "idle", "turns": 0}
    words = {"state": "ok", "sentence": "Everything is working.", "causes": [], "sweeper": "ok"}
    assert json.loads(response.content) == {"ok": True} | words | parts


@pytest.mark.parametrize(
    ("verdict", "state", "statuses"),
    [(READ_ONLY, "not recording", (503, 200, 200)), (SILENT, "down", (503, 503, 200))],
)
def test_health_says_what_is_not_recorded(client, monkeypatch, valkey_service, verdict, state, statuses):
    found = Recording(lambda: verdict)
    for module in (condition, views):
        monkeypatch.setattr(module, "recording", found)
    answers = [client.get(address) for address in ("/health/", "/health/ready/", "/health/live/")]
    assert tuple(answer.status_code for answer in answers) == statuses
    told = answers[0].json()
    assert (told["state"], told["ok"]) == (state, False)
    assert verdict.sentence[1:] in told["sentence"]
    assert told["sentence"] in client.get("/health/", headers={"Accept": "text/html"}).content.decode()


def test_health_asks_a_database_that_hangs_for_nobody_s_name(
    client, alice, monkeypatch, valkey_service, django_assert_num_queries
):
    monkeypatch.setattr(condition, "recording", Recording(lambda: SILENT))
    client.force_login(alice)
    with django_assert_num_queries(0):
        text = client.get("/health/", headers={"Accept": "text/html"}).content.decode()
    assert SILENT.sentence in text


def test_health_says_what_is_late(client, alice, monkeypatch, settings, tmp_path, valkey_service):
    settings.LAB_DISK = ""
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))  # nobody compiles there: what waits for that is not late
    experiment = make(alice)
    Experiment.objects.filter(pk=experiment.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    beats.beat()
    with connection.cursor() as cursor:
        cursor.execute("update watch_beat set at = at - interval '10 min'")
    monkeypatch.setattr(beats, "_STARTED_AT", time.monotonic() - 3600)
    state = client.get("/health/").json()
    assert [cause["cause"] for cause in state["causes"]] == ["late:batch", "sweeper"]
    assert (state["ok"], state["state"], state["worker"], state["sweeper"]) == (True, "late", "late", "late")
    assert state["sentence"] == "1 job waits for workers for experiments, for 5 min: none runs."
    worker_processes.enter(connection.connection, worker_processes.Announcement("host:1", ["batch"]), is_new=True)
    orders.give(orders.Order.DRAIN)
    assert client.get("/health/").json()["sentence"].endswith(": 1 process runs, drained or of another code.")
    beats.beat()
    Experiment.objects.filter(pk=experiment.pk).update(served_at=timezone.now())
    assert client.get("/health/").json()["state"] == "ok"


def test_what_needs_the_operator_alone_is_shown_to_staff_alone(client, alice, settings, valkey_service):
    settings.LAB_DISK = ""
    connection.ensure_connection()
    for number in range(trouble.FAULTS):
        faults.note(connection.connection, "host:1", f"chunk {number}", "KeyError: 'x'")
    reports.note(reports.BACKUP, is_ok=False, sentence="No room.")
    assert [one.cause for one in condition.read().private] == ["faults", "backup"]
    assert client.get("/health/").json()["causes"] == []
    client.force_login(alice)
    html = {"Accept": "text/html"}
    assert "Workers failed" not in client.get("/health/", headers=html).content.decode()
    alice.is_staff = True
    alice.save()
    assert "last host:1 at chunk 4: KeyError: &#x27;x&#x27;." in client.get("/health/", headers=html).content.decode()
    reports.note(reports.BACKUP, is_ok=True)
    settings.LAB_BACKUP_HOURS = 24
    assert [one.cause for one in condition.read().private] == ["faults"]
    Report.objects.update(succeeded_at=timezone.now() - timedelta(days=3))
    assert condition.read().private[1].sentence == "The last backup is 3 days old."


def test_stored_matches_that_differ_need_the_operator(valkey_service):
    last = NightlyCheck(matches=200, num_different=2, waiting=[], ended_at=timezone.now())
    last.save()
    (finding,) = condition.read().private
    assert finding.sentence.startswith("2 of 200 stored matches that were played again differ")
    NightlyCheck.objects.create(waiting=[], ended_at=timezone.now())
    assert condition.read().private == []


def test_health_says_that_the_disk_is_full_and_goes_on(client, alice, settings, tmp_path, valkey_service):
    make(alice)
    settings.LAB_DISK, settings.LAB_DISK_RESERVE_MB = str(tmp_path), 10**9
    state = json.loads(client.get("/health/").content)
    assert (state["ok"], state["disk"], state["worker"], state["tables"]) == (True, "full", "full", "idle")
    text = client.get("/health/", headers={"Accept": "text/html"}).content.decode()
    assert "Experiments and studies wait until there is room and then go on by themselves. Tables go on." in text
    settings.LAB_DISK_RESERVE_MB = 0
    state = json.loads(client.get("/health/").content)
    assert (state["disk"], state["worker"]) == ("ok", "ok")


def test_health_says_where_people_wait_for_engines(client, alice, valkey_service):
    now = timezone.now()
    match = tables.open_match(alice, [tables.engine(), tables.person(alice)])
    rows = LiveMatch.objects.filter(pk=match.pk)

    def told(**values):
        rows.update(**values)
        state = json.loads(client.get("/health/").content)
        return state["ok"], state["tables"], state["turns"]

    assert told() == (True, "ok", 1)
    assert told(turn_began_at=now - timedelta(minutes=3)) == (True, "late", 1)
    assert "people wait" in client.get("/health/", headers={"Accept": "text/html"}).content.decode()
    assert told(worker="here:1", claimed_at=now) == (True, "ok", 0)
    assert told(worker="", claimed_at=None, is_engine_due=False) == (True, "idle", 0)


def test_health_is_503_without_a_queue(client, settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nothing.sock"
    response = client.get("/health/")
    assert response.status_code == 503
    assert json.loads(response.content)["queue"] == "down"


def test_a_browser_gets_the_state_in_words(client, valkey_service):
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"
    text = client.get("/health/", headers={"Accept": accept}).content.decode()
    assert "Everything is working" in text
    assert "nothing waits" in text


def test_pages_obey_the_content_security_policy(client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "'unsafe-inline'" not in policy.split("style-src")[0]


@pytest.mark.parametrize(
    ("cookie", "mark"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ("x", "")]
)
def test_the_theme_is_what_the_cookie_says(client, cookie, mark):
    client.cookies["theme"] = cookie
    assert f'<html lang="en"{mark}>' in markup(client.get("/"))


def test_notes_are_safe():
    html = render_notes("# Title\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n| a |\n|---|\n| b |\n")
    assert "<script" not in html
    assert "href" not in html
    assert "Title" not in html
    assert "<td>b</td>" in html


@pytest.mark.parametrize("address", ["/accounts/logout/", "/play/nosuchcode/wish/resign/"])
def test_an_address_that_a_button_sends_to_says_so(client, address):
    response = client.get(address)
    assert response.status_code == 405
    assert response["Allow"].startswith("POST")
    assert "This address only answers a button" in response.content.decode()


def test_a_form_that_is_too_long_says_so(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    answer = CHECKED.post("/accounts/new/", {"username": "x" * 2000})
    assert answer.status_code == 413
    assert "A form may hold 2.0 kB at most" in answer.content.decode()
    unread = CHECKED.post("/accounts/new/", b"x", content_type="multipart/form-data; boundary=")
    assert unread.status_code == 400
    assert "could not be read" in unread.content.decode()
