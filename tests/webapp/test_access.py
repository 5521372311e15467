"""Who gets what at every address: owner, stranger, guest. An address without a row fails."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core import signing
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from games import registry as game_registry
from tests import counting
from tests.webapp.lab.results import factory
from tests.webapp.lab.studies.conftest import fill
from tests.webapp.table.live import tables
from tests.worker.ladders import made_up
from webapp.api.views.pages import EXAMPLES
from webapp.lab.ladders import services as ladders
from webapp.lab.presets.models import PresetRun
from webapp.lab.projects import report
from webapp.lab.projects import services as projects
from webapp.lab.projects.models import Project, ProjectLink
from webapp.lab.studies import services as studies
from webapp.lab.studies.presentations.registry import PRESENTATIONS
from webapp.matches.responses import PLAY_ON
from webapp.people.agents import services as agents
from webapp.people.agents import tokens
from webapp.people.agents.models import Agent, AgentToken, PersonToken
from webapp.records.models import Experiment, ShareLink, Study
from webapp.records.snapshot_models import Snapshot
from webapp.table.hooks import services as hooks
from webapp.table.hooks.models import Hook
from webapp.table.live.models import Challenge, LiveMatch, LiveSeat
from webapp.table.strategies import services as strategies
from webapp.table.strategies.models import Strategy
from worker.studies import spec as study_specs
from worker.studies.registry import STUDIES

pytestmark = pytest.mark.django_db
LOGIN = "to the sign-in page"
PRESET = "heyden-table-6.1"
BOOK = game_registry.get("dominion").strategies
EXAMPLE = "double_witch"


@dataclass(frozen=True)
class Rule:
    """What an address answers: status codes or LOGIN."""

    owner: Any
    stranger: Any
    guest: Any
    method: str = "get"


PUBLIC = Rule(200, 200, 200)
ENTRY = Rule(302, 302, 200)  # who is signed in needs no sign-in page
MEMBERS = Rule(200, 200, LOGIN)
MEMBERS_POST = Rule(200, 200, LOGIN, "post")
OWNER = Rule(200, 404, 404)
NOWHERE = Rule(404, 404, 404)  # needs a question in its address
OWNER_POST = Rule(302, 404, 404, "post")
OWNER_POST_PAGE = Rule(200, 404, 404, "post")
OWNER_POST_LOGIN = Rule(302, 404, LOGIN, "post")

EXPERIMENT = "experiments/<int:pk>/"
MATCH = "matches/<int:pk>/"
LADDER = "ladders/<int:pk>/"
STUDY = "studies/<int:pk>/"
LINK = "r/<slug:slug>/"
EMBED = "embed/<slug:slug>/"
PROJECT, PUBLIC_PROJECT = "projects/<int:pk>/", "p/<slug:slug>/"
AGENT = "agents/<slug:name>/"
HOOK = "agents/<int:pk>/webhook/"
STRATEGY = "strategies/<int:pk>/"
PLAY = "play/<slug:code>/"
REPLAY = f"{PLAY}replay/"
OWN_TOKEN = "api/tokens/<int:pk>/"
ON, DEAL = "play/on/<str:token>/", "play/deal/<slug:code>/"
RULES = {
    "": PUBLIC,
    "data/": PUBLIC,
    "data/<slug:game_id>/": PUBLIC,
    "games/": PUBLIC,
    "games/<slug:game_id>/": PUBLIC,
    "games/<slug:game_id>/exact/": PUBLIC,
    "engines/": PUBLIC,
    "engines/<str:engine_id>/": PUBLIC,
    "engines/against-people/": PUBLIC,
    "ratings/": Rule(302, 302, 302),
    "ratings/<slug:game_id>/": PUBLIC,
    **{f"ratings/{whose}/<str:name>/": OWNER for whose in ("people", "agents")},  # who has no rating yet
    "strength/": PUBLIC,
    "strength/<slug:game_id>/": PUBLIC,
    "strength/of/<slug:measurement_id>.json": PUBLIC,
    "strength/of/<slug:measurement_id>/start/": Rule(302, 302, LOGIN, "post"),
    "judging/": PUBLIC,
    "metrics": NOWHERE,  # unless the settings say who may read them
    **{f"health/{part}": PUBLIC for part in ("", "live/", "ready/")},
    "workers/": MEMBERS,
    "workers/order/": Rule(403, 403, LOGIN, "post"),  # staff alone
    "presets/": PUBLIC,
    "presets/<str:preset_id>/": PUBLIC,
    "presets/<str:preset_id>/start/": Rule(302, 302, LOGIN, "post"),
    "presets/papers/<str:paper_id>/": PUBLIC,
    "presets/papers/<str:paper_id>/contents/": PUBLIC,
    "presets/papers/<str:paper_id>/people/": PUBLIC,
    "presets/runs/<int:pk>/": PUBLIC,  # of a shared run
    **{f"play/{part}": PUBLIC for part in ("", "new/", "watch/", "mine/", "preferences/")},
    "play/now/": Rule(302, 302, 302, "post"),
    "play/duplicate/": PUBLIC,
    "play/duplicate/begin/": Rule(302, 302, 302, "post"),  # nothing is sent, or no account
    "play/speed/": Rule(400, 400, 400, "post"),  # nothing is sent
    f"{PLAY}frames/": Rule(400, 404, 404),  # no plies are named
    PLAY: OWNER,
    f"{PLAY}state/": OWNER,
    **{f"{PLAY}{part}/": Rule(400, 404, 404, "post") for part in ("act", "aids", "guide")},  # nothing is sent
    f"{PLAY}wish/<slug:name>/": OWNER_POST,
    f"{PLAY}challenge/": OWNER_POST,
    f"{PLAY}invite/": OWNER_POST,
    f"{PLAY}decline/": Rule(404, 404, 404, "post"),  # nobody is invited
    f"{PLAY}say/": Rule(400, 404, 404, "post"),
    f"{PLAY}hear/": Rule(400, 404, 404, "post"),
    f"{PLAY}hint/": OWNER,
    f"{PLAY}rules/": OWNER,
    ON: PUBLIC,  # of a shared match
    DEAL: PUBLIC,
    f"{PLAY}join/": Rule(302, 404, 404),  # who sits there goes on to the board
    **{f"{REPLAY}{part}": OWNER for part in ("", "board.svg", "trace.json", "review/", "verification/", "position/")},
    f"{REPLAY}position/live/": NOWHERE,
    f"{REPLAY}export/<slug:table>.<slug:format_id>": OWNER,
    **{f"strategies/{part}": PUBLIC for part in ("", "new/", "import/", "examples/<slug:key>/json/")},
    "strategies/check/": Rule(200, 200, 200, "post"),
    "strategies/keep/": Rule(302, 302, LOGIN),
    STRATEGY: OWNER,
    **{f"{STRATEGY}{part}/": OWNER for part in ("json", "delete")},
    "agents/": MEMBERS,
    "agents/new/": MEMBERS,
    AGENT: OWNER,
    **{f"{AGENT}{part}/": OWNER_POST for part in ("describe", "retire", "tokens/<int:pk>/revoke")},
    f"{AGENT}tokens/": OWNER_POST_PAGE,
    HOOK: OWNER,
    f"{HOOK}deliveries/": OWNER,
    **{f"{HOOK}{part}/": OWNER_POST for part in ("test", "remove")},
    f"{HOOK}rotate/": OWNER_POST_PAGE,
    **{f"api/{part}": PUBLIC for part in ("", "problems/", "examples/<str:name>")},
    "api/tokens/": MEMBERS,
    f"{OWN_TOKEN}revoke/": OWNER_POST,
    "accounts/": MEMBERS,
    "accounts/login/": ENTRY,
    "accounts/logout/": Rule(302, 302, 302, "post"),
    "accounts/new/": ENTRY,
    "accounts/password/": MEMBERS,
    "accounts/lost/": PUBLIC,
    "accounts/lost/<uidb64>/<token>/": PUBLIC,  # says that the link does not hold
    "accounts/friends/": MEMBERS,
    "accounts/friends/<slug:deed>/": Rule(302, 302, LOGIN, "post"),
    "accounts/mail/": Rule(302, 302, LOGIN, "post"),
    **{f"notifications/{part}": MEMBERS for part in ("", "bell/", "webhook/")},
    "notifications/wishes/": Rule(302, 302, LOGIN, "post"),
    **{f"notifications/webhook/{part}/": Rule(404, 404, LOGIN, "post") for part in ("rotate", "test", "remove")},
    **{f"{job}tell/": OWNER_POST for job in (EXPERIMENT, LADDER, STUDY)},
    "experiments/": MEMBERS,
    **{f"experiments/compare{part}": PUBLIC for part in ("/", ".json")},  # each is asked for who may see it
    "experiments/replicate/": Rule(404, 404, LOGIN),  # needs to be told what
    "experiments/new/": MEMBERS,
    "experiments/new/estimate/": MEMBERS_POST,
    "matches/new/": MEMBERS,
    "matches/new/estimate/": MEMBERS_POST,
    EXPERIMENT: OWNER,
    **{
        f"{EXPERIMENT}{part}/": OWNER
        for part in ("live", "brief", "result", "matches", "settings", "failures", "describe", "delete")
    },
    **{f"{EXPERIMENT}{part}.json": OWNER for part in ("spec", "result")},
    **{f"{EXPERIMENT}{part}/": OWNER_POST for part in ("pause", "resume", "stop", "archive", "unarchive")},
    f"{EXPERIMENT}charts/<slug:chart_id>.json": OWNER,
    f"{EXPERIMENT}charts/<slug:chart_id>/": OWNER,
    f"{EXPERIMENT}export/<slug:table>.<slug:format_id>": OWNER,
    f"{EXPERIMENT}share/": OWNER_POST_LOGIN,
    **{f"{job}verification/": OWNER for job in (EXPERIMENT, LADDER, STUDY, MATCH)},
    MATCH: OWNER,
    f"{MATCH}board.svg": OWNER,
    f"{MATCH}trace.json": OWNER,
    f"{MATCH}export/<slug:table>.<slug:format_id>": OWNER,
    f"{MATCH}share/": OWNER_POST_LOGIN,
    f"{MATCH}position/": OWNER,
    f"{MATCH}review/": OWNER,
    f"{MATCH}position/live/": NOWHERE,
    "ladders/": MEMBERS,
    "ladders/new/": MEMBERS,
    "ladders/new/estimate/": MEMBERS_POST,
    LADDER: OWNER,
    **{
        f"{LADDER}{part}/": OWNER
        for part in ("live", "brief", "result", "matches", "settings", "failures", "describe", "delete")
    },
    **{f"{LADDER}{part}": OWNER for part in ("spec.json", "result.json")},
    **{f"{LADDER}{part}/": OWNER_POST for part in ("pause", "resume", "stop", "archive", "unarchive")},
    f"{LADDER}enter/": Rule(200, 404, LOGIN),
    f"{LADDER}more/": OWNER_POST_LOGIN,
    f"{LADDER}charts/<slug:chart_id>.json": OWNER,
    f"{LADDER}charts/<slug:chart_id>/": OWNER,
    f"{LADDER}export/<slug:table>.<slug:format_id>": OWNER,
    f"{LADDER}share/": OWNER_POST_LOGIN,
    "studies/": MEMBERS,
    "studies/new/": MEMBERS,
    "studies/new/estimate/": Rule(404, 404, LOGIN, "post"),  # needs a kind in its form
    STUDY: OWNER,
    **{f"{STUDY}{part}/": OWNER for part in ("live", "brief", "result", "rows", "settings", "describe", "delete")},
    **{f"{STUDY}{part}": OWNER for part in ("spec.json", "result.json", "export/rows.<slug:format_id>")},
    **{f"{STUDY}{part}/": OWNER_POST for part in ("pause", "resume", "stop", "archive", "unarchive")},
    f"{STUDY}charts/<slug:chart_id>.json": OWNER,
    f"{STUDY}charts/<slug:chart_id>/": OWNER,
    f"{STUDY}share/": OWNER_POST_LOGIN,
    "projects/": MEMBERS,
    "projects/add/": Rule(404, 404, LOGIN),  # names no job
    PROJECT: OWNER,
    **{f"{PROJECT}{part}/": OWNER for part in ("edit", "delete")},
    f"{PROJECT}share/": OWNER_POST_LOGIN,
    PUBLIC_PROJECT: PUBLIC,
    f"{PUBLIC_PROJECT}card.png": PUBLIC,
    f"{PUBLIC_PROJECT}results/<slug:key>/": PUBLIC,
    f"{PUBLIC_PROJECT}withdraw/": OWNER_POST_LOGIN,
    f"{LINK}withdraw/": OWNER_POST_LOGIN,
    LINK: PUBLIC,
    **{f"{EMBED}{part}/": PUBLIC for part in ("chart/<slug:chart_id>", "match", "match/<int:pk>")},
    "oembed": NOWHERE,  # names no address
    **{f"{LINK}{part}embed/": PUBLIC for part in ("", "matches/<int:pk>/")},
    **{f"{LINK}{part}": PUBLIC for part in ("card.png", "live/", "result/", "spec.json", "matches/")},
    **{f"{LINK}{part}": PUBLIC for part in ("rows/", "result.json")},
    f"{LINK}charts/<slug:chart_id>.json": PUBLIC,
    f"{LINK}charts/<slug:chart_id>/": PUBLIC,
    f"{LINK}export/<slug:table>.<slug:format_id>": PUBLIC,
    f"{LINK}datapackage.json": PUBLIC,
    f"{LINK}croissant.json": PUBLIC,
    f"{LINK}snapshots/": PUBLIC,
    f"{LINK}snapshots/freeze/": OWNER_POST_LOGIN,
    f"{LINK}snapshots/<str:digest>/": PUBLIC,
    f"{LINK}snapshots/<str:digest>/withdraw/": OWNER_POST_LOGIN,
    f"{LINK}snapshots/<str:digest>/snapshot.zip": PUBLIC,
    f"{LINK}snapshots/<str:digest>/<str:name>.json": PUBLIC,
    f"{LINK}board.svg": PUBLIC,
    f"{LINK}trace.json": PUBLIC,
    f"{LINK}position/": PUBLIC,
    f"{LINK}position/live/": NOWHERE,
    f"{LINK}matches/<int:pk>/position/": PUBLIC,
    f"{LINK}review/": PUBLIC,
    **{f"{LINK}{part}verification/": PUBLIC for part in ("", "matches/<int:pk>/")},
    f"{LINK}matches/<int:pk>/review/": PUBLIC,
    f"{LINK}matches/<int:pk>/position/live/": NOWHERE,
    f"{LINK}matches/<int:pk>/": PUBLIC,
    f"{LINK}matches/<int:pk>/board.svg": PUBLIC,
    f"{LINK}matches/<int:pk>/trace.json": PUBLIC,
    f"{LINK}matches/<int:pk>/export/<slug:table>.<slug:format_id>": PUBLIC,
}
OF_A_MATCH_LINK = {f"{LINK}{part}" for part in ("board.svg", "trace.json", "position/", "position/live/", "review/")}
OF_A_MATCH_LINK.add(f"{EMBED}match/")
"""Addresses that only the link of a single match has."""
OF_A_STUDY_LINK = {f"{LINK}rows/"}
"""Addresses that only the link of a study has."""


def routes(resolver: Any = None, prefix: str = "") -> Iterator[str]:
    """Every address below the root, except the administration's and those of the API, which answer tokens."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if route.startswith(("admin/", "api/v1/")):
            continue
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern, route)
        else:
            yield route


