"""People without an account who play: a row of their own, known by their session, until they sign up.

A guest is not signed in: pages that ask for an account do not let one in.
"""

from __future__ import annotations

import secrets

from django.http import HttpRequest

from webapp.common import limits
from webapp.common.limits import TooManyError
from webapp.common.statements import Reading
from webapp.people.accounts.models import User

SESSION_KEY = "guest"
NAME = "guest-"
NEW = limits.Limit("address", 20, "new guests")
"""Each is a row, a match and soon an engine at work."""
READ = Reading(User, "t.id = %s AND t.is_guest")
CROWDED = "Many guests have just come from your network. Try again in a minute, or sign in."


def person(request: HttpRequest) -> User | None:
    """The person who asks: the one signed in, the guest of this session, or nobody known."""
    user = getattr(request, "user", None)  # error pages may be shown before the middlewares were asked
    if isinstance(user, User):
        return user
    session = getattr(request, "session", {})
    guest_id = session.get(SESSION_KEY)
    return READ.first(guest_id) if guest_id else None


def person_or_new_guest(request: HttpRequest) -> User:
    """The person who asks; somebody new becomes a guest. Raises TooManyError where an address brings too many."""
    known = person(request)
    if known is not None:
        return known
    try:
        NEW.count(limits.address(request))
    except TooManyError as error:
        raise TooManyError(CROWDED, error.wait_s) from None
    guest = User(username=f"{NAME}{secrets.token_hex(5)}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    request.session[SESSION_KEY] = guest.pk
    return guest


def share_of(request: HttpRequest) -> str:
    """Share that a request counts for: the account that is signed in; without one the address, guests and all."""
    user = getattr(request, "user", None)
    return f"person {user.pk}" if isinstance(user, User) else f"address {limits.address(request)}"


def forget(request: HttpRequest) -> int | None:
    """The id of this session's guest, which is no guest's session any more; None where it is nobody's."""
    guest_id: int | None = request.session.pop(SESSION_KEY, None)
    return guest_id
