"""A pytest plugin (``-p tests.spread``): in which order tests run, and how several processes share them out.

The browser's tests come last in every process: its event loop must not meet those of others. Files
stay whole, and all that start programs of their own (`TOGETHER`) stay in one process, those with a
browser right behind those without: they wait for programs that need the other core. What takes long
begins first, so that no process is left with it at the end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

import pytest

TOGETHER = ("tests/crash/", "tests/journey/", "tests/ops/")
LONG = (
    *TOGETHER,
    "tests/engines/",
    "tests/webapp/table/live/",
    "tests/webapp/api/",
    "tests/games/",
    "tests/webapp/play/",
)
BROWSER = re.compile(r"tests/journey/|[^:]*(browser|phone)\.py::")
"""Names of the tests with a browser: the code that shares tests out sees nothing else of them."""
PROGRAMS = ("programs", "programs with a browser")


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
        return PROGRAMS[1] if BROWSER.match(nodeid) else PROGRAMS[0]
    return nodeid.split("::", 1)[0]


def next_scope(waiting: Iterable[str], had: Iterable[str]) -> str:
    """What a process gets next of the scopes that wait, after those it has had."""
    queue, before = list(waiting), set(had)
    if PROGRAMS[0] in before and PROGRAMS[1] in queue:
        return PROGRAMS[1]
    has_browser = any(map(_has_browser, before))
    return next((scope for scope in queue if not has_browser or _has_browser(scope)), queue[0])


def _has_browser(scope: str) -> bool:
    return scope == PROGRAMS[1] or BROWSER.match(f"{scope}::") is not None


def turn_of(nodeid: str) -> tuple[bool, int]:
    """Sorts tests: first those without a browser, among them first those of a folder that takes long."""
    place = next((n for n, folder in enumerate(LONG) if nodeid.startswith(folder)), len(LONG))
    return bool(BROWSER.match(nodeid)), place


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes more than cores, since programs and browsers are mostly waited for; not for ``--quick``."""
    return (os.cpu_count() or 1) + 2 * (not config.getoption("--quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out by `scope_of`, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class Spread(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

        def _assign_work_unit(self, node: Any) -> None:
            chosen = next_scope(self.workqueue, self.assigned_work.get(node, ()))
            self.workqueue.move_to_end(chosen, last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False  # not by number of tests: it says little about their time
    return Spread(config, log)
