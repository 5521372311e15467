"""All that a browser is sent while a match is played, searched for what must not be in it."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Error

from tests.conftest import PAGE_TIMEOUT_MS
from tests.crash.lab import Lab

_MATCH = "select seed, deal_seed, salt, digest, invite from live_livematch where code = %s"
_DIGESTS = "select p.digest from live_liveply p join live_livematch m on m.id = p.match_id where m.code = %s"


class Recording:
    """Every answer to one page: address, heads, body. Read at once: a browser drops them with their page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.texts: list[tuple[str, str]] = []
        self.unread: list[str] = []
        page.on("requestfinished", self._take)

    def _take(self, request: Any) -> None:
        answer = request.response()
        heads = "\n".join(f"{name}: {value}" for name, value in answer.all_headers().items())
        try:
            body = answer.body().decode(errors="replace")
        except Error:
            body = ""
            self.unread.append(f"{answer.status} {answer.url}")
        self.texts.append((answer.url, f"{heads}\n{body}"))

    def holding(self, words: set[str], *, but: str = "\0") -> set[tuple[str, str]]:
        """(Address, word) wherever one of the words was sent, from other addresses than `but`."""
        return {(url, word) for url, text in self.texts for word in words if but not in url and word in text}

    def comes_to_hold(self, words: set[str]) -> bool:
        """Whether each of the words is found: a page may show an answer before the answer is read here."""
        until = time.monotonic() + PAGE_TIMEOUT_MS / 1000
        while {word for _, word in self.holding(words)} != words and time.monotonic() < until:
            self.page.wait_for_timeout(50)  # answers are read meanwhile
        return {word for _, word in self.holding(words)} == words


def seeds(lab: Lab, code: str) -> set[str]:
    """What the commitment promises to open when the match is over."""
    ((seed, deal_seed, salt, _, _),) = lab.rows(_MATCH, code)
    return {str(seed), str(deal_seed), salt}


def luck(lab: Lab, code: str) -> set[str]:
    """What nobody may know of a running match: seeds, salt, and the digests of its plies."""
    ((*_, digest, _),) = lab.rows(_MATCH, code)
    digests = {digest, *(row[0] for row in lab.rows(_DIGESTS, code))} - {0}
    return seeds(lab, code) | {str(digest) for digest in digests}


def key(lab: Lab, code: str) -> str:
    """The invitation's key."""
    ((*_, invite),) = lab.rows(_MATCH, code)
    return str(invite)
