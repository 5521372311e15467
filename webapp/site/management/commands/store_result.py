"""`manage.py store_result`: the experiment of the start page, played again and stored with the day of today."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand

from webapp.site import stored_result
from worker import schedule
from worker import spec as specs
from worker.match_lines import line
from worker.runner import play_match


class Command(BaseCommand):
    """Play every match of the stored result's spec again, and write what they ended with."""

    help = "Play the start page's stored experiment again: needed when a version of its game or engines has changed."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, then write; nothing is written where a match fails."""
        written = stored_result.spec_json()
        spec = specs.from_json(written)
        matches: list[list[str]] = []
        for arm, each in enumerate(spec.arms):
            self.stdout.write(each.name)
            played = schedule.match_specs(spec, arm, 0, spec.arm_matches(arm))
            matches.append([line(play_match(match)) for match in played])
        stored_result.write(date.today(), written, matches)
