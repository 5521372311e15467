"""A lab as `manage.py up` runs it, and a browser that watches for errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import PAGE_TIMEOUT_MS
from tests.crash.lab import Lab

FIRST_ERROR = 400
COLD_START_S = 480  # nothing waits longer than it must; kernels may have to be compiled on a loaded machine
LOUD = re.compile(r"Traceback| (?:ERROR|CRITICAL) ")


@pytest.fixture(scope="package")
def lab() -> Iterator[Lab]:
    """A running lab with two processes for experiments, the same for all journeys."""
    with Lab(is_in_haste=True) as running:
        running.start_supervisor(workers=2)
        said = running.folder.root / "supervisor.log"
        running.wait(lambda: "[workers] started" in said.read_text(), "the workers to start", COLD_START_S)
        yield running


def address(lab: Lab) -> str:
    """Where its pages are."""
    found = re.search(r"\[web\] (http://\S+)/ ", (lab.folder.root / "supervisor.log").read_text())
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def site(lab: Lab) -> Iterator[str]:
    """Address of the lab. No part of it may log an error."""
    yield address(lab)
    for log in sorted(lab.folder.logs.glob("*.log")):
        loud = [line for line in log.read_text().splitlines() if LOUD.search(line)]
        assert not loud, f"{log.name} holds errors: {loud}"


@pytest.fixture
def owner(page: Any) -> Any:
    """The page of somebody without an account yet; what fails to load counts as a problem."""
    watch(page, page.problems)
    return page


@pytest.fixture
def guest(browser: Any, page: Any) -> Iterator[Any]:
    """A page in another browser profile, signed in nowhere."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PAGE_TIMEOUT_MS)
    guest = context.new_page()
    guest.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    guest.on("pageerror", lambda error: page.problems.append(str(error)))
    watch(guest, page.problems)
    yield guest
    context.close()


def watch(page: Any, problems: list[str]) -> None:
    """Count warnings of our scripts and answers of status 400 and above as problems."""
    page.on("console", lambda message: problems.append(message.text) if message.type == "warning" else None)
    page.on("response", lambda got: problems.append(f"{got.status} {got.url}") if got.status >= FIRST_ERROR else None)
