"""People who use the lab."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with a name and a password; the account `lab` belongs to the system."""
