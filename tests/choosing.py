"""A pytest plugin (``-p tests.choosing``): which tests run, by ``--slow`` and ``--quick``."""

from __future__ import annotations

import re

import pytest

from tests.spread import TOGETHER

ONE_GAME = "kingdomino"
"""The game that ``--quick`` plays, besides the toys."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--slow`` and ``--quick``."""
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")
    parser.addoption("--quick", action="store_true", help="no browser, no programs, toys and one game, nothing long")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark whatever uses the browser; skip slow tests unless asked for; leave out what is not quick if asked."""
    for item in items:
        if "browser" in _fixtures(item):
            item.add_marker("browser")
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="slow: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
    if config.getoption("--quick"):
        others = _other_games()
        brief = [item for item in items if "long" not in item.keywords]
        quick = [item for item in brief if is_quick(item.nodeid, _fixtures(item), others)]
        config.hook.pytest_deselected(items=list(set(items).difference(quick)))
        items[:] = quick


def is_quick(nodeid: str, fixtures: set[str], others: frozenset[str]) -> bool:
    """Whether a test has no browser, starts no programs, and neither its file, case nor fixtures name another game."""
    place, _, test = nodeid.partition("::")
    words = set(re.split(r"[^a-z]+", f"{place} {test.partition('[')[2]}".lower()))
    return "browser" not in fixtures and not place.startswith(TOGETHER) and not (words | fixtures) & others


def _fixtures(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))


def _other_games() -> frozenset[str]:
    from games import registry

    return frozenset(registry.ids()) - {ONE_GAME}
