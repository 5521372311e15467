"""Reading: experiments in lists, their settings, their failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.conf import settings
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from engines import registry as engine_registry
from games import registry as game_registry
from webapp.common import data_fields, formats
from webapp.common.option_forms import budget_words, describe_options
from webapp.lab.experiments.builder import json_text
from webapp.lab.experiments.forms import RECORD_LABELS, ROTATION_LABELS
from webapp.lab.results.sides import Side, lineups
from webapp.lab.results.versions import versions
from webapp.records import speeds
from webapp.records.models import Chunk, Experiment, LineupEntry, Match, ShareLink
from worker.spec import naming, sweep
from worker.spec.agents import PREFIX, is_agent
from worker.spec.stop import StopSpec

__all__ = ["engines", "failures", "lineups", "link_showing", "settings_of", "with_counts", "with_engine"]


def with_counts(experiments: QuerySet[Experiment]) -> QuerySet[Experiment]:
    """Experiments with the numbers `ended` and `total` of their matches, and with `last_match_at`."""
    written = Chunk.objects.filter(experiment=OuterRef("pk")).order_by().values("experiment")
    ended = Match.objects.filter(experiment=OuterRef("pk")).order_by().values("experiment")  # agents sit in no chunk
    return experiments.annotate(
        ended=Case(
            When(secret_seed=None, then=Coalesce(Subquery(written.annotate(n=Sum("written")).values("n")), 0)),
            default=Coalesce(Subquery(ended.annotate(n=Count("pk")).values("n")), 0),
        ),
        total=F("num_matches"),
        last_match_at=Subquery(
            Match.objects.filter(experiment=OuterRef("pk")).order_by("-finished_at").values("finished_at")[:1]
        ),
    )


def engines(experiments: QuerySet[Experiment]) -> list[tuple[str, str]]:
    """Engines and agents that sit in experiments: id and label."""
    entries = LineupEntry.objects.filter(arm__experiment__in=experiments.order_by().values("pk"))
    ids = entries.order_by().values_list("configuration__engine", flat=True).distinct()
    return [(engine_id, _engine_label(engine_id)) for engine_id in ids]


def with_engine(experiments: QuerySet[Experiment], engine_id: str) -> QuerySet[Experiment]:
    """Experiments in which an engine or agent sits."""
    entries = LineupEntry.objects.filter(arm__experiment=OuterRef("pk"), configuration__engine=engine_id)
    return experiments.filter(Exists(entries))


def _engine_label(engine_id: str) -> str:
    if is_agent(engine_id):
        return f"{engine_id.removeprefix(PREFIX)} (agent)"
    return engine_registry.get(engine_id).label if engine_registry.is_known(engine_id) else engine_id


def link_showing(match: Match) -> ShareLink | None:
    """A link under which a match can be seen now, alone or with its experiment."""
    live = match.experiment.share_links.filter(withdrawn_at=None)
    return live.filter(Q(match=None) | Q(match=match)).order_by("pk").first()


def failures(experiment: Experiment) -> QuerySet[Match]:
    """Failed matches, latest first."""
    return Match.objects.filter(experiment=experiment, status=Match.Status.FAILED).order_by("-finished_at", "-pk")


@dataclass(frozen=True)
class SeatSettings:
    """One place of a line-up in words. rules: (heading, rules) of strategies that its options hold."""

    side: Side
    label: str
    engine: str
    options: list[tuple[str, str]]
    budget: str
    peeks: bool
    rules: Sequence[tuple[str, Sequence[str]]] = ()


@dataclass(frozen=True)
class Settings:
    """The spec in words and as JSON; versions as the matches recorded them.

    axes: (option, seats, values) of each axis of the sweep; empty without one. beside: arms that are not of it.
    """

    rules: list[tuple[str, str]]
    arms: list[tuple[str, list[SeatSettings]]]
    axes: list[tuple[str, str, str]]
    plan: list[tuple[str, Any]]
    versions: str
    json: str
    beside: int = 0

    @property
    def swept(self) -> int:
        """Arms that the sweep makes."""
        return len(self.arms) - self.beside


def settings_of(experiment: Experiment) -> Settings:
    """The spec in words. Options that this version does not know are shown unchanged."""
    spec = experiment.spec
    sides = lineups(experiment)
    arms = [
        (arm["name"], [_seat(sides.sides[index][place], seat, spec["game"]) for place, seat in enumerate(arm["seats"])])
        for index, arm in enumerate(spec["arms"])
    ]
    rotation = ROTATION_LABELS.get(spec["rotation"], spec["rotation"])
    plan = [
        ("Deals per arm", spec["deals"]),
        ("Rotation", rotation),
        *([("Baseline", spec["arms"][sides.baseline]["name"])] if len(spec["arms"]) > 1 else []),
        ("Seed", _seed(experiment)),
        ("Record", _record(experiment)),
        *describe_options(StopSpec, spec["stop"]),
    ]
    if speeds.has_clock(spec):
        plan.append(("Played on", _machines(experiment)))
    if spec.get("priority"):
        plan.append(("Priority", formats.signed(spec["priority"], 0)))
    rules = _words(game_registry.get(spec["game"]).options, spec["options"]) if _is_known(spec) else []
    beside = sweep.num_beside(spec) if "sweep" in spec else 0
    return Settings(rules, arms, _axes(spec), plan, versions(experiment), json_text(spec), beside)


def _record(experiment: Experiment) -> str:
    """What was recorded of a match, and whether its plies have been removed since, or are in files."""
    recorded = experiment.spec["record"]
    found = RECORD_LABELS.get(recorded, recorded)
    if experiment.plies_gone_to is not None:
        return f"{found}; plies have been removed"
    return f"{found}; plies are in the archive" if experiment.plies_filed_at is not None else found


def _machines(experiment: Experiment) -> str:
    """Which machines play what thinks by the clock."""
    within = f"within a factor of {settings.LAB_SPEED_FACTOR:g}"
    if experiment.speed is None:
        return f"Machines as fast as the one that begins it, {within}: its seconds mean the same everywhere"
    return f"Machines of speed {experiment.speed:.2f}, {within}: its seconds mean the same everywhere"


def _seed(experiment: Experiment) -> str:
    seed = experiment.shown_seed
    if not experiment.has_agents:
        return str(seed)
    return "Drawn by the lab, secret until all matches are over" if seed is None else f"{seed}, drawn by the lab"


def _axes(spec: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    axes, engines = sweep.stored_axes(spec), [seat["engine"] for seat in spec["arms"][0]["seats"]]
    return [
        (
            naming.label(axis, engines),
            naming.in_words(axis.seats),
            (", " if axis.is_numeric else "; ").join(naming.value_words(axis, engines, value) for value in axis.values),
        )
        for axis in axes
    ]


def _is_known(spec: Mapping[str, Any]) -> bool:
    return spec["game"] in game_registry.ids()


def _words(cls: type, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    names = {field.name for field in fields(cls)}
    known = {field: value for field, value in values.items() if field in names}
    strange = [(field, str(value)) for field, value in values.items() if field not in known]
    return [*describe_options(cls, known), *strange]


def _seat(side: Side, seat: Mapping[str, Any], game_id: str) -> SeatSettings:
    engine_id = seat["engine"]
    if is_agent(engine_id):
        return SeatSettings(side, _engine_label(engine_id), engine_id, [], budget_words(seat["budget"]), False)
    if not engine_registry.is_known(engine_id):
        options = [(name, str(value)) for name, value in seat["options"].items()]
        return SeatSettings(side, engine_id, engine_id, options, budget_words(seat["budget"]), False)
    cls = engine_registry.get(engine_id)
    options, peeks = _words(cls.options_class, seat["options"]), engine_registry.peeks(engine_id, seat["options"])
    rules = data_fields.describe_data(cls.options_class, seat["options"], game_id)
    return SeatSettings(side, cls.label, engine_id, options, budget_words(seat["budget"]), peeks, rules)
