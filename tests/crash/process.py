"""Commands for the processes of the crash tests: ``python -m tests.crash.process sweep | create | study QUEUE``.

create reads {"spec": ..., "pieces": [[arm, first, size], ...]} and prints the experiment's id;
study reads a spec and prints the study's id.
"""

from __future__ import annotations

import json
import sys

import django
from django.core.management import call_command

from tests import counting
from tests.crash import engines


def create() -> None:
    """Make a running experiment and wake workers."""
    from django.db import transaction

    from tests.records.experiments import make_experiment
    from webapp.records import work

    order = json.load(sys.stdin)
    pieces = [tuple(piece) for piece in order["pieces"]]
    with transaction.atomic():
        experiment = make_experiment(spec=order["spec"], num_matches=sum(size for _, _, size in pieces))
        work.open_chunks(experiment, pieces)
        work.wake()
    print(experiment.pk)


def study() -> None:
    """Make a running study and wake workers."""
    from webapp.accounts.models import User
    from webapp.studies import services

    owner, _ = User.objects.get_or_create(username="student")
    print(services.create(owner, "Squares", json.load(sys.stdin), queue=sys.argv[2]).pk)


COMMANDS = {"sweep": lambda: call_command("sweep", "--period", "0.5"), "create": create, "study": study}


if __name__ == "__main__":
    engines.register()
    counting.register()
    django.setup()
    COMMANDS[sys.argv[1]]()
