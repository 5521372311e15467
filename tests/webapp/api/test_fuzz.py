"""Every operation under generated requests, good and bad: never a crash, never an undocumented answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from tests.webapp.api.callers import Caller, Researcher
from tests.webapp.lab.results import factory
from tests.webapp.table.live import tables
from webapp.api import limits
from webapp.api.examples import LADDER, STUDY
from webapp.api.v1 import api
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db

EXAMPLES = 20
"""Requests of each kind for each operation."""
CAMPAIGN = 1500
"""The same with ``--slow``: about 20,000 in all, since some operations take little that could differ."""
STANDINGS = ("open", "running", "over", "any")
"""How the match stands that a request names; any: a code that the generator makes up."""


def operations() -> dict[tuple[str, str], str]:
    """Method and path of everything in the schema, each with its tag."""
    paths = api.get_openapi_schema()["paths"].items()
    return {(method, path): about["tags"][0] for path, found in paths for method, about in found.items()}


@pytest.fixture
def codes(bot: Caller, rival: Caller) -> dict[str, str]:
    """A match for every standing, with the fuzzing agent at it."""
    found = {standing: bot.open("me", "open") for standing in STANDINGS[:3]}
    for standing in ("running", "over"):
        rival.tell(f"/matches/{found[standing]}/join")
        tables.play_on(LiveMatch.objects.get(code=found[standing]), 4)
    rival.tell(f"/matches/{found['over']}/wishes/resign")
    assert bot.ask(f"/matches/{found['over']}/trace")["plies"]
    return found


@pytest.fixture
def numbers(researcher: Researcher, alice: Any) -> dict[str, dict[str, Any]]:
    """Parts of addresses that lead to something of the fuzzing person, by what they begin with."""
    made = factory.played(alice, deals=1)
    found: dict[str, dict[str, Any]] = {
        "experiments": {"number": made.pk, "match": made.matches.earliest("pk").pk, "chart_id": "win-rate"}
    }
    for plural, body in (("ladders", LADDER), ("studies", STUDY)):
        found[plural] = {"number": researcher.tell("POST", f"/{plural}", body, 201)["number"]}
    return found


@pytest.fixture
def schema(codes: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The schema, its operations called through WSGI in this process and this transaction.

    Requests must not close the connection then. Django's own client sees to that; afterwards it
    connects the signals again, so this comes after `codes`.
    """
    import schemathesis  # takes a second, which other tests need not wait for

    from webapp.wsgi import application

    monkeypatch.setattr("webapp.api.middleware.limits.ADDRESS", limits.Limit("address", 1_000_000))
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    for signal in signals:
        signal.connect(close_old_connections)


