"""Who plays in an experiment, how pages call them, and which mark they carry.

A *side* is one place of one arm's line-up. With one arm every place has a mark of its own;
with several the arm's engine carries the arm's mark. Its first opponent is grey, further ones
take the marks that no arm carries, as far as they go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from games import options as option_tools
from games import registry as game_registry
from webapp.common.option_forms import limit_words, value_label
from webapp.live.models import LiveSeat
from webapp.records.lineups import AGENT, PERSON, REPLACED
from webapp.records.models import Experiment

MAX_MARKS = 5
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross")
DASH_WORDS = {"solid": "solid", "dash": "dashed", "dot": "dotted", "dashdot": "dash and dot", "longdash": "long dashes"}
DASHES = tuple(DASH_WORDS)


@dataclass(frozen=True)
class Side:
    """One place of one arm's line-up; mark 0 to 4, None = grey."""

    arm: int
    place: int
    name: str
    description: str
    mark: int | None

    @property
    def colour(self) -> str:
        """Token name for figures, without the "@"."""
        return "muted" if self.mark is None else f"seat-{self.mark}"

    @property
    def symbol(self) -> str:
        """Plotly symbol of the mark."""
        return "circle" if self.mark is None else SYMBOLS[self.mark]


@dataclass(frozen=True)
class Lineups:
    """All sides of an experiment.

    focus: the place whose engine the arms compare; parties: that play against each other, seats or teams.
    """

    arms: tuple[str, ...]
    sides: tuple[tuple[Side, ...], ...]
    focus: int
    opponents: str
    parties: int

    def focal(self, arm: int) -> Side:
        """The side that stands for its arm."""
        return self.sides[arm][self.focus]

    @property
    def fair_share(self) -> float | None:
        """Share of matches that a side wins among equals without draws; None without opponents."""
        return 1 / self.parties if self.parties > 1 else None


def _option_words(cls: type, options: Mapping[str, Any]) -> list[str]:
    """Options that are not at their default, in words."""
    changed = [row for row in option_tools.schema(cls) if options.get(row["name"], row["default"]) != row["default"]]
    return [_option_word(row, options[row["name"]]) for row in changed]


def _option_word(row: Mapping[str, Any], value: Any) -> str:
    label = str(row["label"])
    if isinstance(value, bool):
        return label.lower() if value else f"no {label.lower()}"
    words = value_label(row, value)
    return words.lower() if row["choices"] else f"{label} {words}"


def configuration_words(seat: Mapping[str, Any]) -> list[str]:
    """Engine, options off their default, budget: the parts of a description.

    An engine without a budget does not think: its options are who it is, so all are named.
    """
    if seat["engine"] in (PERSON, REPLACED):
        return [str(seat["options"]["name"])]
    if seat["engine"].startswith(AGENT):
        return [str(seat["engine"]).removeprefix(AGENT), "agent"]
    try:
        cls = engine_registry.get(seat["engine"])
    except KeyError:  # an engine of another version of the lab
        return [str(seat["engine"])]
    options = seat.get("options", {})
    if not cls.budgets:
        values = [value_label(row, options.get(row["name"], row["default"])) for row in option_tools.schema(cls.options_class)]
        return [f"{cls.label}: {', '.join(values)}" if values else cls.label]
    return [
        cls.label,
        *_option_words(cls.options_class, options),
        *(limit_words(*limit) for limit in seat.get("budget", {}).items()),
    ]


def short_names(parts: Sequence[Sequence[str]], place: str = "place") -> list[str]:
    """Shortest names that tell the rows apart: the label, then words that differ; equal ones are numbered."""
    names = []
    for row in parts:
        namesakes = [other for other in parts if other[0] == row[0]]
        shared = set(row).intersection(*map(set, namesakes))
        names.append(", ".join([row[0], *(word for word in row[1:] if word not in shared)]))
    repeated = Counter(names)
    return [f"{name}, {place} {i + 1}" if repeated[name] > 1 else name for i, name in enumerate(names)]


def _focus(arms: Sequence[Mapping[str, Any]]) -> tuple[int, list[int]]:
    """First place whose engine differs between arms, and the places where none does."""
    first = arms[0]["seats"]
    common = [place for place, seat in enumerate(first) if all(arm["seats"][place] == seat for arm in arms)]
    differing = [place for place in range(len(first)) if place not in common]
    return (differing[0], common) if len(arms) > 1 and differing else (0, [])


def _marks(seats: int, arms: int, arm: int, focus: int, chosen: int | None) -> list[int | None]:
    """The mark of each place of an arm; all grey where it has none of its own."""
    if arms == 1:
        return list(range(seats))
    own = arm if arms <= MAX_MARKS else 0
    if arms > MAX_MARKS and arm != chosen:
        return [None] * seats
    taken = arms if arms <= MAX_MARKS else 1
    others = [None, *range(taken, MAX_MARKS), *(mark for mark in range(taken) if mark != own)]
    return [*others[:focus], own, *others[focus : seats - 1]]


def _at_the_table(experiment: Experiment) -> list[LiveSeat]:
    """Who played a match; nobody for experiments of engines."""
    if experiment.kind != Experiment.Kind.PLAY:
        return []
    return list(LiveSeat.objects.filter(match__match__experiment=experiment).order_by("lineup_index"))


def _without_name(row: LiveSeat) -> tuple[str, list[str]]:
    """How a seat of somebody else than the owner is called for everybody, and its description."""
    player = f"Player {row.seat + 1}"
    now = row.name if row.kind == LiveSeat.Kind.ENGINE else player
    past = [note["name"] if "engine" in note else player for note in row.replaced or ()]
    return now, [", then ".join([*past, now])]


def _is_of_another(row: LiveSeat, owner_id: int) -> bool:
    """Whether another person than the owner sits there, or sat there at first."""
    began = row.kind == LiveSeat.Kind.PERSON or bool(row.replaced and "engine" not in row.replaced[0])
    return began and row.agent_id is None and row.person_id != owner_id


def lineups(experiment: Experiment, chosen: int | None = None) -> Lineups:
    """The sides of an experiment, from its spec; those of a match that people played as they were called.

    chosen: the arm that keeps colour where there are more arms than marks.
    """
    arms = experiment.spec["arms"]
    focus, common = _focus(arms)
    at_the_table = _at_the_table(experiment)
    rows = []
    for index, arm in enumerate(arms):
        words = [configuration_words(seat) for seat in arm["seats"]]
        called = [row.name for row in at_the_table]
        for place, row in enumerate(at_the_table):
            if experiment.hides_people and _is_of_another(row, experiment.owner_id):
                called[place], words[place] = _without_name(row)
        names = short_names([[name] for name in called], "seat") if called else short_names(words)
        sides = []
        marks = _marks(len(words), len(arms), index, focus, chosen)
        for place, parts in enumerate(words):
            name = arm["name"] if len(arms) > 1 and place == focus else names[place]
            sides.append(Side(index, place, name, ", ".join(parts), marks[place]))
        rows.append(tuple(sides))
    opponents = ", ".join(rows[0][place].description for place in common)
    has_teams = game_registry.get(experiment.game).traits.has_teams
    parties = 2 if has_teams else len(rows[0])
    return Lineups(tuple(arm["name"] for arm in arms), tuple(rows), focus, opponents, parties)
