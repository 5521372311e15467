"""The axes of a sweep on the form: each varies one option or budget of some seats over some values.

Names of an axis's data: ``sweep-0-what`` (``options.c``, ``budget.simulations``),
``sweep-0-seats-1`` (ticked), ``sweep-0-values`` (typed) or ``sweep-0-values-order2`` (ticked),
``sweep-0-order`` (in which order ticked values come, where it is not that of the form).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from engines import registry as engine_registry
from engines.protocol import BUDGET_LABELS, BUDGET_MAXIMUM
from games.json_paths import format_path
from games.options import DATA, Value
from games.protocol import Game
from webapp.common import fields
from webapp.common.fields import bounds_text
from webapp.common.naming import PLACES
from webapp.common.option_forms import BUDGET_LIMIT, rows_for
from webapp.lab.experiments.value_list import ValueListError, parse, spell
from worker import spec as specs
from worker.spec import Axis
from worker.spec.agents import is_agent
from worker.spec.naming import in_words

Data = dict[str, str]
Row = Mapping[str, Any]
MAX_AXES = specs.MAX_ARMS.bit_length() - 1
"""More axes of two values each make more arms than fit."""
SEPARATOR = ","
BUDGET, OPTIONS = "Budget", "Options"


@dataclass(frozen=True)
class Offer:
    """An option or budget that can vary; row: as `games.options.schema` declares an option."""

    what: str
    group: str
    row: Row
    seats: tuple[int, ...]

    @property
    def choices(self) -> list[tuple[str, str]]:
        """(value as text, label) of the boxes to tick; empty for numbers and free text, which are typed."""
        if self.row["type"] == "bool":
            return [("True", "yes"), ("False", "no")]
        return [(str(choice["value"]), str(choice["label"])) for choice in self.row["choices"]]

    def value_of(self, text: str) -> Value:
        """The value of a ticked choice."""
        if self.row["type"] == "bool":
            return text == "True"
        found: Value = next(choice["value"] for choice in self.row["choices"] if str(choice["value"]) == text)
        return found


def _budget_row(key: str) -> Row:
    label, _, kind = BUDGET_LABELS[key]
    maximum = BUDGET_MAXIMUM.get(key, BUDGET_LIMIT)
    return {"name": key, "type": kind.__name__, "label": label, "minimum": None, "maximum": maximum, "choices": ()}


def offers(engines: Sequence[str], game: Game) -> dict[str, Offer]:
    """All offers, by their names in the data; engines: their ids, by seat. Agents have none."""
    found: dict[str, Offer] = {}

    def add(what: str, group: str, row: Row, seat: int) -> None:
        known = found.get(what)
        found[what] = Offer(what, group, known.row if known else row, (*(known.seats if known else ()), seat))

    classes = {seat: engine_registry.get(engine) for seat, engine in enumerate(engines) if not is_agent(engine)}
    for seat, cls in classes.items():
        for key in (key for key in BUDGET_LABELS if key in cls.budgets):
            add(f"budget.{key}", BUDGET, _budget_row(key), seat)
    for seat, cls in classes.items():
        for row in (row for row in rows_for(cls.options_class, game) if row["type"] != DATA):
            add(f"options.{row['name']}", OPTIONS, row, seat)
    return found


def axis_prefix(axis: int) -> str:
    """Prefix of the fields of one axis."""
    return f"sweep-{axis}"


def complete_axes(
    posted: Mapping[str, str], count: int, engines: Sequence[str], budgets: Sequence[str], game: Game
) -> Data:
    """Return the data of `count` axes: posted values that still fit are kept, the others take defaults.

    budgets: the key of each seat's budget; those come first when an axis is fresh.
    """
    known = offers(engines, game)
    if not known:
        return {"axes": "0"}
    data = {"axes": str(count)}
    for axis in range(count):
        data |= _complete_axis(
            posted, axis_prefix(axis), known, budgets, {data[f"sweep-{i}-what"] for i in range(axis)}
        )
    return data


def _complete_axis(
    posted: Mapping[str, str], prefix: str, known: Mapping[str, Offer], budgets: Sequence[str], taken: set[str]
) -> Data:
    what = posted.get(f"{prefix}-what", "")
    if what not in known:
        first = [*(f"budget.{key}" for key in budgets if f"budget.{key}" in known), *known]
        what = next((name for name in first if name not in taken), first[0])
    offer = known[what]
    made = {f"{prefix}-what": what, f"{prefix}-for": what}
    if not offer.choices:
        made[f"{prefix}-values"] = posted.get(f"{prefix}-values", "")
    seats: Sequence[int]
    if posted.get(f"{prefix}-for") == what:
        kept = (f"{prefix}-values-", f"{prefix}-order")
        seats = [seat for seat in offer.seats if f"{prefix}-seats-{seat}" in posted]
        made |= {key: value for key, value in posted.items() if offer.choices and key.startswith(kept)}
    else:
        made |= {f"{prefix}-values-{value}": "on" for value, _ in offer.choices}
        seats = [seat for seat in offer.seats if what == f"budget.{budgets[seat]}"] or offer.seats[:1]
    return made | {f"{prefix}-seats-{seat}": "on" for seat in seats}


def dropped_labels(
    posted: Mapping[str, str], data: Mapping[str, str], count: int, engines: Sequence[str], game: Game
) -> str:
    """Labels of the options that the posted axes vary and those of the completed data cannot; empty if none.

    engines: the posted ones, by seat, as the form showed them.
    """
    known = offers(engines, game)
    names = [axis_prefix(axis) + "-what" for axis in range(count)]
    gone = [posted[name] for name in names if name in posted and data.get(name) != posted[name]]
    return ", ".join(str(known[what].row["label"]) for what in gone if what in known)


def axis_data(index: int, axis: Axis) -> Data:
    """The data that an axis of a spec is made from."""
    prefix, what = axis_prefix(index), f"{axis.part}.{axis.name}"
    data = {f"{prefix}-what": what, f"{prefix}-for": what}
    data |= {f"{prefix}-seats-{seat}": "on" for seat in axis.seats}
    texts = [str(value) for value in axis.values]
    numbers = [value for value in axis.values if not isinstance(value, str)]
    data[f"{prefix}-values"] = spell(numbers) if axis.is_numeric else SEPARATOR.join(texts)
    data |= {f"{prefix}-values-{text}": "on" for text in texts}
    return data | {f"{prefix}-order": SEPARATOR.join(texts)}


class TickBoxes(forms.CheckboxSelectMultiple):
    """Boxes whose names differ, so that data with one value a name holds them all."""

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> list[str]:
        """The ticked values."""
        return [str(value) for value, _ in self.choices if f"{name}-{value}" in data]

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """One box, named by its value."""
        option = super().create_option(name, value, *args, **kwargs)
        return option | {"name": f"{name}-{value}"}


class AxisForm(forms.Form):
    """One axis, over data that `complete_axes` made."""

    what = forms.ChoiceField(label="What varies")

    def __init__(self, data: Mapping[str, str], axis: int, known: Mapping[str, Offer]) -> None:
        super().__init__(data, prefix=axis_prefix(axis))
        self.index, self.number = axis, axis + 1
        self.marker = f"{self.prefix}-for"
        self.offer = known[data[f"{self.prefix}-what"]]
        self.order = data.get(f"{self.prefix}-order", "").split(SEPARATOR)
        fields.offer(self, "what", _grouped(known))
        self.fields["values"] = _values_field(self.offer)
        self.fields["seats"] = forms.MultipleChoiceField(
            choices=[(str(seat), PLACES[seat]) for seat in self.offer.seats],
            widget=TickBoxes,
            label="In",
            error_messages={"required": "Tick the seat, or the seats, that take these values."},
        )

    @property
    def label(self) -> str:
        """Label of the option that varies."""
        return str(self.offer.row["label"])

    @property
    def what_varies(self) -> tuple[str, str]:
        """Path of the option in the configuration: ``("options", "c")``."""
        part, _, name = self.offer.what.partition(".")
        return part, name

    @property
    def is_untyped(self) -> bool:
        """Whether no values have been typed yet."""
        return not self.offer.choices and not self.data[f"{self.prefix}-values"].strip()

    @property
    def ticked_seats(self) -> list[int]:
        """The seats that take the values."""
        return [int(seat) for seat in self["seats"].value()]

    def clean_values(self) -> tuple[Value, ...]:
        """The values, typed as the option holds them."""
        given = self.cleaned_data["values"]
        if self.offer.choices:
            place = {text: i for i, text in enumerate(self.order)}
            found = [self.offer.value_of(text) for text in sorted(given, key=lambda text: place.get(text, len(place)))]
        elif self.offer.row["type"] == "str":
            found = [part.strip() for part in given.split(",") if part.strip()]
            if again := next((text for i, text in enumerate(found) if text in found[:i]), None):
                raise forms.ValidationError(f"{again} appears twice.", code="values")
        else:
            try:
                found = [*parse(given, whole=self.offer.row["type"] == "int", limit=specs.MAX_ARMS)]
            except ValueListError as error:
                raise forms.ValidationError(str(error), code="values") from None
        if len(found) < 2:
            raise forms.ValidationError(
                "Tick two or more." if self.offer.choices else "Give two values or more.", code="few"
            )
        return tuple(found)

    @property
    def axis(self) -> Axis:
        """The axis, once its values are valid."""
        return Axis(tuple(map(int, self.cleaned_data["seats"])), *self.what_varies, self.cleaned_data["values"])

    def to_json(self) -> dict[str, Any]:
        """The axis as the spec writes it."""
        paths = [format_path(("seats", int(seat), *self.what_varies)) for seat in self.cleaned_data["seats"]]
        return {"paths": paths, "values": list(self.cleaned_data["values"])}


def _grouped(known: Mapping[str, Offer]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices by group; an offer that some seats lack names those that have it."""
    num_seats = 1 + max(seat for offer in known.values() for seat in offer.seats)
    groups: dict[str, list[tuple[str, str]]] = {}
    for offer in known.values():
        where = "" if len(offer.seats) == num_seats else f" ({in_words(offer.seats)})"
        groups.setdefault(offer.group, []).append((offer.what, f"{offer.row['label']}{where}"))
    return list(groups.items())


def _values_field(offer: Offer) -> forms.Field:
    if offer.choices:
        return forms.MultipleChoiceField(
            choices=offer.choices,
            widget=TickBoxes,
            label="Values",
            error_messages={"required": "Tick two or more."},
        )
    is_text = offer.row["type"] == "str"
    example = (
        "e.g. 0.5, 1, 2 or 0 to 1 in 5 steps" if offer.row["type"] == "float" else "e.g. 5, 10, 20 or 1 to 9 step 2"
    )
    return forms.CharField(
        max_length=1000,
        label="Values",
        help_text="" if is_text else bounds_text(offer.row["minimum"], offer.row["maximum"]),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "" if is_text else example}
        ),
        error_messages={"required": "Write the values, e.g. 5, 10, 20 or 1 to 9 step 2."},
    )
