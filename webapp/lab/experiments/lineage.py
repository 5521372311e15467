"""Experiments that run another one again: which one, and whether with the same luck."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from webapp.common.numbers import parse_whole
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, ShareLink
from worker.spec import ExperimentSpec, to_json


@dataclass(frozen=True)
class Relative:
    """The other experiment. url: empty where the reader may not see its page; is_same_seed: its deals are the same."""

    experiment: Experiment
    url: str
    is_same_seed: bool


@dataclass(frozen=True)
class Lineage:
    """What an experiment runs again, and what runs it again, newest first."""

    origin: Relative | None
    runs: tuple[Relative, ...]


def origin(reader: User, number: str) -> Experiment | None:
    """The experiment that a form runs again, as its hidden field says; None where the reader may not see it."""
    pk = parse_whole(number)
    found = Experiment.objects.filter(pk=pk).first() if pk is not None else None
    return found if found and _url(found, reader) else None


def repeats(reader: User, number: str, spec: ExperimentSpec | None) -> Experiment | None:
    """The experiment of which a form would play matches again; None where the seed, the rules or all arms differ."""
    found = origin(reader, number)
    if found is None or spec is None or spec.has_agents or found.spec.get("seed") != spec.seed:
        return None
    ours, theirs = to_json(spec), found.spec
    is_alike = all(ours[key] == theirs.get(key) for key in ("game", "options", "seats"))
    line_ups = [arm["seats"] for arm in theirs["arms"]]
    return found if is_alike and any(arm["seats"] in line_ups for arm in ours["arms"]) else None


def of(experiment: Experiment, reader: User | None = None) -> Lineage:
    """The relatives of an experiment that a reader may see; None: those that are shared. An owner hears of all."""
    above = experiment.origin
    runs = (_relative(run, experiment, reader) for run in experiment.runs.order_by("-pk"))
    origin = _relative(above, experiment, reader) if above else None
    return Lineage(origin if origin and (origin.url or reader) else None, tuple(run for run in runs if run.url))


def _relative(other: Experiment, experiment: Experiment, reader: User | None) -> Relative:
    theirs, ours = other.shown_seed, experiment.shown_seed
    return Relative(other, _url(other, reader), theirs is not None and theirs == ours)


def _url(experiment: Experiment, reader: User | None) -> str:
    """The page that the reader sees it on; empty without one."""
    if reader is not None and (experiment.owner_id == reader.pk or reader.is_staff):
        return reverse("experiments:detail", args=[experiment.pk])
    link = ShareLink.objects.filter(experiment=experiment, match=None, withdrawn_at=None).order_by("pk").first()
    return reverse("sharing:show", args=[link.slug]) if link else ""
