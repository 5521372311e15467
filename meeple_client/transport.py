"""Requests to a lab: each is carried out once, however often it has to be sent."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from meeple_client.errors import LabError, ProblemError, UnreachableError

TIMEOUT_S = 60.0
"""Seconds for a single answer; a wait for news takes 25 of them."""
PATIENCE_S = 180.0
"""Seconds for which a request is sent again where a lab is not there, starts anew or has too much to do."""
PAUSES_S = (0.5, 1, 2, 4, 8, 15)
"""Pauses between two attempts; the last one again and again. A lab that says how long is obeyed."""
NOT_NOW = (429, 502, 503, 504)
BASE = "/api/v1"


def client_version() -> str:
    """Version of the distribution; "0" where it runs from a checkout."""
    try:
        return version("meeple-lab")
    except PackageNotFoundError:
        return "0"


class Transport:
    """Connections to one lab, with the token. A request that changes something is sent with a key."""

    def __init__(self, url: str, token: str = "", timeout_s: float = TIMEOUT_S, patience_s: float = PATIENCE_S) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} is no address of a lab, such as https://lab.example.org")
        if not urlsplit(url).hostname:
            raise ValueError(f"{url!r} names no lab, such as https://lab.example.org")
        self.url = url.rstrip("/")
        self.patience_s = patience_s
        headers = {"User-Agent": f"meeple-client/{client_version()}"}
        if token := token.strip():
            headers["Authorization"] = f"Bearer {_plain('token', token)}"
        self._http = httpx.Client(headers=headers, timeout=timeout_s)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str = "",
        query: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        """What the API answers below /api/v1. Raises ProblemError, UnreachableError.

        key: names the request, so that a program that is started again starts nothing twice; else one is drawn, which
        holds for all attempts of this call.
        """
        headers = {"Idempotency-Key": _plain("key", key.strip()) or uuid4().hex} if method == "POST" else {}
        sent = {"params": query, "headers": headers} | ({} if body is None else {"json": body})
        return self._send(method, f"{self.url}{BASE}{path}", sent)

    def ask(self, method: str, path: str, body: object = None, *, key: str = "", **query: Any) -> Any:
        """The JSON that the API answers; None where it answers nothing."""
        answer = self.call(method, path, body, key=key, query=query or None)
        return answer.json() if answer.content else None

    def page(self, path: str) -> Any:
        """The JSON of a public page beside the API."""
        return self._send("GET", f"{self.url}{path}", {}).json()

    def _send(self, method: str, url: str, sent: Mapping[str, Any]) -> httpx.Response:
        """Send, and send again while it may help."""
        ends_at, attempt, was_lost = time.monotonic() + self.patience_s, 0, False
        while True:
            pause = PAUSES_S[min(attempt, len(PAUSES_S) - 1)]
            try:
                answer = self._http.request(method, url, **sent)
            except httpx.TransportError as error:
                was_lost, why = True, f"{type(error).__name__} {error}".strip()
                refusal: LabError = UnreachableError(f"{self.url} gives no answer: {why}.")
            except httpx.InvalidURL as error:
                raise ValueError(f"{url!r} is no address: {error}") from None
            else:
                if answer.is_success or (method == "DELETE" and was_lost and answer.status_code == 404):
                    return answer  # it was deleted by the request whose answer was lost
                refusal = _problem(answer)
                if answer.status_code not in NOT_NOW:
                    raise refusal
                pause = max(pause, _wished_s(answer))
            if time.monotonic() + pause > ends_at:
                raise refusal
            time.sleep(pause)
            attempt += 1


def _plain(what: str, text: str) -> str:
    """The text, if a header can hold it. Raises ValueError."""
    if not (text.isascii() and text.isprintable()):
        raise ValueError(f"the {what} {text!r} may hold plain letters, digits and signs alone")
    return text


def _wished_s(answer: httpx.Response) -> float:
    """Seconds after which the lab wishes to be asked again."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else 0.0


def _problem(answer: httpx.Response) -> ProblemError:
    """The problem that an answer tells of; what stands between here and the lab may answer otherwise."""
    try:
        members = answer.json()
    except ValueError:
        members = None
    if not isinstance(members, dict) or not isinstance(members.get("detail"), str):
        detail = f"{answer.request.url} answered {answer.status_code} {answer.reason_phrase}."
        return ProblemError(f"http-{answer.status_code}", answer.status_code, detail, {})
    kind = str(members.get("type", "")).rpartition("#")[2]
    return ProblemError(kind, answer.status_code, members["detail"], members)