def test_every_address_has_a_rule_and_every_rule_an_address():
    found = list(routes())
    assert sorted(found) == sorted(set(found)), "an address stands twice"
    assert set(found) == set(RULES)


@pytest.fixture
def address(alice, monkeypatch, settings, tmp_path):
    """Builds the address of a route for an experiment, matches, a study and links of alice."""
    monkeypatch.setitem(STUDIES, "counting", "tests.counting:Counting")
    monkeypatch.setitem(PRESENTATIONS, "counting", "tests.webapp.lab.studies.counting_presentation")
    study = studies.create(alice, "Squares", study_specs.from_json(counting.spec()))
    fill(study, 3)
    experiment = factory.played(alice, deals=1)
    ladder = ladders.create(alice, "Two engines", made_up.spec_of(2, deals=6, pairing="round_robin"))
    match = experiment.matches.order_by("pk").first()
    whole = ShareLink.objects.create(slug="wholewholewhole1", experiment=experiment)
    found = ShareLink.objects.create(slug="studystudystudy1", study=study)
    PresetRun.objects.create(pk=experiment.pk, preset=PRESET, scale="quick", experiment=experiment)
    settings.SNAPSHOT_FOLDER = tmp_path
    frozen = Snapshot.objects.create(link=whole, state="made", sha256="ab" * 32, made_at=timezone.now())
    with zipfile.ZipFile(tmp_path / f"{frozen.sha256}.zip", "w") as archive:
        archive.writestr("datapackage.json", "{}")
    single = ShareLink.objects.create(slug="singlesinglesin1", experiment=experiment, match=match)
    result = report.new_result("experiment", experiment.pk, experiment.title)
    project = projects.create(alice, "A report", [result])
    project_link = projects.share(project)
    strategy = strategies.create(alice, BOOK.check(BOOK.examples[EXAMPLE]))
    agent = agents.create(alice, "robo", "")
    token, _ = tokens.issue(agent, "", [tokens.READ])
    own_token, _ = tokens.issue_to_person(alice, "", [tokens.READ])
    hooks.set_up(agent, "https://robo.example/", [Hook.Event.TURN])
    running, over = (tables.open_match(alice, [tables.person(alice), tables.engine()]) for _ in range(2))
    LiveMatch.objects.filter(pk=over.pk).update(status="finished", match=match)
    deal = Challenge.objects.create(code="adealadealadeal1", origin=over, seat=0)
    position = signing.dumps(match.pk, salt=PLAY_ON)
    links = dict.fromkeys(OF_A_MATCH_LINK, single.slug) | dict.fromkeys(OF_A_STUDY_LINK, found.slug)

    described = f"{LINK}snapshots/<str:digest>/<str:name>.json"
    named = {
        described: "datapackage",
        "ratings/agents/<str:name>/": agent.name,
        "ratings/people/<str:name>/": alice.username,
    }

    charts = {"studies": "squares-sums-1", "ladders": "cost-and-strength"}

    def build(route: str) -> str:
        is_study = route.startswith(STUDY)
        is_match = route.startswith((MATCH, f"{LINK}{MATCH}", f"{EMBED}match/"))
        row = study if is_study else match if is_match else experiment
        row = ladder if route.startswith(LADDER) else row
        row = strategy if route.startswith(STRATEGY) else row
        row = project if route.startswith(PROJECT) else row
        row = own_token if route.startswith(OWN_TOKEN) else row
        row = token if route.startswith(AGENT) else agent if route.startswith(HOOK) else row
        values = {
            "<int:pk>": row.pk,
            "<str:digest>": frozen.digest,
            "<slug:slug>": project_link.slug if route.startswith(PUBLIC_PROJECT) else links.get(route, whole.slug),
            "<str:token>": position,
            "<uidb64>/<token>": "MQ/no-token",
            "<slug:deed>": "ask",
            "<slug:code>": deal.code if route == DEAL else over.code if route.startswith(REPLAY) else running.code,
            "<slug:name>": agent.name if route.startswith(AGENT) else "resign",
            "<str:name>": named.get(route, next(iter(EXAMPLES))),
            "<slug:game_id>": "carcassonne",
            "<str:engine_id>": "flat_mc",
            "<str:preset_id>": PRESET,
            "<slug:measurement_id>": "dominion-insider-hard",
            "<str:paper_id>": "heyden-2009",
            "<slug:key>": result.key if route.startswith(PUBLIC_PROJECT) else EXAMPLE,
            "<slug:chart_id>": charts.get(route.partition("/")[0], "win-rate"),
            "<slug:table>": "matches",
            "<slug:format_id>": "csv",
        }
        for name, value in values.items():
            route = route.replace(name, str(value))
        assert "<" not in route
        return f"/{route}"

    return build


