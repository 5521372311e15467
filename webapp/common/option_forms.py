"""Forms made from option schemas and budgets: one declaration gives fields, help and bounds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

from django import forms

from engines.protocol import BUDGET_LABELS, BUDGET_MAXIMUM, COUNTED, Engine
from games import options as option_tools
from games import registry as game_registry
from games import rule_sets
from games.protocol import Game
from webapp.common import amounts, data_fields
from webapp.common.amounts import AmountField
from webapp.common.data_fields import Own
from webapp.common.fields import NumberField, bounds_text, format_plain, format_spaced

BUDGET_LIMIT = 10_000_000
MAX_SEGMENTS = 3
MAX_SEGMENT_LETTERS = 22
"""Choices become a segmented control up to this many with this many letters in all."""

POLICIES = "policies"
"""The attribute of a game that options name policies by (`games.options.option`)."""
Row = dict[str, Any]


def _help(row: Row) -> str:
    return str(row["help"])


def _number(row: Row) -> forms.Field:
    allowed = bounds_text(row["minimum"], row["maximum"])
    notes = [note.removesuffix(".") for note in (_help(row), allowed) if note]
    return NumberField(
        whole=row["type"] == "int",
        minimum=row["minimum"],
        maximum=row["maximum"],
        example=row["default"],
        label=row["label"],
        help_text="; ".join(notes),
    )


def _choice(row: Row) -> forms.Field:
    choices = [
        (str(choice["value"]), ": ".join(filter(None, (choice["label"], choice.get("help")))))
        for choice in row["choices"]
    ]
    kinds = {str(choice["value"]): choice["value"] for choice in row["choices"]}
    letters = sum(len(label) for _, label in choices)
    short = len(choices) <= MAX_SEGMENTS and letters <= MAX_SEGMENT_LETTERS
    return forms.TypedChoiceField(
        required="" not in kinds,  # where it is a choice, it is one like the others
        choices=choices,
        coerce=kinds.__getitem__,
        label=row["label"],
        help_text=_help(row),
        widget=forms.RadioSelect if short else forms.Select,
    )


def _check(row: Row) -> forms.Field:
    return forms.BooleanField(required=False, label=row["label"], help_text=_help(row))


def _text(row: Row) -> forms.Field:
    """A text that is asked for by another option's value alone is what that value needs."""
    is_needed = bool(row["default"]) or row["where"] is not None
    words = {"required": "Cannot stay empty here."}
    return forms.CharField(label=row["label"], help_text=_help(row), required=is_needed, error_messages=words)


HOUSE = "house:"
"""Before the name of house rules that a button asks for."""
FIELDS: Mapping[str, Callable[[Row], forms.Field]] = {"bool": _check, "int": _number, "float": _number, "str": _text}


def field_for(row: Row) -> forms.Field:
    """The form field of one row of `games.options.schema`."""
    return _choice(row) if row["choices"] else FIELDS[row["type"]](row)


@cache
def policy_label(policy: str) -> str:
    """Name of a playing policy; its id where no game has one of that id. Games call policies of one id alike."""
    games = map(game_registry.get, game_registry.ids())
    return next((game.policy_words[policy].label for game in games if policy in game.policy_words), policy)


def value_label(row: Mapping[str, Any], value: Any) -> str:
    """An option's value in words."""
    for choice in row["choices"]:
        if choice["value"] == value:
            return str(choice["label"])
    if row["names"] == POLICIES:
        return policy_label(str(value))
    if row["type"] == option_tools.DATA:
        return str(value.get("name", "none"))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_plain(value) if isinstance(value, int | float) else str(value)


def is_default(row: Mapping[str, Any], value: Any) -> bool:
    """Whether an option has its default, or reads so: a form shows a third as 0.333333333333."""
    default = row["default"]
    if isinstance(value, float) and isinstance(default, float):
        return value == default or format_plain(value) == format_plain(default)
    return bool(value == default)


def describe_options(cls: type, values: Mapping[str, Any], *, changed_only: bool = False) -> list[tuple[str, str]]:
    """(label, value in words) of options that count beside each other, e.g. for a settings page."""
    rows = _valued(cls, values)
    known = {row["name"]: value for row, value in rows}
    return [
        (row["label"], value_label(row, value))
        for row, value in rows
        if option_tools.in_play(row, known) and (not changed_only or not is_default(row, value))
    ]


def in_force(cls: type, values: Mapping[str, Any], unknown: Collection[str] = ()) -> list[tuple[str, str]]:
    """The same without empty texts, zeros and boxes not ticked that are so by default.

    unknown: options that have no value now: of them, and of what hangs on them, nothing is told.
    """
    rows = _valued(cls, values)
    known = {row["name"]: value for row, value in rows}
    return [
        (row["label"], value_label(row, value))
        for row, value in rows
        if row["name"] not in unknown and (row["where"] is None or row["where"]["option"] not in unknown)
        if option_tools.in_play(row, known) and (value or row["choices"] or value != row["default"])
    ]


def _valued(cls: type, values: Mapping[str, Any]) -> list[tuple[Row, Any]]:
    named = option_tools.renamed(cls, values)
    return [(row, named.get(row["name"], row["default"])) for row in option_tools.schema(cls)]


