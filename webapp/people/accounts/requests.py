"""Requests of somebody who is signed in."""

from __future__ import annotations

from webapp.common.requests import HtmxRequest
from webapp.people.accounts.models import User


class UserRequest(HtmxRequest):
    """A request behind `login_required`: its user has an account."""

    user: User
