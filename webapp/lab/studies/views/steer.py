"""Pause, resume, stop, archive, delete a study."""

from __future__ import annotations

from webapp.common.steering import Steering
from webapp.lab.studies import services
from webapp.lab.studies.progress import progress
from webapp.records.models import Study

STEERING = Steering(Study, services, progress, "studies", ("piece", "pieces"), at_work="the pieces being done")
