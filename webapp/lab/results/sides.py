"""Who plays in an experiment, how pages call them, and which mark they carry.

A *side* is one place of one arm's line-up, or several partners of it: in a game of teams a
team wins or loses as one side. With one arm every side has a mark of its own; with several the
arm's engine carries the arm's mark. Its first opponent is grey, further ones take the marks that
no arm carries, as far as they go.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engines import levels
from engines import registry as engine_registry
from games import options as option_tools
from games import registry as game_registry
from webapp.common.option_forms import is_default, limit_words, value_label
from webapp.lab.results import teams
from webapp.records.lineups import AGENT, PERSON, REPLACED
from webapp.records.models import Experiment
from webapp.table.live.models import LiveSeat
from worker.spec import seatings

MAX_MARKS = 5
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross")
SIZES = (11, 11, 13, 12, 13)
"""Of the symbols, so that they look equally large."""
DASH_WORDS = {"solid": "solid", "dash": "dashed", "dot": "dotted", "dashdot": "dash and dot", "longdash": "long dashes"}
DASHES = tuple(DASH_WORDS)
COPY = "copy"
"""What tells sides of one configuration apart, beside their number."""


@dataclass(frozen=True)
class Side:
    """Who plays together; mark 0 to 4, None = grey. places: in the line-up, of which `place` is the first.

    kind: the name that all copies of one configuration share.
    """

    arm: int
    place: int
    name: str
    description: str
    mark: int | None
    places: tuple[int, ...]
    kind: str = ""

    def named(self, name: str) -> Side:
        """The same side under another name."""
        return replace(self, name=name)

    @property
    def key(self) -> tuple[int, int]:
        """Arm and first place, which tell sides apart."""
        return self.arm, self.place

    @property
    def colour(self) -> str:
        """Token name for figures, without the "@"."""
        return "muted" if self.mark is None else f"seat-{self.mark}"

    @property
    def symbol(self) -> str:
        """Plotly symbol of the mark."""
        return "circle" if self.mark is None else SYMBOLS[self.mark]

    @property
    def size(self) -> int:
        """Size of the symbol."""
        return SIZES[0] if self.mark is None else SIZES[self.mark]


@dataclass(frozen=True)
class Lineups:
    """All sides of an experiment; each of these is a row for every arm.

    sides: every place by itself. parties: what wins or loses, places or teams. players: what plays
    alike, places or the partners of one configuration. focus: the place whose engine the arms
    compare; opponents: the same in every arm, in words. baseline: the arm that the others are compared with.
    """

    arms: tuple[str, ...]
    sides: tuple[tuple[Side, ...], ...]
    parties: tuple[tuple[Side, ...], ...]
    players: tuple[tuple[Side, ...], ...]
    focus: int
    opponents: str
    has_teams: bool
    baseline: int = 0

    @property
    def focal_party(self) -> int:
        """Which of an arm's parties the compared place belongs to."""
        return next(i for i, side in enumerate(self.parties[0]) if self.focus in side.places)

    def focal(self, arm: int) -> Side:
        """The party that stands for its arm."""
        return self.parties[arm][self.focal_party]

    @property
    def fair_share(self) -> float | None:
        """Share of matches that a party wins among equals without draws; None without opponents."""
        return 1 / len(self.parties[0]) if len(self.parties[0]) > 1 else None


def _option_words(cls: type, options: Mapping[str, Any]) -> list[str]:
    """Options that are not at their default, in words."""
    rows = [row for row in option_tools.schema(cls) if row["name"] in options]
    changed = [row for row in rows if not is_default(row, options[row["name"]])]
    return [_option_word(row, options[row["name"]]) for row in changed]


def _option_word(row: Mapping[str, Any], value: Any) -> str:
    label = str(row["label"])
    if isinstance(value, bool):
        return label.lower() if value else f"no {label.lower()}"
    words = value_label(row, value)
    return words.lower() if row["choices"] else f"{label} {words}"


