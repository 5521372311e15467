"""Writing: hold an account to its quotas while it starts something."""

from __future__ import annotations

from webapp.lab.quotas import selectors
from webapp.lab.quotas.selectors import Ask
from webapp.people.accounts import quotas
from webapp.people.accounts.models import User
from webapp.records.job import Job
from worker.spec import SpecError


class OverQuotaError(SpecError):
    """Refusal of something that is more than an account may have; the message is a sentence without its full stop."""


def check(owner: User, ask: Ask, made: Job | None = None) -> None:
    """Raise OverQuotaError with a sentence where something more is over a quota.

    Called in a transaction, until whose end others who start something for this account wait. made: the job that
    asks, which does not count yet.
    """
    if quotas.limits(owner) == quotas.Limits():
        return
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if why := selectors.refusal(owner, ask, made):
        raise OverQuotaError((), why)
