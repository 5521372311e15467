"""Pause, resume, stop, archive, delete a study."""

from __future__ import annotations

from webapp.common.steering import Steering
from webapp.records.models import Study
from webapp.studies import services
from webapp.studies.progress import progress

STEERING = Steering(Study, services, progress, "studies", ("piece", "pieces"), at_work="the pieces being done")
