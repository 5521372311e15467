"""Check stored matches by playing them again."""

from __future__ import annotations

import dataclasses
import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.records.models import Experiment, Match
from webapp.records.verification import verify

SAMPLE = 100


class Command(BaseCommand):
    """Prints a JSON report; the exit code is 1 where anything differs."""

    help = "Play stored matches again from seed and actions, and compare all that is stored (JSON on stdout)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        group = parser.add_mutually_exclusive_group()
        group.add_argument("--match", type=int, metavar="ID", help="this match")
        group.add_argument("--experiment", type=int, metavar="ID", help="all matches of this experiment")
        group.add_argument(
            "--sample",
            type=int,
            metavar="N",
            help=f"number of matches to verify, drawn at random from the whole lab (default {SAMPLE})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and report."""
        report = verify(self._chosen(options))
        self.stdout.write(json.dumps(dataclasses.asdict(report), default=str))
        if report.mismatches:
            sys.exit(1)

    def _chosen(self, options: dict[str, Any]) -> list[int]:
        ids = Match.objects.values_list("pk", flat=True)
        if options["match"] is not None:
            if not ids.filter(pk=options["match"]).exists():
                raise CommandError(f"there is no match {options['match']}")
            return [options["match"]]
        if options["experiment"] is not None:
            if not Experiment.objects.filter(pk=options["experiment"]).exists():
                raise CommandError(f"there is no experiment {options['experiment']}")
            return list(ids.filter(experiment_id=options["experiment"]).order_by("arm_index", "deal", "rotation"))
        wanted = SAMPLE if options["sample"] is None else options["sample"]
        if wanted < 1:
            raise CommandError(f"--sample must be at least 1, not {wanted}")
        return sorted(ids.order_by("?")[:wanted])