def configuration_words(seat: Mapping[str, Any]) -> list[str]:
    """Engine, options off their default, budget: the parts of a description.

    An engine without a budget does not think: its only option is who it is, so it is named.
    """
    if seat["engine"] in (PERSON, REPLACED):
        return [str(seat["options"]["name"])]
    if seat["engine"].startswith(AGENT):
        return [str(seat["engine"]).removeprefix(AGENT), "agent"]
    try:
        cls = engine_registry.get(seat["engine"])
    except KeyError:  # an engine of another version of the lab
        return [str(seat["engine"])]
    options, rows = seat.get("options", {}), option_tools.schema(cls.options_class)
    if not cls.budgets:
        values = _option_words(cls.options_class, options)
        if len(rows) == 1:
            values = [value_label(row, options.get(row["name"], row["default"])) for row in rows]
        return [f"{cls.label}: {', '.join(values)}" if values else cls.label]
    return [
        cls.label,
        *_option_words(cls.options_class, options),
        *(limit_words(*limit) for limit in seat.get("budget", {}).items()),
    ]


def _labels_of_policies() -> set[str]:
    """Labels of engines that do not think and whose only option is who they are."""
    found = map(engine_registry.get, engine_registry.ids())
    return {cls.label for cls in found if not cls.budgets and len(option_tools.schema(cls.options_class)) == 1}


def short_names(parts: Sequence[Sequence[str]], place: str = COPY) -> list[str]:
    """Shortest names that tell the rows apart: the label, then words that differ; equal ones are numbered.

    place: what the number counts: COPY, those of the same name; else all rows.
    """
    names = []
    for row in parts:
        namesakes = [other for other in parts if other[0] == row[0]]
        shared = set(row).intersection(*map(set, namesakes))
        names.append(", ".join([row[0], *(word for word in row[1:] if word not in shared)]))
    repeated = Counter(names)
    numbers = [names[:i].count(name) if place == COPY else i for i, name in enumerate(names)]
    return [f"{name}, {place} {k + 1}" if repeated[name] > 1 else name for k, name in zip(numbers, names, strict=True)]


def _focus(arms: Sequence[Mapping[str, Any]]) -> tuple[int, list[int]]:
    """First place whose engine differs between arms, and the places where none does."""
    first = arms[0]["seats"]
    common = [place for place, seat in enumerate(first) if all(arm["seats"][place] == seat for arm in arms)]
    differs = len(arms) > 1 and len(common) < len(first)
    return seatings.focus([arm["seats"] for arm in arms]), common if differs else []


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


@dataclass(frozen=True)
class _Arm:
    """One line-up; by place: parts of each name, descriptions, marks."""

    index: int
    name: str
    parts: Sequence[Sequence[str]]
    descriptions: Sequence[str]
    marks: Sequence[int | None]
    focus: int
    place_word: str

    def sides(self) -> tuple[Side, ...]:
        """Every place by itself."""
        names, kinds = short_names(self.parts, self.place_word), self._kinds()
        named = zip(names, kinds, strict=True)
        return tuple(replace(self._side((place,), name), kind=kind) for place, (name, kind) in enumerate(named))

    def _side(self, places: tuple[int, ...], name: str) -> Side:
        has_focus = self.focus in places
        mark = self.marks[self.focus if has_focus else places[0]]
        description = teams.count_names(self.descriptions[place] for place in places)
        return Side(self.index, places[0], self.name if self.name and has_focus else name, description, mark, places)

    def _kinds(self) -> list[str]:
        """Names of places, the same for the same parts; of engines whose only option is who they are that is enough."""
        rows = [tuple(row) for row in self.parts]
        distinct = list(dict.fromkeys(rows))
        names = short_names(distinct)
        labels = _labels_of_policies()
        bare = [
            policy if policy and label in labels else name
            for name in names
            for label, _, policy in [name.partition(": ")]
        ]
        if self.place_word == COPY and len(set(bare)) == len(names):
            names = bare
        by_row = dict(zip(distinct, names, strict=True))
        return [by_row[row] for row in rows]

    def parties(self) -> tuple[Side, ...]:
        """The two teams. With several arms that of the opponents is grey."""
        sides = tuple(self._side(*group) for group in teams.teams(self._kinds()))
        return tuple(
            replace(side, mark=None) if self.name and self.focus not in side.places else side for side in sides
        )

    def players(self) -> tuple[Side, ...]:
        """Partners of one kind, or a place by itself, called by what plays there.

        With several arms the first of the arm's own team carries its mark, of the opponents' the first is grey.
        """
        sides = [replace(self._side(*group), name=group.name) for group in teams.players(self._kinds())]
        if not self.name:
            return tuple(sides)
        own, spare = self.marks[self.focus], [mark for k, mark in enumerate(self.marks) if k != self.focus and mark]
        first: list[int | None] = [None, None]
        first[teams.team_of(self.focus)] = own
        marked: list[Side] = []
        for side in sides:
            team = teams.team_of(side.place)
            is_first = not any(teams.team_of(other.place) == team for other in marked)
            marked.append(replace(side, mark=first[team] if is_first else spare.pop(0) if spare else None))
        return tuple(marked)


