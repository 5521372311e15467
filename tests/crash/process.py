"""Processes of the crash tests: ``python -m tests.crash.process sweep | serve``.

serve obeys a line of JSON after another, [command, arguments], and answers each with a line: [what the command
gives, null], or [null, what it raised].
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

import django
from django.core.management import call_command

from tests import counting
from tests.campaigns import hand
from tests.crash import engines

SWEEP_S = "0.3"
SEED, DEAL_SEED = 5, 6


def migrate() -> None:
    """Make the tables."""
    call_command("migrate", skip_checks=True, verbosity=0)


def create(spec: dict[str, Any], pieces: list[list[int]]) -> int:
    """Make a running experiment with these chunks (arm, first, size) and wake workers; return its id."""
    from django.db import transaction

    from tests.records.experiments import make_experiment
    from webapp.records import work_source

    with transaction.atomic():
        experiment = make_experiment(spec=spec, num_matches=sum(size for _, _, size in pieces))
        work_source.open_chunks(experiment, [(arm, first, size) for arm, first, size in pieces])
        work_source.wake()
    return experiment.pk


def study(spec: dict[str, Any], queue: str) -> int:
    """Make a running study and wake workers; return its id."""
    from webapp.lab.studies import services
    from webapp.people.accounts.models import User
    from worker.studies.spec import from_json

    owner, _ = User.objects.get_or_create(username="student")
    return services.create(owner, "Squares", from_json(spec), queue=queue).pk


def table(seats: list[dict[str, Any] | None], game: str) -> int:
    """Open a match in play of these engines, people where None stands, the same every time; return its id.

    It is for the workers of tables; the sweeper tells them.
    """
    from tests.webapp.table.live import tables
    from webapp.people.accounts.models import User
    from webapp.table.live.models import LiveMatch
    from worker import spec as specs
    from worker.recorder import INTERACTIVE

    person, _ = User.objects.get_or_create(username="player")
    plans = [
        tables.person(person)
        if row is None
        else tables.engine(specs.seat_from_json(row, ("seat",), game), row["engine"].title())
        for row in seats
    ]
    match = tables.open_match(person, plans, game=game, seed=SEED, deal_seed=DEAL_SEED)
    LiveMatch.objects.filter(pk=match.pk).update(queue=INTERACTIVE)  # engines alone are played with batches
    return match.pk


def act(pk: int) -> None:
    """Play the first legal action of the seat on turn."""
    from webapp.table.live import ply_writer, position_cache
    from webapp.table.live.models import LiveMatch

    match = LiveMatch.objects.get(pk=pk)
    position = position_cache.position_at(match)
    ply_writer.play(match.pk, match.on_turn, match.ply, int(position.game.legal_actions(position.state)[0]))


COMMANDS: dict[str, Callable[..., Any]] = {
    "migrate": migrate,
    "create": create,
    "study": study,
    "table": table,
    "act": act,
    **hand.COMMANDS,
}


def serve() -> None:
    """Obey until the end of the input."""
    from django.db import connection

    for line in sys.stdin:
        name, arguments = json.loads(line)
        connection.close()  # the database may have been killed since
        try:
            answer = [COMMANDS[name](*arguments), None]
        except Exception:
            answer = [None, traceback.format_exc()]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    engines.register()
    counting.register()
    django.setup()
    if sys.argv[1] == "sweep":
        call_command("sweep", "--period", SWEEP_S)
    else:
        serve()
