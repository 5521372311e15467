"""Commands for the processes of the crash tests.

    python -m tests.crash.process sweep | create | study QUEUE | table GAME | act MATCH

create reads {"spec": ..., "pieces": [[arm, first, size], ...]} and prints the experiment's id;
study reads a spec and prints the study's id; table reads the seats of a match in play (engines,
null for a person) and prints its id; act plays for the person on turn.
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
    from webapp.records import work_source

    order = json.load(sys.stdin)
    pieces = [tuple(piece) for piece in order["pieces"]]
    with transaction.atomic():
        experiment = make_experiment(spec=order["spec"], num_matches=sum(size for _, _, size in pieces))
        work_source.open_chunks(experiment, pieces)
        work_source.wake()
    print(experiment.pk)


def study() -> None:
    """Make a running study and wake workers."""
    from webapp.lab.studies import services
    from webapp.people.accounts.models import User
    from worker.studies.spec import from_json

    owner, _ = User.objects.get_or_create(username="student")
    print(services.create(owner, "Squares", from_json(json.load(sys.stdin)), queue=sys.argv[2]).pk)


def table() -> None:
    """Open a match in play, the same one every time, for the workers of tables; the sweeper tells them."""
    from tests.webapp.table.live import tables
    from webapp.people.accounts.models import User
    from webapp.table.live.models import LiveMatch
    from worker import spec as specs
    from worker.recorder import INTERACTIVE

    game = sys.argv[2]
    person, _ = User.objects.get_or_create(username="player")
    plans = [
        tables.person(person)
        if row is None
        else tables.engine(specs.seat_from_json(row, ("seat",), game), row["engine"].title())
        for row in json.load(sys.stdin)
    ]
    match = tables.open_match(person, plans, game=game, seed=SEED, deal_seed=DEAL_SEED)
    LiveMatch.objects.filter(pk=match.pk).update(queue=INTERACTIVE)  # engines alone are played with batches
    print(match.pk)


def act() -> None:
    """Play the first legal action of the seat on turn."""
    from webapp.table.live import ply_writer, position_cache
    from webapp.table.live.models import LiveMatch

    match = LiveMatch.objects.get(pk=int(sys.argv[2]))
    position = position_cache.position_at(match)
    ply_writer.play(match.pk, match.on_turn, match.ply, int(position.game.legal_actions(position.state)[0]))


SEED, DEAL_SEED = 5, 6
COMMANDS = {
    "sweep": lambda: call_command("sweep", "--period", "0.5"),
    "create": create,
    "study": study,
    "table": table,
    "act": act,
}


if __name__ == "__main__":
    engines.register()
    counting.register()
    django.setup()
    COMMANDS[sys.argv[1]]()
