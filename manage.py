#!/usr/bin/env python
"""Django's command line: `manage.py up` starts the whole lab."""

import atexit
import gc
import os
import sys

GARBAGE = 20_000
"""Objects more than before, after which the collector looks for what nobody can reach: two thousand modules hold
nothing such, and looking through them took two fifths of a short command's time."""


def main() -> None:
    """Run the command that the arguments name."""
    gc.set_threshold(GARBAGE)
    atexit.register(gc.freeze)  # else it looks through them all once more
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
