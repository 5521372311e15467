"""A pytest plugin (``-p tests.spread``): in which order tests run, and how several processes share them out.

The browser's tests come last in every process: its event loop must not meet those of others. Files
stay whole, and all that start programs of their own (`TOGETHER`) stay in one process: they wait for
programs that need the other core. What takes long begins first, so that no process is left with it
at the end.
"""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

TOGETHER = ("tests/crash/", "tests/journey/", "tests/ops/")
LONG = (*TOGETHER, "tests/engines/", "tests/webapp/live/", "tests/webapp/api/", "tests/games/", "tests/webapp/play/")
BROWSER = re.compile(r"tests/journey/|[^:]*(browser|phone)\.py::")
"""Names of the tests with a browser: whoever shares tests out sees nothing else of them."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the browser's tests behind all others; where several processes run, in the order of `turn_of`."""
    for item in items:
        if "browser" in item.keywords and not BROWSER.match(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid} needs a browser: the name of its file has to end in browser.py")
    is_shared = hasattr(config, "workerinput")
    items.sort(key=lambda item: turn_of(item.nodeid) if is_shared else bool(BROWSER.match(item.nodeid)))


def scope_of(nodeid: str) -> str:
    """What stays in one process: a file, or all programs; with a browser and without."""
    if nodeid.startswith(TOGETHER):
        return "programs with a browser" if BROWSER.match(nodeid) else "programs"
    return nodeid.split("::", 1)[0]


def turn_of(nodeid: str) -> tuple[bool, int]:
    """Sorts tests: first those without a browser, among them first those of a folder that takes long."""
    place = next((n for n, folder in enumerate(LONG) if nodeid.startswith(folder)), len(LONG))
    return bool(BROWSER.match(nodeid)), place


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than cores: the one with `TOGETHER` waits for most of its time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out by `scope_of`, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class Spread(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    config.option.loadscopereorder = False  # not by number of tests: it says little about their time
    return Spread(config, log)
