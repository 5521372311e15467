"""Make the database role of workers: they write what is played, and see nothing that lets anybody in."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from webapp.ops import data_folder, worker_access, worker_role
from webapp.people.accounts.system import system_account


class Command(BaseCommand):
    """Makes the role, or gives it its password and rights anew, as each start of the lab does."""

    help = (
        f"Make the database role of workers, {worker_access.ROLE}. Its password is in {worker_role.PASSWORD}, "
        "or in the data folder after `up --serve-workers`."
    )
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, in one transaction."""
        password = os.environ.get(worker_role.PASSWORD, "") or _embedded_password()
        if not password:
            raise CommandError(f"Set {worker_role.PASSWORD}.")
        with transaction.atomic():
            system_account()  # to which workers give what nobody owns, and which they may not make
            worker_role.make(connection.connection, password)


def _embedded_password() -> str:
    folder = data_folder.locate()
    return folder.worker_password() if folder.worker_password_file.exists() else ""
