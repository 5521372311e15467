#!/usr/bin/env python
"""Django's command line: `manage.py up` starts the whole lab."""

import os
import sys

from games import garbage


def main() -> None:
    """Run the command that the arguments name."""
    garbage.collect_seldom()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
