"""Experiments that run another one again: which one, whether with the same matches, and which runs belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.urls import reverse

from webapp.common.numbers import parse_whole
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, ShareLink
from worker.spec import ExperimentSpec, SpecError, from_json, to_json

RULES = ("game", "options", "seats", "rotation")
NAMED = 20
"""Runs that a page names; more are counted."""
FARTHEST = 50
"""Runs of runs of runs … that are followed."""


@dataclass(frozen=True)
class Relative:
    """The other experiment. url: empty where the reader may not see its page; is_same_seed: its deals are the same.

    is_same_matches: besides some line-up of one is in the other, so that it plays the same matches.
    """

    experiment: Experiment
    url: str
    is_same_seed: bool
    is_same_matches: bool


@dataclass(frozen=True)
class Lineage:
    """What an experiment runs again, and what runs it again, newest first. repeats: whose matches it plays again.

    num_more: runs beside those that are named.
    """

    origin: Relative | None
    runs: tuple[Relative, ...]
    repeats: Relative | None
    num_more: int = 0


def origin(reader: User, number: str) -> Experiment | None:
    """The experiment that a form runs again, as its hidden field says; None where the reader may not see it."""
    pk = parse_whole(number)
    found = Experiment.objects.filter(pk=pk).first() if pk is not None else None
    return found if found and address(found, reader) else None


def repeats(reader: User, number: str, spec: ExperimentSpec | None) -> Experiment | None:
    """The experiment of which a form would play matches again; None where the seed, the rules or all arms differ."""
    found = origin(reader, number)
    return repeated(reader, found, spec) if found is not None and spec is not None else None


def repeated(reader: User, origin: Experiment, spec: ExperimentSpec) -> Experiment | None:
    """The experiment, an origin or a relative of it that the reader may see, of which a spec plays matches again."""
    if spec.has_agents:
        return None
    asked = to_json(spec)
    same = [other for other in family(origin).filter(spec__seed=spec.seed) if _is_same(asked, other)]
    urls = addresses(same, reader)
    return next((other for other in same if other.pk in urls), None)


def named(reader: User, ref: str) -> Experiment | None:
    """The experiment that a script names: an own one by its number, a shared one by its slug; None without."""
    experiments = Experiment.objects.filter(kind=Experiment.Kind.EXPERIMENT)
    if (pk := parse_whole(ref)) is not None:
        return experiments.filter(owner=reader, pk=pk).first()
    shown = {"share_links__slug": ref.replace("\0", "?"), "share_links__withdrawn_at": None, "share_links__match": None}
    return experiments.filter(**shown).first()


def check_is_new(reader: User, origin: Experiment, data: Any) -> None:
    """Refuse a spec that would play matches of its origin, or of a relative, again. Raises SpecError."""
    found = repeated(reader, origin, from_json(data))
    if found is not None:
        text = f"is that of No. {found.pk}, whose matches would be played again: take another, or ask for same_matches"
        raise SpecError(("seed",), text)


def of(experiment: Experiment, reader: User | None = None) -> Lineage:
    """The relatives of an experiment that a reader may see; None: those that are shared. An owner hears of all."""
    above, repeated = experiment.origin, same_matches(experiment)
    runs = list(experiment.runs.order_by("-pk"))
    urls = addresses([one for one in (above, repeated, *runs) if one], reader)
    seen = [run for run in runs if run.pk in urls]
    origin = _relative(above, experiment, urls) if above else None
    is_told = origin is not None and (origin.url or (reader is not None and reader.pk == experiment.owner_id))
    return Lineage(
        origin=origin if is_told else None,
        runs=tuple(_relative(run, experiment, urls) for run in seen[:NAMED]),
        repeats=_relative(repeated, experiment, urls) if repeated else None,
        num_more=max(0, len(seen) - NAMED),
    )


def same_matches(experiment: Experiment) -> Experiment | None:
    """The earliest experiment before it, among its relatives, whose matches it plays again."""
    if experiment.origin_id is None or experiment.has_agents:
        return None
    earlier = family(experiment).filter(pk__lt=experiment.pk, spec__seed=experiment.spec["seed"])
    return next((other for other in earlier if _is_same(experiment.spec, other)), None)


def family(experiment: Experiment) -> QuerySet[Experiment]:
    """The experiment that began it, its runs, their runs and so on, in the order in which they were made."""
    root = f"{_ABOVE} SELECT id FROM above ORDER BY far DESC LIMIT 1"
    return _below(root, experiment)


def descendants(experiment: Experiment) -> QuerySet[Experiment]:
    """Its runs, their runs and so on, in the order in which they were made."""
    return _below("SELECT %s::bigint", experiment).exclude(pk=experiment.pk)


_ABOVE = f"""
WITH RECURSIVE above (id, origin_id, far) AS (
    SELECT id, origin_id, 0 FROM records_experiment WHERE id = %s
    UNION ALL SELECT e.id, e.origin_id, far + 1 FROM records_experiment e JOIN above ON e.id = above.origin_id
    WHERE far < {FARTHEST}
)
"""
_BELOW = f"""
WITH RECURSIVE below (id, far) AS (
    SELECT root.id, 0 FROM ({{root}}) AS root (id)
    UNION ALL SELECT e.id, far + 1 FROM records_experiment e JOIN below ON e.origin_id = below.id
    WHERE far < {FARTHEST}
)
SELECT id FROM below
"""


def _below(root: str, experiment: Experiment) -> QuerySet[Experiment]:
    """What comes of a root. root: SQL of its number, from that of an experiment."""
    return Experiment.objects.filter(pk__in=RawSQL(_BELOW.format(root=root), [experiment.pk])).order_by("pk")


def _is_same(spec: Mapping[str, Any], other: Experiment) -> bool:
    """Whether a spec without agents has the seed, the rules and a line-up of another."""
    theirs = other.spec
    if other.has_agents or any(spec.get(name) != theirs.get(name) for name in ("seed", *RULES)):
        return False
    line_ups = [arm["seats"] for arm in theirs["arms"]]
    return any(arm["seats"] in line_ups for arm in spec["arms"])


def _relative(other: Experiment, experiment: Experiment, urls: Mapping[int, str]) -> Relative:
    theirs, ours = other.shown_seed, experiment.shown_seed
    is_same_seed = theirs is not None and theirs == ours
    is_same = not experiment.has_agents and _is_same(experiment.spec, other)
    return Relative(other, urls.get(other.pk, ""), is_same_seed, is_same)


def address(experiment: Experiment, reader: User | None) -> str:
    """The page that the reader sees it on; empty without one."""
    return addresses([experiment], reader).get(experiment.pk, "")


def addresses(experiments: Sequence[Experiment], reader: User | None) -> dict[int, str]:
    """Number of each that the reader may see -> the page that they see it on."""
    own = [one.pk for one in experiments if reader is not None and one.owner_id == reader.pk]
    others = [one.pk for one in experiments if one.pk not in own]
    links = ShareLink.objects.filter(experiment__in=others, match=None, withdrawn_at=None).order_by("-pk")
    found = {pk: reverse("sharing:show", args=[slug]) for pk, slug in links.values_list("experiment_id", "slug") if pk}
    return found | {pk: reverse("experiments:detail", args=[pk]) for pk in own}
