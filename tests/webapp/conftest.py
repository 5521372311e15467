"""Fixtures for tests of pages."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.conftest import CALL_FAILED, DESK, PAGE_TIMEOUT_MS, check_page


@pytest.fixture(autouse=True)
def _own_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in this process, whether a server of counts runs or not, and however quick it is."""
    from webapp.common import counts

    if not _NOWHERE:
        _NOWHERE.append(counts.Counts("unix:///nowhere"))
    monkeypatch.setattr(counts, "shared_counts", _NOWHERE[0])


@pytest.fixture(autouse=True)
def _own_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Miss the sweeper, whom no test has, from the beginning of the test on instead of from that of the run."""
    from webapp.lab.watch import beats

    monkeypatch.setattr(beats, "_STARTED_AT", time.monotonic())


_NOWHERE: list[Any] = []
"""Counts without a server, made once."""


@pytest.fixture
def played(db: None) -> Callable[..., Any]:
    """Make an experiment of an owner with all its matches played."""
    from tests.webapp.lab.experiments.rows import fill
    from tests.webapp.specs import make

    def build(owner: Any, failed: int = -1, **changes: Any) -> Any:
        experiment = make(owner, **changes)
        fill(experiment, failed)
        experiment.refresh_from_db()
        return experiment

    return build


# ---- pages in a browser


@pytest.fixture(scope="session")
def kept_pages(browser: Any, django_db_setup: None) -> Iterator[dict[str, Any]]:
    """The pages that tests use one after another, by what they are for."""
    from tests.webapp import waits

    pages: dict[str, Any] = {}
    yield pages
    for kept in pages.values():
        kept.close()
    waits.end_listening()


@pytest.fixture
def lent(browser: Any, kept_pages: dict[str, Any], request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Lend a page by its name, with options of its context, for as long as the test runs."""

    @contextmanager
    def lent(name: str, **options: Any) -> Iterator[Any]:
        from tests.kept_pages import KeptPage
        from tests.webapp import waits

        kept = kept_pages.setdefault(name, KeptPage(browser, PAGE_TIMEOUT_MS, reduced_motion="reduce", **options))
        page, is_sound = kept.lend(), False
        try:
            yield page
            check_page(page, request)
            is_sound = not request.node.stash.get(CALL_FAILED, False)
        finally:
            kept.take_back(is_reused=is_sound)
            waits.end()

    return lent


@pytest.fixture
def page(lent: Callable[..., Any]) -> Iterator[Any]:
    """A page as good as new; `page.problems` lists console errors and exceptions, and must stay empty.

    A test that expects some empties the list. A failing test leaves a picture in test-results/. Nothing
    moves unless a test asks for motion (`emulate_media`).
    """
    with lent("page", viewport=DESK) as page:
        yield page


@pytest.fixture
def friend(lent: Callable[..., Any]) -> Iterator[Any]:
    """A page as `page`, of a second browser."""
    with lent("friend", viewport=DESK) as page:
        yield page
