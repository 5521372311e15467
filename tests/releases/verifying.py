"""`manage.py verify` of a lab that does not run, all of it: ``python -m tests.releases.verifying``, with LAB_DATA."""

from __future__ import annotations

import django


def main() -> None:
    """Print the command's report."""
    django.setup()
    from django.core.management import call_command

    from webapp.ops import data_folder
    from webapp.ops.open_database import open_database

    with open_database(data_folder.locate(), is_exclusive=True):
        call_command("verify", "--sample", "1000")


if __name__ == "__main__":
    main()
