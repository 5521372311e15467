"""People who use the lab."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person with a name and a password; the account `lab` belongs to the system.

    is_guest: somebody without an account who plays; signing up makes the row an account.
    preferences: how the person likes to play (webapp.play.preferences).
    """

    is_guest = models.BooleanField(default=False)
    preferences = models.JSONField(default=dict, blank=True)


class Quota(models.Model):
    """What staff let one account have, where it differs from the lab's defaults (webapp.people.accounts.quotas).

    null: the default; 0: no limit.
    """

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="quota")
    running = models.PositiveIntegerField("running or paused jobs", null=True, blank=True)
    cpu_hours = models.PositiveIntegerField("CPU hours in seven days", null=True, blank=True)
    rows = models.PositiveBigIntegerField("rows", null=True, blank=True)
    bytes = models.PositiveBigIntegerField("bytes", null=True, blank=True)
    api_calls = models.PositiveIntegerField("API requests a day", null=True, blank=True)

    def __str__(self) -> str:
        return f"quota of account {self.owner_id}"
