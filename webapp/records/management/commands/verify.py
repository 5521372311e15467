"""Check stored matches by playing them again.

Exit status: 0 all that was compared is as stored, 1 something differs, 2 the command was not understood,
3 nothing could be compared.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.records.models import Experiment, Match
from webapp.records.verification import LONGEST_S, verify
from webapp.records.verification_words import sentences

SAMPLE = 100
DIFFERS, NOT_UNDERSTOOD, NOTHING_COMPARED = 1, 2, 3


class Command(BaseCommand):
    """Prints a JSON report, and sentences on standard error."""

    help = (
        "Play stored matches again from seed and actions, or by their engines where only the result was recorded, and "
        "compare all that is stored. A JSON report goes to stdout, the same in words to stderr. Exit status: 0 all "
        "as stored, 1 something differs, 2 the command was not understood, 3 nothing could be compared."
    )

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

        parser.add_argument(
            "--again",
            action="store_true",
            help="let the engines play all of them again, and compare what they thought; takes as long as playing did",
        )
        parser.add_argument(
            "--longest",
            type=float,
            default=LONGEST_S,
            metavar="S",
            help=f"CPU seconds a match may have taken to be played again by its engines (default {LONGEST_S:g})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and report."""
        chosen = self._chosen(options)
        report = verify(chosen, again=options["again"], longest_s=options["longest"])
        self.stdout.write(json.dumps(dataclasses.asdict(report), default=str))
        for sentence in sentences(report):
            self.stderr.write(sentence, self.style.NOTICE)
        if report.mismatches:
            sys.exit(DIFFERS)
        if chosen and not report.matches:
            sys.exit(NOTHING_COMPARED)

    def _chosen(self, options: dict[str, Any]) -> list[int]:
        ids = Match.objects.values_list("pk", flat=True)
        if options["match"] is not None:
            if not ids.filter(pk=options["match"]).exists():
                raise CommandError(f"there is no match {options['match']}", returncode=NOT_UNDERSTOOD)
            return [options["match"]]
        if options["experiment"] is not None:
            if not Experiment.objects.filter(pk=options["experiment"]).exists():
                raise CommandError(f"there is no experiment {options['experiment']}", returncode=NOT_UNDERSTOOD)
            return list(ids.filter(experiment_id=options["experiment"]).order_by("arm_index", "deal", "rotation"))
        wanted = SAMPLE if options["sample"] is None else options["sample"]
        if wanted < 1:
            raise CommandError(f"--sample must be at least 1, not {wanted}", returncode=NOT_UNDERSTOOD)
        return sorted(ids.order_by("?")[:wanted])
