"""What the dashboard template needs before any figure is drawn: which charts, in which order, and which not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.lab.results import interest
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts import kinds, registry
from webapp.lab.results.charts.figure import Chart, Group, Number
from webapp.lab.results.interest import Told
from webapp.lab.results.sides import MAX_MARKS
from webapp.records.models import Experiment

MOST = 10
"""Charts shown at once."""
LESS = "tells less than those shown"
ABOUT = {
    Group.SCORES: "who is ahead, when, and from which seat",
    Group.FEATURES: "what the points are made of",
    Group.MEEPLES: "where they go, and how many are left",
    Group.TERRAINS: "how kingdoms grow",
    Group.DECKS: "what is gained and what turns are made of",
    Group.PASSES: "who could not lay, and who knew",
    Group.MARGINS: "by how much, and how sure",
    Group.TIME: "what it costs",
}


@dataclass(frozen=True)
class Card:
    """One chart's place on the page; source: address of its JSON, page: of its own page.

    choices: what the reader chooses from; chosen: the index of what is shown first; is_wide: whether it takes
    the whole width.
    """

    id: str
    title: str
    source: str
    page: str
    choices: tuple[str, ...]
    chosen: int | None
    is_wide: bool = False


@dataclass(frozen=True)
class LeftOut:
    """A chart that is not shown at once, and why; values: what it would show, where that is the same everywhere."""

    card: Card
    reason: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Key:
    """A button of the key bar. mark: None where there are more arms than marks."""

    key: int
    name: str
    mark: int | None


@dataclass(frozen=True)
class Section:
    """One group of charts; its anchor is `charts-ID`."""

    id: str
    title: str
    about: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Dashboard:
    """All charts of an experiment: those that are shown, by group, and the rest."""

    sections: tuple[Section, ...]
    rest: tuple[LeftOut, ...]
    keys: tuple[Key, ...]

    @property
    def shown(self) -> int:
        """How many are drawn at once."""
        return sum(len(section.cards) for section in self.sections)

    @property
    def total(self) -> int:
        """How many there are."""
        return self.shown + len(self.rest)

    @property
    def more(self) -> tuple[Card, ...]:
        """Those of the rest that have something to see."""
        return _without_holes([row.card for row in self.rest if not row.values])

    @property
    def constant(self) -> tuple[LeftOut, ...]:
        """Those of the rest that are the same everywhere."""
        return tuple(row for row in self.rest if row.values)

    @property
    def chooses_colour(self) -> bool:
        """Whether buttons give colour to arms instead of hiding them: there are more than marks."""
        return len(self.keys) > MAX_MARKS


def cards(experiment: Experiment, base: str, chosen: int | None = None) -> list[Card]:
    """The cards of an experiment whose addresses begin with `base` (it ends in a slash), in the registry's order."""
    return [card_of(experiment, chart, base, chosen) for chart in registry.fitting_charts(experiment)]


def card_of(experiment: Experiment, chart: Chart, base: str, chosen: int | None = None) -> Card:
    """One chart's card."""
    return Card(
        id=chart.id,
        title=chart.title,
        source=f"{base}charts/{chart.id}.json",
        page=f"{base}charts/{chart.id}/",
        choices=tuple(chart.choices(experiment)),
        chosen=chosen,
        is_wide=chart.is_wide,
    )


@dataclass(frozen=True)
class _Judged:
    """A chart and what is known of it. effect: the greatest difference in what it shows; reason: why it is left out."""

    chart: Chart
    effect: float
    reason: str = ""
    values: tuple[tuple[str, str], ...] = ()


@per_version
def _judged(experiment: Experiment) -> tuple[_Judged, ...]:
    """All fitting charts. Without the first deals nothing is left out for what it shows, and all effects are equal."""
    charts = registry.fitting_charts(experiment)
    wanted = {chart.id: tuple(chart.numbers(experiment)) for chart in charts}
    if not interest.is_settled(experiment):
        return tuple(_unsettled(experiment, chart, wanted) for chart in charts)
    told = interest.told(experiment, tuple(dict.fromkeys(row for rows in wanted.values() for row in rows)))
    return tuple(_of(experiment, chart, [told[row] for row in wanted[chart.id]], wanted) for chart in charts)


