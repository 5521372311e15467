"""`manage.py study SPEC.json`: start a study on a lab that runs already."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from webapp.lab.jobs import share_links
from webapp.lab.studies import services
from webapp.lab.studies.progress import progress
from webapp.ops import job_follower
from webapp.people.accounts.system import system_account
from webapp.records.models import Study
from worker.spec import SpecError
from worker.studies import spec as specs


class Command(BaseCommand):
    """Start a study under the system account, print its public address, follow it if asked."""

    help = "Start a study from its spec and print the address of its page."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The spec, a title, whether to wait."""
        parser.add_argument("spec", metavar="SPEC.json", help="the study (- reads standard input)")
        parser.add_argument("--title", default="", help="title of its page (default: the name of its kind)")
        parser.add_argument("--wait", action="store_true", help="print progress; exit 1 unless every piece was done")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit with 1 where not every piece of a study that was waited for was done."""
        spec = _read(options["spec"])
        try:
            study = services.create(system_account(), options["title"], specs.from_json(spec))
        except SpecError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(settings.PUBLIC_URL + reverse("sharing:show", args=[share_links.share(study).slug]))
        if not options["wait"]:
            return
        for line in job_follower.follow(study, lambda: _words(study)):
            self.stdout.write(line)
        now = progress(study)
        self.stdout.write(_words(study))
        sys.exit(0 if now.remaining == 0 and now.failed == 0 else 1)


def _read(path: str) -> Any:
    try:
        return json.loads(sys.stdin.read() if path == "-" else Path(path).read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from None


def _words(study: Study) -> str:
    now = progress(study)
    failed = f", {now.failed} failed" if now.failed else ""
    return f"{now.played} of {now.total} pieces{failed}"