def fuzz(cases: Any, secret: str, examples: int) -> Counter[int]:
    """Send generated requests and check the answers; how often each status came."""
    from hypothesis import HealthCheck, given, settings
    from schemathesis import checks

    wanted = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    statuses: Counter[int] = Counter()

    @settings(
        max_examples=examples, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=cases)
    def send(case: Any) -> None:
        response = case.call(headers={"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"})
        case.validate_response(response, checks=wanted)
        statuses[response.status_code] += 1

    send()
    return statuses


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "examples"),
    [
        ("positive", EXAMPLES),
        pytest.param("positive", CAMPAIGN, marks=pytest.mark.slow),
        pytest.param("negative", CAMPAIGN, marks=pytest.mark.slow),  # in each run: odd bodies and waits, below
    ],
)
def test_generated_requests(schema: Any, kind: str, examples: int, bot: Caller, codes: dict[str, str]) -> None:
    from schemathesis import GenerationMode

    mode = GenerationMode(kind)
    statuses: Counter[int] = Counter()
    for method, path in [place for place, tag in operations().items() if tag not in RESEARCH]:
        operation = schema[path][method.upper()]
        queries = {parameter.name for parameter in operation.query}
        if mode == GenerationMode.NEGATIVE and not queries and not list(operation.body):
            continue  # it takes nothing that could be wrong
        standings = STANDINGS if "{code}" in path else STANDINGS[-1:]
        for standing in standings:
            fixed: dict[str, Any] = {}
            if standing in codes:
                fixed["path_parameters"] = {"code": codes[standing]}
            if "wait" in queries:
                fixed["query"] = {"wait": 0.01}  # else it would wait, as it should
            statuses += fuzz(operation.as_strategy(mode, **fixed), bot.secret, examples // len(standings))
    wanted = {200, 404, 409, 422} if mode == GenerationMode.POSITIVE else {401, 422}
    assert wanted <= statuses.keys()
    print(f"{statuses.total()} {kind} requests: {dict(sorted(statuses.items()))}")
    assert max(statuses) < 500


RESEARCH = ("Account", "Experiments", "Presets", "Strategies", "Webhook", "Ladders", "Studies")
"""Tags of operations that take a token of a person."""
FEW = 2
"""Requests for each of the first two: the kinds share their code, so each run takes one; the campaign takes all."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "examples"),
    [
        ("positive", FEW),
        pytest.param("positive", CAMPAIGN // 10, marks=pytest.mark.slow),
        pytest.param("negative", CAMPAIGN // 10, marks=pytest.mark.slow),
    ],
)
def test_generated_requests_for_research(
    researcher: Researcher, numbers: dict[str, dict[str, Any]], schema: Any, kind: str, examples: int
) -> None:
    from schemathesis import GenerationMode

    mode, tags = GenerationMode(kind), RESEARCH if examples > FEW else RESEARCH[:2]
    statuses: Counter[int] = Counter()
    wanted = [place for place, tag in operations().items() if tag in tags]
    for method, path in sorted(wanted, key=lambda pair: pair[0] == "delete"):
        operation = schema[path][method.upper()]
        queries = {parameter.name for parameter in operation.query}
        if mode == GenerationMode.NEGATIVE and not queries and not list(operation.body):
            continue
        known = numbers.get(path.split("/")[3], {})
        fixed: dict[str, Any] = {"query": {"wait": 0.01}} if "wait" in queries else {}
        named = {name: value for name, value in known.items() if f"{{{name}}}" in path}
        if named:
            statuses += fuzz(operation.as_strategy(mode, **fixed, path_parameters=named), researcher.secret, examples)
        if not named or examples > FEW:
            statuses += fuzz(operation.as_strategy(mode, **fixed), researcher.secret, examples)
    assert ({200, 422} if mode == GenerationMode.POSITIVE else {422}) <= statuses.keys()
    print(f"{statuses.total()} {kind} requests for research: {dict(sorted(statuses.items()))}")
    assert max(statuses) < 500


def test_waits_are_bounded(bot: Caller, subtests: pytest.Subtests) -> None:
    for wait in ["", "x", "-1", "25.1", "1e9", "nan", "inf", "-inf", "0x1"]:
        with subtests.test(wait=wait):
            assert bot.get(f"/turns?wait={wait}").status_code == 422


def test_odd_bodies_are_refused(bot: Caller, subtests: pytest.Subtests) -> None:
    for body in [
        "null",
        "[]",
        "7",
        '{"game": null}',
        '{"game": "carcassonne", "seats": ["me", {"level": "easy"}], "options": {"x": NaN}}',
        '{"game": "carcassonne", "seats": ["me", {"level": "easy"}], "options": {"\\ud800": 1}}',
        '{"game": "carcassonne", "seats": ["me", {"engine": "uct", "options": {"c": 1e999}}]}',
        '{"game": "carcassonne", "seats": ["me", {"engine": "uct", "options": {"\\u0000": []}}]}',
        '{"game": "carcassonne", "seats": ["me", {"engine": "uct", "budget": {"seconds_per_ply": NaN}}]}',
        '{"game": "carcassonne", "seats": ["me", {"engine": "uct", "budget": {"seconds_per_ply": null}}]}',
        '{"game": "carcassonne", "seats": ["me", {"agent": "\\u0000"}]}',
        '{"game": "\\u0000", "seats": ["me", "me"]}',
        '{"game": "carcassonne", "seats": ["me", "me"], "key": "\\ud800"}',
        '{"game": "carcassonne", "seats": ["me", "me"], "clock_s": 1e999}',
        "[" * 20_000,
        '{"a":' * 5_000 + "1" + "}" * 5_000,
    ]:
        with subtests.test(body=body):
            response = bot.client.post("/api/v1/matches", body, "application/json")
            assert response.status_code in (400, 422), response.content
            assert response.json()["status"] == response.status_code