def to_data(values: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """Option or budget values as a browser would post them; a box not ticked is absent."""
    data = {}
    for name, value in values.items():
        if value is False:
            continue
        data[f"{prefix}-{name}"] = _as_text(value)
    return data


def _as_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return data_fields.text(value)
    if isinstance(value, bool):
        return "on" if value else ""
    return format_plain(value) if isinstance(value, int | float) else str(value)


def rules_data(game: Game, posted: Mapping[str, str], opening: str = "") -> dict[str, str]:
    """The rules of a form as a browser would post them: what it showed for this game, else those named `opening`.

    posted: where its ``do`` is ``house:NAME``, the rules of that name take the place of both. opening: empty, or
    unknown to the game: the defaults. A choice that was not sent, since the form is older than it, has its default.
    """
    name = posted.get("do", "").removeprefix(HOUSE)
    if name not in game.presets and posted.get("rules-for") == game.id:
        usual = {
            f"rules-{row['name']}": str(row["default"]) for row in option_tools.schema(game.options) if row["choices"]
        }
        made = usual | {key: value for key, value in posted.items() if key.startswith("rules-")}
    else:
        made = to_data(rule_sets.complete(game, name if name in game.presets else opening), "rules")
    return made | _shape(option_tools.schema(game.options), made, "rules")


def complete(cls: type, posted: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Options as a browser would post them: what was posted, else the defaults."""
    made = to_data(option_tools.to_json(cls()), prefix)
    made |= {key: value for key, value in posted.items() if key.startswith(f"{prefix}-")}
    return made | _shape(option_tools.schema(cls), made, prefix)


def _shape(rows: Sequence[Row], data: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Values of leading options for which a form shows the others (`engine_forms.is_as_shown`)."""
    defaults = {row["name"]: str(row["default"]) for row in rows}
    leading = {row["where"]["option"] for row in rows if row["where"]}
    return {f"{prefix}-{name}-for": data.get(f"{prefix}-{name}", defaults[name]) for name in sorted(leading)}


def rows_for(cls: type, game: Game | None = None) -> list[Row]:
    """The schema; an option that names something of a game offers what the game at hand has."""
    rows: list[Row] = option_tools.schema(cls)
    return [row | {"choices": _all_choices(row, _names(row, game))} for row in rows]


def _all_choices(row: Row, named: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    """What a game has by name, and what is always there; a name that is both goes by the label that it always has."""
    always = {choice["value"]: choice for choice in row["choices"]}
    return [always.pop(choice["value"], choice) for choice in named] + list(always.values())


def _names(row: Row, game: Game | None) -> list[dict[str, str]]:
    """Choices among what a game has; help: what one does."""
    is_named = game is not None and row["names"] and row["type"] != option_tools.DATA
    names = getattr(game, row["names"]) if is_named else ()
    known = game.policy_words if game is not None and row["names"] == POLICIES else {}
    return [
        {"value": name, "label": known[name].label, "help": known[name].summary}
        if name in known
        else {"value": name, "label": name}
        for name in names
    ]


def _kept(row: Row, values: Sequence[str] | None) -> Row:
    """A row whose choices are kept to some values; None: to all that it has."""
    return row if values is None else row | {"choices": [one for one in row["choices"] if one["value"] in values]}


class OptionForm(forms.Form):
    """One field per option of an options class that is in play; `game` gives the names that some choose from.

    offered: by option, the values that its choices are kept to; own: what somebody has to choose from
    where an option is data.
    """

    def __init__(
        self,
        cls: type,
        *args: Any,
        game: Game | None = None,
        offered: Mapping[str, Sequence[str]] | None = None,
        own: Own | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        known = [_kept(row, (offered or {}).get(row["name"])) for row in rows_for(cls, game)]
        self.every_row = [self._listed(row, option_tools.unlisted(cls)) for row in known]
        chosen = self._chosen()
        self.rows = [row for row in self.every_row if option_tools.in_play(row, chosen)]
        for row in self.rows:
            if row["type"] == option_tools.DATA:
                posted = self.data.get(self.add_prefix(row["name"]))
                self.fields[row["name"]] = data_fields.field(row, game, own or {}, posted)
                continue
            field = field_for(row)
            field.initial = str(row["default"]) if row["choices"] else row["default"]
            self.fields[row["name"]] = field

    def _listed(self, row: Row, unlisted: Mapping[str, Sequence[Any]]) -> Row:
        """A row without the choices that are offered no more, but for one that stands in the data already."""
        gone = {str(value) for value in unlisted.get(row["name"], ())} - {self.data.get(self.add_prefix(row["name"]))}
        return _kept(row, [one["value"] for one in row["choices"] if str(one["value"]) not in gone]) if gone else row

    def _chosen(self) -> dict[str, Any]:
        """The values, as texts, of the options that others depend on."""
        rows = {row["name"]: row["default"] for row in self.every_row}
        return {name: self.data.get(self.add_prefix(name), rows[name]) for name in self.leading}

    @property
    def leading(self) -> set[str]:
        """Names of the options that decide which others are there: with another value the form takes another shape."""
        return {row["where"]["option"] for row in self.every_row if row["where"]}

    @property
    def shape(self) -> dict[str, str]:
        """Hidden fields that say what this form was made for."""
        return _shape(self.every_row, self.data, str(self.prefix))

    @property
    def data_fields(self) -> list[forms.BoundField]:
        """The fields of options that are data: what is played, more than how."""
        return [self[row["name"]] for row in self.rows if row["type"] == option_tools.DATA]

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """All others."""
        return [self[row["name"]] for row in self.rows if row["type"] != option_tools.DATA]

    def to_json(self) -> dict[str, Any]:
        """The values, typed as the options class wants them; only fields without error."""
        kept = {name: value for name, value in self.cleaned_data.items() if value is not None}
        return {
            row["name"]: row["default"] if is_default(row, kept[row["name"]]) else kept[row["name"]]
            for row in self.rows
            if row["name"] in kept
        }

    def changed_words(self) -> str:
        """Options that are not at their default, for the closed summary."""
        values = self.cleaned_data if self.is_bound and self.is_valid() else {}
        words = []
        for row in self.rows:
            value = values.get(row["name"], row["default"])
            if not is_default(row, value) and row["type"] != option_tools.DATA:
                words.append(f"{row['label']}: {value_label(row, value)}")
        return ", ".join(words)


def _limit_field(key: str, **kwargs: Any) -> NumberField:
    kind = BUDGET_LABELS[key][2]
    maximum = BUDGET_MAXIMUM.get(key, BUDGET_LIMIT)
    if key in COUNTED:
        return AmountField(whole=True, minimum=1, maximum=maximum, **kwargs)
    if kind is int:
        return NumberField(whole=True, minimum=1, maximum=maximum, **kwargs)
    return NumberField(whole=False, minimum=0, above=True, maximum=maximum, **kwargs)


class BudgetForm(forms.Form):
    """Budget of one seat: a kind and its amount, and further limits where there are.

    `also_<key>` limits the same decision by another key; empty is no limit.
    """

    def __init__(self, engine: type[Engine], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.engine = engine
        if not engine.budgets:
            return
        keys = [key for key in BUDGET_LABELS if key in engine.budgets]
        self.fields["key"] = forms.ChoiceField(choices=[(key, BUDGET_LABELS[key][0]) for key in keys], label="Budget")
        chosen = self["key"].value()
        kind = chosen if chosen in keys else keys[0]
        self.fields["amount"] = _limit_field(kind, label="Amount", example=engine.default_budget.get(chosen))
        if kind in COUNTED:
            self.fields["amount"].help_text = f"or one for each round or ply: {amounts.EXAMPLE}"
        for key in keys if len(keys) > 1 else ():
            self.fields[f"also_{key}"] = _limit_field(key, required=False, label=BUDGET_LABELS[key][0])

    def further(self) -> list[forms.BoundField]:
        """The fields of further limits, without the kind that is chosen already."""
        chosen = self["key"].value() if "key" in self.fields else None
        return [self[name] for name in self.fields if name.startswith("also_") and name != f"also_{chosen}"]

    def to_json(self) -> dict[str, Any]:
        """Budget by key; only fields without error."""
        values = {
            name.removeprefix("also_"): value
            for name, value in self.cleaned_data.items()
            if name.startswith("also_") and value is not None
        }
        if self.cleaned_data.get("amount") is not None and "key" in self.cleaned_data:
            values[self.cleaned_data["key"]] = self.cleaned_data["amount"]
        return values

    def field_of(self, key: str) -> str | None:
        """Name of the field that sets a budget key, for errors."""
        if key == self["key"].value() if "key" in self.fields else False:
            return "amount"
        return f"also_{key}" if f"also_{key}" in self.fields else None


def budget_data(budget: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """A budget as `BudgetForm` posts it: its first key is the kind, the others further limits."""
    keys = [key for key in BUDGET_LABELS if key in budget]
    if not keys:
        return {}
    data = {f"{prefix}-key": keys[0], f"{prefix}-amount": amounts.text(budget[keys[0]])}
    return data | {f"{prefix}-also_{key}": amounts.text(budget[key]) for key in keys[1:]}


def limit_words(key: str, value: float | Mapping[str, Any]) -> str:
    """One limit of a budget in words, e.g. "20 playouts per legal action", "10, 20, 40 playouts a ply by round"."""
    label, unit, _ = BUDGET_LABELS[key]
    if isinstance(value, Mapping):
        return f"{amounts.counts_words(value)} {label[0].lower()}{label[1:]} by {value['by']}"
    if key == "depth":
        return f"depth {format_plain(value)}"
    if unit == "s":
        return f"{format_spaced(value)} s{label.removeprefix('Seconds')}"
    return f"{format_spaced(value)} {label[0].lower()}{label[1:]}"


def budget_words(budget: Mapping[str, Any]) -> str:
    """A budget in words, e.g. "20 playouts per legal action, 0.5 s a ply"."""
    return ", ".join(limit_words(key, budget[key]) for key in BUDGET_LABELS if key in budget) or "no budget"
