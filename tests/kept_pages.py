"""Pages of the browser that tests use one after another, each as if it were new.

The first load in a new page costs twice what the next one does: a process starts, fonts are
looked for, scripts and styles are read and compiled. What a test leaves behind is taken away; where
that cannot be done, the page is closed and the next test gets another.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Error

LEAVE = "location.replace('about:blank')"
"""Brings an empty page by the page's own wish: it stays in the same process, which ends on the way by another site."""

HAS_CLOCK = "'__pwClock' in globalThis"
"""Whether a test's clock runs: it does so in whatever the context opens from then on."""


class KeptPage:
    """One page, lent to one test at a time; `options` are those of its context."""

    def __init__(self, browser: Any, timeout_ms: int, **options: Any) -> None:
        self._browser = browser
        self._timeout_ms = timeout_ms
        self._options = options
        self._page: Any = None
        self._origin = ""

    def lend(self) -> Any:
        """The page, empty; `problems` lists console errors and exceptions."""
        if self._page is None:
            self._page = open_page(self._browser, self._timeout_ms, **self._options)
        self._page.problems = []
        return self._page

    def take_back(self, is_reused: bool = True) -> None:
        """Empty the page for the next test, or close it."""
        try:
            is_clean = is_reused and self._empty()
        except Error:
            is_clean = False
        if not is_clean:
            self.close()

    def close(self) -> None:
        """Close the page and its context."""
        if self._page is not None:
            self._page.context.close()
            self._page = None

    def _empty(self) -> bool:
        """Take away what a test has left; False where that fails."""
        page, context = self._page, self._page.context
        if page.is_closed():
            return False
        for other in context.pages:
            if other is not page:
                other.close()
        page.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        if page.url.startswith("http"):
            self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
            leave(page)
        page.evaluate("sessionStorage.clear()")
        if page.evaluate(HAS_CLOCK):
            return False
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "all"})
        session.send("Page.resetNavigationHistory")
        session.detach()
        context.clear_cookies()
        page.emulate_media(media="null", color_scheme="light", reduced_motion="reduce", forced_colors="none")
        page.set_viewport_size(self._options["viewport"])
        page.mouse.move(0, 0)
        return True


def leave(page: Any) -> None:
    """Leave what a page shows for an empty one, so that nothing of it goes on."""
    page.evaluate(LEAVE)
    page.wait_for_url("about:blank")


def open_page(browser: Any, timeout_ms: int, **options: Any) -> Any:
    """A page in a context of its own that notes its problems."""
    context = browser.new_context(**options)
    context.set_default_timeout(timeout_ms)
    page = context.new_page()
    page.problems = []
    page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    return page
