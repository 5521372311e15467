"""People who use the lab."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person with a name and a password; the account `lab` belongs to the system.

    is_guest: somebody without an account who plays; signing up makes the row an account.
    preferences: how the person likes to play (webapp.play.preferences).
    """

    is_guest = models.BooleanField(default=False)
    preferences = models.JSONField(default=dict, blank=True)
