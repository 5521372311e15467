"""`manage.py preset`: list the published tables, sum up a paper, or run a table on a running lab."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.ops import paper_reports, preset_runs
from webapp.people.accounts.models import User
from worker.presets import registry
from worker.presets.model import SCALES

PUBLIC = "Starts a run under the lab's own account and shares it publicly, unless --user names an account."


class Command(BaseCommand):
    """Start a preset for an account, or publicly for the lab's own, print its address, follow it if asked."""

    help = "List the published tables and figures, say what of the papers is here, sum them up, or run one of them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """`list`, `contents`, `summary`, or `run ID`."""
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="all presets with their scales and times")
        contents = actions.add_parser("contents", help="what the papers hold: there, there but different, not there")
        contents.add_argument("paper", metavar="PAPER", nargs="?", choices=registry.PAPERS, help="one paper alone")
        summary = actions.add_parser("summary", help="each table and figure: printed, as described, as the program ran")
        summary.add_argument("paper", metavar="PAPER", nargs="?", choices=registry.PAPERS, help="one paper alone")
        summary.add_argument("--figures", action="store_true", help="every printed figure with ours")
        summary.add_argument("--user", metavar="NAME", help="with the runs of this account, beside what is shared")
        run = actions.add_parser("run", help="start one and print its address", description=PUBLIC)
        run.add_argument("id", metavar="ID", help="as `list` prints it")
        run.add_argument("--scale", choices=SCALES, default="quick")
        run.add_argument("--user", metavar="NAME", help="run it for this account, and share it with nobody")
        run.add_argument("--wait", action="store_true", help="print progress, then the verdicts; exit 1 unless all ran")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit with 1 where not all of a run that was waited for was done."""
        if options["action"] == "list":
            for line in preset_runs.catalogue():
                self.stdout.write(line)
            return
        if options["action"] == "contents":
            for line in preset_runs.contents_lines(options["paper"]):
                self.stdout.write(line)
            return
        if options["action"] == "summary":
            for line in paper_reports.summary(options["paper"], _account(options["user"]), options["figures"]):
                self.stdout.write(line)
            return
        if options["id"] not in registry.presets():
            raise CommandError(f"no preset {options['id']!r}; `manage.py preset list` names them")
        owner = _account(options["user"])
        run, address, is_new = preset_runs.start(registry.get(options["id"]), options["scale"], owner)
        self.stdout.write(address)
        self.stdout.write(
            f"Only {owner} sees it." if owner else "Anyone with this address can see it, without an account."
        )
        if not is_new:
            self.stdout.write("It is already running: nothing new was started.")
        if not options["wait"]:
            return
        for line in preset_runs.follow(run):
            self.stdout.write(line)
        for line in preset_runs.verdicts(run):
            self.stdout.write(line)
        sys.exit(0 if preset_runs.is_complete(run) else 1)


def _account(name: str | None) -> User | None:
    if name is None:
        return None
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist:
        raise CommandError(f"no account {name!r}") from None
