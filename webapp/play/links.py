"""Addresses that players give to each other."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from webapp.table.live.models import LiveMatch


def join_path(match: LiveMatch, *, with_key: bool) -> str:
    """Address for taking a seat. with_key: for somebody with the invitation."""
    path = reverse("play:join", args=[match.code])
    return f"{path}?{urlencode({'key': match.invite})}" if with_key else path


def invite_link(match: LiveMatch) -> str:
    """The whole address that invites to the open seats of a match; only its creator may see it."""
    return f"{settings.PUBLIC_URL}{join_path(match, with_key=True)}"