def problem(client: Client, rule: Rule, path: str, expected: Any) -> str:
    """What is wrong with an answer; empty when nothing is."""
    response = getattr(client, rule.method)(path)
    location = response.headers.get("Location", "")
    if expected == LOGIN:
        is_right = response.status_code == 302 and location.startswith("/accounts/login/?next=")
    else:
        is_right = response.status_code == expected
    if expected == 404:
        is_right = is_right and b"Nothing is at this address" in response.content
    return "" if is_right else f"{rule.method} {path}: {response.status_code} {location}, not {expected}"


@pytest.fixture
def people(alice, bob):
    """Clients of the owner, a stranger and a guest."""
    clients = {"owner": Client(), "stranger": Client(), "guest": Client()}
    clients["owner"].force_login(alice)
    clients["stranger"].force_login(bob)
    return clients


@pytest.mark.long
@pytest.mark.parametrize("who", ["owner", "stranger", "guest"])
def test_who_may_look(who, address, people, valkey_service):
    looking = {route: rule for route, rule in RULES.items() if rule.method == "get"}
    answers = [problem(people[who], rule, address(route), getattr(rule, who)) for route, rule in looking.items()]
    assert not [text for text in answers if text]


KEPT = (
    *(Experiment, Study, PresetRun, ShareLink, Project, ProjectLink, LiveMatch, LiveSeat, Agent, AgentToken),
    *(PersonToken, Hook, Strategy),
)
CHANGING = [route for route, rule in RULES.items() if rule.method == "post"]