def _unsettled(experiment: Experiment, chart: Chart, fitting: dict[str, tuple[Number, ...]]) -> _Judged:
    return _Judged(chart, math.inf if chart.is_pinned else 0.0, _plain_reason(experiment, chart, fitting))


def _plain_reason(experiment: Experiment, chart: Chart, fitting: dict[str, tuple[Number, ...]]) -> str:
    """What may be wrong with a chart whatever its numbers are."""
    if chart.needs_plies and not experiment.keeps_plies:
        return "no plies are kept"
    if chart.repeats in fitting:
        return f"repeats “{registry.get(chart.repeats).title}”"
    return ""


def _of(experiment: Experiment, chart: Chart, rows: Sequence[Told], fitting: dict[str, tuple[Number, ...]]) -> _Judged:
    effects = [effect for row in rows if (effect := row.effect) is not None]
    effect = math.inf if chart.is_pinned else max(effects, default=0.0)
    reason = _plain_reason(experiment, chart, fitting)
    there = [row for row in rows if any(sums.n for sums in row.sums)]
    if not reason and there and all(row.is_constant for row in there):
        values = tuple((row.number.label, row.words) for row in there)
        return _Judged(chart, effect, "the same in every arm" if len(rows[0].sums) > 1 else "always the same", values)
    return _Judged(chart, effect, reason)


def _by_group(judged: Sequence[_Judged]) -> dict[Group, list[_Judged]]:
    """Groups in their order, most telling first; of equals the registry's order holds."""
    found: dict[Group, list[_Judged]] = {}
    for group in Group:
        rows = [row for row in judged if row.chart.group is group]
        if rows:
            found[group] = sorted(rows, key=lambda row: -row.effect)
    return found


def _chosen(groups: dict[Group, list[_Judged]]) -> set[str]:
    """Charts that are shown: the first of each group, the second of each, and so on; of a round what tells most."""
    ranked = [(rank, -row.effect, row.chart.id) for rows in groups.values() for rank, row in enumerate(rows)]
    order = sorted(ranked, key=lambda place: place[:2])
    return {chart_id for *_, chart_id in order[:MOST]}


def dashboard(experiment: Experiment, base: str) -> Dashboard:
    """The charts of an experiment whose addresses begin with `base` (it ends in a slash)."""
    judged = _judged(experiment)
    groups = _by_group([row for row in judged if not row.reason])
    chosen = _chosen(groups)
    sections, rest = [], []
    for group, rows in groups.items():
        own = [card_of(experiment, row.chart, base) for row in rows if row.chart.id in chosen]
        sections.append(Section(group.name.lower(), group.value, ABOUT[group], _without_holes(own)))
        rest += [LeftOut(card_of(experiment, row.chart, base), LESS) for row in rows if row.chart.id not in chosen]
    rest += [LeftOut(card_of(experiment, row.chart, base), row.reason, row.values) for row in judged if row.reason]
    return Dashboard(tuple(sections), tuple(rest), _keys(experiment))


def _without_holes(cards_: Sequence[Card]) -> tuple[Card, ...]:
    """Cards of half the width stand in pairs: one that would stand alone takes the whole."""
    found: list[Card] = []
    alone = False
    for card in cards_:
        if card.is_wide and alone:
            found[-1] = replace(found[-1], is_wide=True)
        alone = not card.is_wide and not alone
        found.append(card)
    if alone:
        found[-1] = replace(found[-1], is_wide=True)
    return tuple(found)


def _keys(experiment: Experiment) -> tuple[Key, ...]:
    """A button for each side that charts draw."""
    sides = kinds.drawn_sides(experiment)
    if len(sides) < 2:
        return ()
    return tuple(Key(kinds.key_of(experiment, side), side.name, side.mark) for side in sides)
