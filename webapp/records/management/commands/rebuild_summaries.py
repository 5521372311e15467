"""Make the summaries that pages draw anew from the rows."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.records import stored_matches
from webapp.records.models import Experiment
from webapp.records.rebuild import rebuild

EVERY = 5_000


class Command(BaseCommand):
    """Rebuilds one experiment, or all."""

    help = "Make the summaries that pages draw anew from the rows of the matches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--experiment", type=int, metavar="ID", help="only this experiment")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild and say what was done."""
        chosen = Experiment.objects.order_by("pk").values_list("pk", flat=True)
        if options["experiment"] is not None:
            chosen = chosen.filter(pk=options["experiment"])
            if not chosen:
                raise CommandError(f"there is no experiment {options['experiment']}")
            if chosen.filter(plies_gone_to__isnull=False).exists():
                raise CommandError(f"plies of experiment {options['experiment']} were removed: its summaries stay")
        for experiment_id in chosen.filter(plies_gone_to=None):
            try:
                matches = rebuild(experiment_id, partial(self._report, experiment_id))
            except ValueError as error:
                self.stderr.write(str(error))
                continue
            self.stdout.write(f"experiment {experiment_id}: {matches} matches")

    def _report(self, experiment_id: int, done: int, total: int) -> None:
        """Say how far it is, every few thousand matches."""
        if done < total and done % EVERY < stored_matches.BATCH:
            self.stderr.write(f"experiment {experiment_id}: {done} of {total}")
