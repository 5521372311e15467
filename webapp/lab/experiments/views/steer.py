"""Pause, resume, stop, archive, delete an experiment."""

from __future__ import annotations

from webapp.common.steering import Steering
from webapp.lab.experiments import services
from webapp.lab.experiments.progress import progress
from webapp.records.models import Experiment

STEERING = Steering(
    Experiment, services, progress, "experiments", ("match", "matches"), at_work="the matches being played"
)