def _called(experiment: Experiment, words: list[list[str]]) -> list[str]:
    """Names of those who played a match at a table, by place; hidden ones also in `words`. Empty for engines alone."""
    at_the_table = _at_the_table(experiment)
    called = [row.name for row in at_the_table]
    for place, row in enumerate(at_the_table):
        if experiment.hides_people and _is_of_another(row, experiment.owner_id):
            called[place], words[place] = _without_name(row)
    return called


def _by_level(
    experiment: Experiment, seats: Sequence[Mapping[str, Any]], words: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Parts of the names of places: in a single match of levels, as one watches it, a level is called by its name."""
    parts = [list(row) for row in words]
    if experiment.kind != Experiment.Kind.MATCH:
        return parts
    known = {_key(vars(level)): level.label for level in levels.for_game(experiment.game)}
    labels = [known.get(_key(seat), "") for seat in seats]
    return [[label] for label in labels] if all(labels) else parts


def _key(seat: Mapping[str, Any]) -> str:
    """A text that tells configurations apart, with options that are left out at their default."""
    options = seat.get("options", {})
    with suppress(KeyError):  # an engine of another version of the lab
        cls = engine_registry.get(seat["engine"]).options_class
        options = {row["name"]: row["default"] for row in option_tools.schema(cls)} | option_tools.renamed(cls, options)
    return json.dumps([seat["engine"], options, seat.get("budget", {})], sort_keys=True)


def _opponents(parties: Sequence[Side], focus: int, common: set[int]) -> str:
    """Those whom every arm meets, equal ones once: "3 x Random"."""
    met = Counter(side.description for side in parties if focus not in side.places and set(side.places) <= common)
    return ", ".join(teams.count_names([words] * number) for words, number in met.items())


def lineups(experiment: Experiment, chosen: int | None = None) -> Lineups:
    """The sides of an experiment, from its spec; those of a match that people played as they were called.

    chosen: the arm that keeps colour where there are more arms than marks.
    """
    rows = experiment.spec["arms"]
    focus, common = _focus(rows)
    arms = []
    for index, row in enumerate(rows):
        words = [configuration_words(seat) for seat in row["seats"]]
        called = _called(experiment, words)
        arms.append(
            _Arm(
                index=index,
                name=row["name"] if len(rows) > 1 else "",
                parts=[[name] for name in called] if called else _by_level(experiment, row["seats"], words),
                descriptions=[", ".join(parts) for parts in words],
                marks=_marks(len(words), len(rows), index, focus, chosen),
                focus=focus,
                place_word="seat" if called else COPY,
            )
        )
    has_teams = game_registry.get(experiment.game).traits.has_teams
    sides = tuple(arm.sides() for arm in arms)
    parties = tuple(arm.parties() for arm in arms) if has_teams else sides
    return Lineups(
        arms=tuple(row["name"] for row in rows),
        sides=sides,
        parties=parties,
        players=tuple(arm.players() for arm in arms) if has_teams else sides,
        focus=focus,
        opponents=_opponents(parties[0], focus, set(common)),
        has_teams=has_teams,
        baseline=int(experiment.spec.get("baseline", 0)),
    )
