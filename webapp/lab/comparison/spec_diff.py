"""What differs in the specs of several experiments, setting by setting, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games import options as option_tools
from games import registry as game_registry
from webapp.lab.experiments.selectors import SeatSettings, Settings, settings_of
from webapp.lab.results import versions
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment
from worker.spec.stop import StopSpec

ABSENT = "not there"
QUESTION = "another question: pooled only by choice"
PLAN = {
    "Deals per arm": "how exact each is",
    "Record": "nothing",
    "Priority": "nothing",
    "Played on": "nothing",
    "Baseline": "which way differences are shown",
    "Rotation": QUESTION,
    "Arms": "what they have in common is compared",
    **dict.fromkeys((row["label"] for row in option_tools.schema(StopSpec)), "no bias: intervals hold at every look"),
}
SEEDS = ("wanted: each has deals of its own", "equal seeds meet the same deals")
OTHER_VERSION = "it may play otherwise: pooled only by choice"


@dataclass(frozen=True)
class Setting:
    """One setting. values: (words, whether it stands apart from what most have) of each experiment; means: for us."""

    label: str
    values: tuple[tuple[str, bool], ...]
    means: str

    @property
    def differs(self) -> bool:
        """Whether it is not the same everywhere."""
        return len({words for words, _ in self.values}) > 1


Column = dict[str, str]


def spec_diff(experiments: Sequence[Experiment]) -> list[Setting]:
    """Every setting, in the order of a spec."""
    found = [settings_of(one) for one in experiments]
    columns = [_plain(one, known) for one, known in zip(experiments, found, strict=True)]
    return [
        *_rows(columns, QUESTION),
        *_rows(_line_ups(experiments, found), QUESTION),
        *_rows([_versions(one) for one in experiments], OTHER_VERSION),
    ]


def _plain(experiment: Experiment, found: Settings) -> Column:
    spec = experiment.spec
    return {
        "Game": game_registry.get(spec["game"]).label,
        **dict(found.rules),
        "Seats": str(spec["seats"]),
        **{label: str(value) for label, value in found.plan},
        "Arms": ", ".join(name for name, _ in found.arms),
    }


def _versions(experiment: Experiment) -> Column:
    known: dict[str, set[str]] = {}
    for row in versions.played(experiment):
        for name, version in row.versions.items():
            known.setdefault(name, set()).add(version)
    return {f"Version of {name}": ", ".join(sorted(found)) for name, found in sorted(known.items())}


def _rows(columns: Sequence[Column], usual: str) -> list[Setting]:
    """A row for each label, in the order of the first column that has it. usual: what a difference means for us."""
    rows = []
    for label in dict.fromkeys(label for column in columns for label in column):
        words = [column.get(label, ABSENT) for column in columns]
        most, times = Counter(words).most_common(1)[0]
        values = tuple((text, times > 1 and text != most) for text in words)
        rows.append(Setting(label, values, _means(label, words, usual)))
    return rows


def _means(label: str, words: Sequence[str], usual: str) -> str:
    if label == "Seed":
        return SEEDS[len(set(words)) < len(words)]
    if len({text for text in words if text != ABSENT}) == 1:
        return "not all have it"
    return PLAN.get(label, usual)


def _line_ups(experiments: Sequence[Experiment], found: Sequence[Settings]) -> list[Column]:
    """What plays: a row for all arms where they have it in common everywhere, else one for each arm.

    Arms are told apart by their names; those of one experiment alone stand in the row of arms.
    """
    all_arms = [_arms(one, known) for one, known in zip(experiments, found, strict=True)]
    often = Counter(name for arms in all_arms for name in arms)
    shared = {name for name, times in often.items() if times > 1} or set(often)
    labels = dict.fromkeys(label for arms in all_arms for values in arms.values() for label in values)
    common = {label for label in labels if all(_is_common(arms, label) for arms in all_arms)}
    columns = []
    for arms in all_arms:
        column = {label: next(iter(arms.values())).get(label, ABSENT) for label in labels if label in common}
        for name, values in arms.items():
            own = {label: value for label, value in values.items() if label not in common} if name in shared else {}
            column |= {f"{name}: {label}" if name else label: value for label, value in own.items()}
        columns.append(column)
    return columns


def _is_common(arms: Mapping[str, Column], label: str) -> bool:
    return len({values.get(label) for values in arms.values()}) == 1


def _arms(experiment: Experiment, found: Settings) -> dict[str, Column]:
    """Arm -> its settings by place; the only arm has no name, so that it stands beside that of another."""
    focus, is_alone = lineups(experiment).focus, len(found.arms) == 1
    arms = {}
    for name, seats in found.arms:
        column: dict[str, str] = {}
        for place, seat in enumerate(seats):
            whose = f"place {place + 1}" if is_alone or place != focus else ""
            column |= {_label(whose, label): value for label, value in _of_seat(seat)}
        arms["" if is_alone else name] = column
    return arms


def _label(whose: str, label: str) -> str:
    return f"{label}, {whose}" if whose else label


def _of_seat(seat: SeatSettings) -> list[tuple[str, str]]:
    return [("Engine", seat.label), ("Budget", seat.budget), *seat.options]
