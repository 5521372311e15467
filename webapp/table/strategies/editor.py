"""The editor's form as templates show it: lists of rules with their choices, what is wrong where, what is remarked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from games.dominion import cards
from games.dominion.strategies import form, words
from games.dominion.strategies.words import Remark
from games.strategies import StrategyError
from webapp.table.strategies.draft import BLANK, Place

HEADS = {
    "buy": (
        "Buy",
        "The first rule counts whose card the coins reach for and whose conditions all hold. With no such "
        "rule the turn ends. Cards that are gained without coins follow it, too.",
    ),
    "play": ("Play", "Action cards, in this order; what no rule names stays in hand."),
    "trash": (
        "Trash",
        "Where a Chapel, Remodel or Mine asks for a card. Without a rule it is Curses and Estates "
        "for a Chapel, any card for the others.",
    ),
}
Choices = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""(group, its (value, label)) in a select."""


@dataclass(frozen=True)
class Problem:
    """Problem of a field; target: id of the field."""

    label: str
    text: str
    target: str


@cache
def _cards(of: str) -> Choices:
    """Cards that a rule of a list, or a condition, may name, in groups."""
    known = form.rule_cards(of) if of in form.LISTS else form.condition_cards()
    table = cards.by_name()
    groups: dict[str, list[tuple[str, str]]] = {"Basic cards": [], "Kingdom cards": [], "Any of them": [], "Stop": []}
    for name in known:
        group = "Stop" if name == form.NOTHING else "Any of them"
        if name in table:
            group = "Kingdom cards" if table[name].is_kingdom else "Basic cards"
        groups[group].append((name, f"{name}, {table[name].cost}" if of == "buy" and name in table else name))
    groups["Kingdom cards"].sort()
    groups["Stop"] = [(value, f"nothing more to {of}") for value, _ in groups["Stop"]]
    return [(label, rows) for label, rows in groups.items() if rows]


@dataclass
class Condition:
    """One condition of a rule."""

    prefix: str
    number: int
    data: Mapping[str, Any]
    error: str = ""

    @property
    def has_card(self) -> bool:
        """Whether what is measured is of a card."""
        return form.QUANTITIES[self.data["what"]].has_card

    @property
    def whats(self) -> list[tuple[str, str]]:
        """Quantities that can be measured."""
        return [(key, quantity.label) for key, quantity in form.QUANTITIES.items()]

    @property
    def cards(self) -> Choices:
        """Cards that it may count."""
        return _cards("")

    @property
    def comparisons(self) -> list[tuple[str, str]]:
        """Comparisons that it may make."""
        return list(form.COMPARISONS.items())


@dataclass
class Rule:
    """One rule of a list."""

    list_id: str
    place: int
    count: int
    data: Mapping[str, Any]
    conditions: list[Condition]
    error: str = ""
    remarks: list[str] = field(default_factory=list)

    @property
    def prefix(self) -> str:
        """Prefix of its fields."""
        return f"{self.list_id}-{self.place}"

    @property
    def number(self) -> int:
        """Number as people count."""
        return self.place + 1

    @property
    def name(self) -> str:
        """Name of the rule in labels."""
        return f"{HEADS[self.list_id][0]} rule {self.number}"

    @property
    def may_have_more(self) -> bool:
        """Whether there is room for another condition."""
        return len(self.conditions) < form.MAX_CONDITIONS

    @property
    def is_last(self) -> bool:
        """Whether none follows."""
        return self.number == self.count

    @property
    def cards(self) -> Choices:
        """Cards that it may name."""
        return _cards(self.list_id)


@dataclass
class RuleList:
    """One list of rules."""

    id: str
    rules: list[Rule]
    error: str = ""
    remarks: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Its heading."""
        return HEADS[self.id][0]

    @property
    def help(self) -> str:
        """Help on how the list is read."""
        return HEADS[self.id][1]

    @property
    def may_have_more(self) -> bool:
        """Whether there is room for another rule."""
        return len(self.rules) < form.MAX_RULES


class Editor:
    """A strategy that may have errors, as `draft.read` gives it; kingdom: its cards by name, for remarks."""

    def __init__(self, data: Mapping[str, Any], kingdom: Collection[str], focus: Place | None = None) -> None:
        self.data, self.focus = data, focus
        self.lists = [_list(name, data[name]) for name in form.LISTS]
        self.refusals = form.problems(data)
        self.errors = {error.place: error.message for error in self.refusals}
        self.remarks: list[Remark] = [] if self.errors else words.remarks(data, kingdom)
        for remark in self.remarks:
            place = self._list(remark.list)
            (place if remark.rule is None else place.rules[remark.rule]).remarks.append(remark.text)

    @cached_property
    def checked(self) -> dict[str, Any] | None:
        """The strategy; None while it has errors."""
        return None if self.errors else form.check_strategy(self.data)

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been typed yet: there is nothing to complain of."""
        return self.data == BLANK

    def _list(self, name: str) -> RuleList:
        return next(row for row in self.lists if row.id == name)

    @property
    def problems(self) -> list[Problem]:
        """Problems that need a change, in the order of the page."""
        return [_problem(error) for error in self.refusals]

    def show_errors(self) -> None:
        """Say what is wrong at the fields, too."""
        for row in self.lists:
            row.error = self.errors.get(row.id, "")
            for rule in row.rules:
                rule.error = self._at(rule.prefix)
                for condition in rule.conditions:
                    condition.error = self._at(condition.prefix)

    def _at(self, prefix: str) -> str:
        found = (problem.text for problem in self.problems if problem.target.rpartition("-")[0] == prefix)
        return " ".join(found)


def _problem(error: StrategyError) -> Problem:
    text = f"{error.message[:1].upper()}{error.message[1:]}."
    match error.path:
        case (str(name), int(rule), "when", int(condition), *rest):
            label = f"{HEADS[name][0]} rule {rule + 1}, condition {condition + 1}"
            prefix = f"{name}-{rule}-{condition}"
        case (str(name), int(rule), *rest):
            label, prefix = f"{HEADS[name][0]} rule {rule + 1}", f"{name}-{rule}"
        case _:
            name = error.place
            label = HEADS[name][0] if name in HEADS else {"name": "Name", "about": "About it"}.get(name, name)
            return Problem(label, text, name)
    return Problem(label, text, f"{prefix}-{rest[0] if rest else 'card'}")


def _list(name: str, rows: Sequence[Mapping[str, Any]]) -> RuleList:
    rules = []
    for place, row in enumerate(rows):
        conditions = [Condition(f"{name}-{place}-{i}", i + 1, one) for i, one in enumerate(row["when"])]
        rules.append(Rule(name, place, len(rows), row, conditions))
    return RuleList(name, rules)
