"""Addresses that players give to each other."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from webapp.table.live.models import LiveMatch


def join_path(match: LiveMatch, *, with_key: bool) -> str:
    """Address for taking a seat. with_key: for somebody with the invitation."""
    path = reverse("play:join", args=[match.code])
    return f"{path}?{urlencode({'key': match.invite})}" if with_key else path


@dataclass(frozen=True)
class Link:
    """Whole address to send to somebody. is_local: it leads there on this computer alone."""

    address: str
    is_local: bool


def base_of(request: HttpRequest) -> str:
    """The lab's address as others reach it: the one in the reader's address bar, which `ALLOWED_HOSTS` lets in.

    By PUBLIC_URL where that has the same name, since a proxy may end TLS, and where the reader came by a name of the
    own computer, which leads nobody else here.
    """
    host = request.get_host()
    name, public = urlsplit(f"//{host}").hostname, urlsplit(settings.PUBLIC_URL).hostname
    if (name == public and not _is_loopback(name)) or (_is_loopback(name) and not _is_loopback(public)):
        return str(settings.PUBLIC_URL)
    return f"{request.scheme}://{host}"


def whole_link(base: str, path: str) -> Link:
    """The link for a path of the lab at this address."""
    return Link(f"{base}{path}", is_local=_is_loopback(urlsplit(base).hostname))


def invite_link(match: LiveMatch, base: str) -> Link:
    """Invitation to the open seats of a match; only its creator may see it. base: see `base_of`."""
    return whole_link(base, join_path(match, with_key=True))


def _is_loopback(name: str | None) -> bool:
    return name in settings.LOOPBACK or (name or "").startswith("127.")