def test_who_may_change(address, people, subtests):
    """Each address by itself: what one has changed is undone before the next."""
    for route in CHANGING:
        start = transaction.savepoint()
        cookies = {who: client.cookies.copy() for who, client in people.items()}
        with subtests.test(route):
            rule, path = RULES[route], address(route)
            answers = [problem(people[who], rule, path, getattr(rule, who)) for who in ("guest", "stranger", "owner")]
            assert not [text for text in answers if text]
        transaction.savepoint_rollback(start)
        for who, client in people.items():
            client.cookies = cookies[who]


@pytest.mark.long
def test_nothing_changes_by_get(address, people):
    addresses = {route: address(route) for route in CHANGING}
    before = [list(model.objects.order_by("pk").values()) for model in KEPT]
    answers = {route: people["owner"].get(path).status_code for route, path in addresses.items()}
    assert answers.pop("presets/<str:preset_id>/start/") == 302, "leads to the preset, as after signing in"
    assert answers.pop("strength/of/<slug:measurement_id>/start/") == 302, "leads to the game's page likewise"
    assert answers.pop(f"{AGENT}tokens/") == 302, "leads to the agent"
    asking = {route: status for route, status in answers.items() if route.endswith("/share/")}
    assert set(asking.values()) <= {200, 302}, "says what would become public, or leads to what is"
    assert {status for route, status in answers.items() if route not in asking} == {405}
    assert [list(model.objects.order_by("pk").values()) for model in KEPT] == before


@pytest.mark.long
def test_nothing_changes_without_the_forms_secret(address, alice):
    owner = Client(enforce_csrf_checks=True)
    owner.force_login(alice)
    assert {owner.post(address(route)).status_code for route in CHANGING} == {403}


@pytest.mark.long
def test_a_withdrawn_link_says_so_everywhere(address, client):
    for links in (ShareLink, ProjectLink):
        links.objects.update(withdrawn_at="2026-01-01T00:00Z")
    for route, rule in RULES.items():
        if route.startswith((LINK, PUBLIC_PROJECT)) and rule.method == "get":
            assert client.get(address(route)).status_code == 410, route


@pytest.mark.long
def test_addresses_load_without_numba():
    code = (
        "import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns;"
        "assert 'numba' not in sys.modules, 'numba'"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)


@pytest.mark.parametrize(
    "place", ["ratings/people/{}/", "ratings/agents/{}/", "r/{}/", "play/{}/", "api/v1/matches/{}"]
)
def test_an_address_with_a_nul_leads_nowhere(place: str, client: Client, alice: Any) -> None:
    client.force_login(alice)
    assert client.get("/" + place.format("a%00")).status_code in (401, 404)
