"""A pytest plugin (``-p tests.spread``): how the tests are shared out where several processes run them.

Files stay whole, and all that start programs of their own (`TOGETHER`) stay in one process: they
wait for programs that need the other core.
"""

from __future__ import annotations

from typing import Any

import pytest

TOGETHER = ("tests/crash/", "tests/journey/", "tests/ops/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out by file and by `TOGETHER`."""
    from xdist.scheduler import LoadScopeScheduling

    class Spread(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return "programs" if nodeid.startswith(TOGETHER) else nodeid.split("::", 1)[0]

    return Spread(config, log)
