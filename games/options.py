"""Typed options: one declaration gives form, JSON, schema and sweep editor.

An options class is a frozen dataclass whose fields are made with `option`; its values are
bool, int, float or str, or objects of JSON where a field is made with `data_option`.
"""

from __future__ import annotations

import dataclasses
import json
import reprlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from games.json_paths import Path, PathError

Value = bool | int | float | str
DATA = "data"
"""The type, in schemas, of an option whose value is an object."""
PLAIN = (bool, int, float, str)
KEPT = 256
"""Classes of options whose fields are kept at hand."""


def quote(value: Any) -> str:
    """A bad value as error messages quote it: as JSON writes it, short however long or deep it is."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return json.dumps(value) if value is None or isinstance(value, bool | float) else reprlib.repr(value)


def format_bound(number: float) -> str:
    """A bound without exponent or needless decimals."""
    return f"{int(number)}" if number == int(number) else f"{number:.12g}"


def _bounds(low: float | None, high: float | None) -> str:
    """The values allowed, to follow "must be"."""
    if low is not None and high is not None:
        return f"between {format_bound(low)} and {format_bound(high)}"
    if low is not None:
        return f"{format_bound(low)} or more"
    return "a finite number" if high is None else f"at most {format_bound(high)}"


class OptionError(PathError):
    """A bad option value. `field` names the option, `inner` the place in its data; the message says what is allowed."""

    def __init__(self, field: str, message: str, inner: Path = ()) -> None:
        super().__init__((field, *inner), message)
        self.field = field


def option(
    default: Value,
    label: str,
    help: str = "",
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[tuple[Value, str]] = (),
    names: str = "",
    where: tuple[str, Sequence[Value]] | None = None,
    unlisted: Sequence[Value] = (),
    former: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Declare an option: `choices` are (value, label) pairs, bounds are inclusive.

    names: the attribute of a game that lists more choices by name, such as "policies"; whether
    a name is known is then for the game's own check to say. where: another option and its values
    with which this one does something; with others it must stay at its default, and forms leave it out.
    unlisted: choices that are read, but that forms offer no more. former: what choices were called before, and
    what they are called now: both are read.
    """
    metadata: dict[str, Any] = {"label": label, "help": help, "minimum": minimum, "maximum": maximum}
    metadata["choices"] = tuple(choices)
    metadata |= {"names": names, "where": where, "unlisted": tuple(unlisted), "former": dict(former)}
    return dataclasses.field(default=default, metadata=metadata)


def data_option(label: str, help: str, *, names: str) -> Any:
    """Declare an option whose value is an object of JSON, which the game at hand reads.

    names: the attribute of a game that reads it (`check`) and has `examples`; None for games without.
    """
    metadata = {"label": label, "help": help, "minimum": None, "maximum": None, "choices": (), "names": names}
    return dataclasses.field(default_factory=dict, metadata=metadata)


def _default(field: dataclasses.Field[Any]) -> Any:
    return {} if field.default is dataclasses.MISSING else field.default


def _renamed(field: dataclasses.Field[Any], value: Any) -> Any:
    """A value by the name that its choice has now."""
    return field.metadata.get("former", {}).get(value, value) if isinstance(value, str) else value


@lru_cache(KEPT)
def _fields(cls: type) -> Mapping[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(cls)}


