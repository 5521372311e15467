"""``{% load lineage %}``: what an experiment runs again, and what runs it again, as far as the reader sees these."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from webapp.lab.experiments import lineage, replications
from webapp.people.accounts.models import User
from webapp.records.models import Experiment

register = template.Library()


def _reader(context: Context) -> User | None:
    """Who looks at a page; None without an account."""
    user = getattr(context.get("request"), "user", None)
    return user if isinstance(user, User) else None


@register.simple_tag(takes_context=True)
def lineage_of(context: Context, experiment: Experiment) -> lineage.Lineage:
    """The relatives of an experiment."""
    return lineage.of(experiment, _reader(context))


@register.filter
def same_matches(experiment: Experiment) -> Experiment | None:
    """The experiment whose matches it plays again; None where it plays its own."""
    return lineage.same_matches(experiment)


@register.inclusion_tag("experiments/_replications.html", takes_context=True)
def replication_section(context: Context, experiment: Experiment) -> dict[str, Any]:
    """An experiment together with its runs; nothing where it has none."""
    return {"replications": replications.replications(experiment, _reader(context))}
