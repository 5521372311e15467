"""Fixtures for all tests: the database, people, and a browser."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import spread

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET_FLAGS = [
    "--no-sandbox",  # Chromium refuses its sandbox as root
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
]
PAGE_TIMEOUT_MS = 30_000
DESK = {"width": 1280, "height": 900}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Collect without looking for garbage: modules and tests live as long as the run, and are not searched later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _no_whole_matches_are_compiled() -> Iterator[None]:
    """However many matches between policies a process plays, it compiles no kernel for them (`tests.warming`)."""
    from worker.whole_matches import players

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(players, "WORTH_S", float("inf"))
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_service: str, django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Start Postgres before the first test that needs the database."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The database of the run.

    Tests that commit leave it empty by `tests.emptying`. Passwords are hashed quickly: what slows
    guessing down would slow every test with a person.
    """
    from django.test import TransactionTestCase, override_settings

    from tests import emptying

    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with quick, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptying.empty)
        yield


@pytest.fixture
def queue(valkey_service: str) -> Iterator[Any]:
    """The queue's server, with nothing in the queue of batches."""
    import redis
    from django.conf import settings

    from worker.recorder import BATCH

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(BATCH)
        yield client
        client.delete(BATCH)


@pytest.fixture
def alice(db: None) -> Any:
    """A person; her password is ``password``."""
    return _person("alice")


@pytest.fixture
def bob(db: None) -> Any:
    """Another person."""
    return _person("bob")


def _person(name: str) -> Any:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user(name, f"{name}@example.org", "password")


def chromium() -> str | None:
    """Path of the system's Chromium; the run of CI insists on one."""
    for name in CHROMIUM_NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    return None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say loudly when the browser tests could not run."""
    if chromium() is None:
        terminalreporter.section("NO CHROMIUM", red=True, bold=True)
        terminalreporter.line("The browser tests were skipped: install the package chromium to run them.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for the whole run."""
    program = chromium()
    if program is None:
        if os.environ.get("LAB_REQUIRE_BROWSER"):
            pytest.fail("LAB_REQUIRE_BROWSER is set and no Chromium is installed")
        pytest.skip("no Chromium is installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PAGE_TIMEOUT_MS)
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=program, args=QUIET_FLAGS)
        yield instance
        instance.close()


@pytest.fixture(autouse=True, scope="module")
def _loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the browser's loop, which stands still, from files without a browser.

    Their tests may run loops of their own. It goes before every test begins its transaction: beside a loop
    Django has another connection, which would begin and end one that no statement of the test is in.
    """
    loop = None if spread.BROWSER.match(f"{request.node.nodeid}::") else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    yield
    if loop is not None:
        asyncio._set_running_loop(loop)


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh page; `page.problems` lists console errors and exceptions, and must stay empty.

    A test that expects some empties the list. A failing test leaves a picture in test-results/.
    """
    from tests.kept_pages import open_page

    page = open_page(browser, PAGE_TIMEOUT_MS, viewport=DESK)
    yield page
    try:
        check_page(page, request)
    finally:
        page.context.close()


def check_page(page: Any, request: pytest.FixtureRequest) -> None:
    """Fail where the browser complained; of a failing test, take a picture."""
    problems = list(page.problems)
    is_used = page.url != "about:blank"
    if problems or (is_used and request.node.stash.get(CALL_FAILED, False)):
        folder = Path(request.config.rootpath) / "test-results"
        folder.mkdir(exist_ok=True)
        page.screenshot(path=folder / f"{request.node.name[:80].replace('/', '_')}.png", full_page=True)
    assert not problems, f"the browser's console complained: {problems}"


CALL_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Remember whether the test itself failed, for the page fixture."""
    report = yield
    if report.when == "call":
        item.stash[CALL_FAILED] = report.failed
    return report