def renamed(cls: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """Stored values of options, choices by the names that they have now; what is not known stays as it is."""
    fields = _fields(cls)
    return {name: _renamed(fields[name], value) if name in fields else value for name, value in data.items()}


def _checked(field: dataclasses.Field[Any], value: Any) -> Any:
    default, meta, value = _default(field), field.metadata, _renamed(field, value)
    if isinstance(default, dict):
        if not isinstance(value, Mapping):
            raise OptionError(field.name, f"must be an object, not {quote(value)}")
        return dict(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise OptionError(field.name, f"must be true or false, not {quote(value)}")
        return value
    if isinstance(default, int | float):
        kinds = (int,) if isinstance(default, int) else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise OptionError(field.name, f"must be a {'whole ' if kinds == (int,) else ''}number, not {quote(value)}")
        try:
            number = type(default)(value)
        except OverflowError:
            number = float("inf")
        low, high = meta["minimum"], meta["maximum"]
        if not abs(number) < float("inf") or (low is not None and number < low) or (high is not None and number > high):
            raise OptionError(field.name, f"must be {_bounds(low, high)}, not {quote(value)}")
        value = number
    allowed = [choice for choice, _ in meta["choices"]]
    if isinstance(value, int) and not isinstance(value, bool):  # it may stand for a choice written as a number
        value = {int(text): text for text in allowed if isinstance(text, str) and text.isdecimal()}.get(value, value)
    if allowed and value not in allowed and not meta["names"]:
        raise OptionError(field.name, f"must be one of {', '.join(map(str, allowed))}, not {quote(value)}")
    if isinstance(default, str) and not isinstance(value, str):
        raise OptionError(field.name, f"must be text, not {quote(value)}")
    return value


def from_json(cls: type, data: Mapping[str, Any]) -> Any:
    """Build options of class `cls` from JSON; absent keys take their default.

    Raises OptionError naming the field.
    """
    if not isinstance(data, Mapping):
        raise OptionError("options", f"must be an object, not {quote(data)}")
    fields = _fields(cls)
    for name in data:
        if name not in fields:
            raise OptionError(str(name), f"unknown option; known: {', '.join(fields) or 'none'}")
    return cls(**{name: _checked(fields[name], value) for name, value in data.items()})


def from_older_json(cls: type, data: Mapping[str, Any]) -> Any:
    """Build options of class `cls` from JSON of any version: what is not known any more counts as its default."""
    known = dict(data)
    while True:
        try:
            return from_json(cls, known)
        except OptionError as error:
            if error.field not in known:
                return cls()
            del known[error.field]


def to_json(options: Any) -> dict[str, Any]:
    """All options by name, defaults included."""
    cls: type = type(options)
    values = {name: getattr(options, name) for name in _fields(cls)}
    return {name: value if isinstance(value, PLAIN) else deepcopy(value) for name, value in values.items()}


def codes(options: Any) -> list[int]:
    """All options as whole numbers for kernels: which of the choices, 0 and 1 for no and yes, or the number itself."""
    found = []
    for field in dataclasses.fields(options):
        value, choices = getattr(options, field.name), [choice for choice, _ in field.metadata["choices"]]
        found.append(choices.index(value) if choices else int(value))
    return found


def unlisted(cls: type) -> dict[str, tuple[Value, ...]]:
    """Choices that forms offer no more, by option."""
    found = {field.name: field.metadata.get("unlisted", ()) for field in dataclasses.fields(cls)}
    return {name: values for name, values in found.items() if values}


def _where(meta: Mapping[str, Any]) -> dict[str, Any] | None:
    """Values of the other option with which this one does something; None: always."""
    found = meta.get("where")
    return {"option": found[0], "values": list(found[1])} if found else None


def in_play(row: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether an option does something beside these values of the others. row: of `schema`."""
    where = row["where"]
    return where is None or values.get(where["option"]) in where["values"]


def schema(cls: type) -> list[dict[str, Any]]:
    """One JSON-ready row per option: name, type, label, help, default, bounds, choices, names, where."""
    return [dict(row) for row in _rows(cls)]


@lru_cache(KEPT)
def _rows(cls: type) -> tuple[dict[str, Any], ...]:
    rows = []
    for field in dataclasses.fields(cls):
        meta, default = field.metadata, _default(field)
        rows.append(
            {
                "name": field.name,
                "type": DATA if isinstance(default, dict) else type(default).__name__,
                "label": meta["label"],
                "help": meta["help"],
                "default": default,
                "minimum": meta["minimum"],
                "maximum": meta["maximum"],
                "choices": [{"value": value, "label": text} for value, text in meta["choices"]],
                "names": meta["names"],
                "where": _where(meta),
            }
        )
    return tuple(rows)
