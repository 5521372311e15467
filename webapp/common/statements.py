"""Statements on rows that a move needs, put together once; Django's ORM builds each anew for 0.3 to 1 ms of CPU.

They read and write whole rows of a model, on the connection that Django has, in its transaction. For what is asked
with every move alone; everything else goes through the ORM. No signal of a model is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Field, ForeignKey, Model

M = TypeVar("M", bound=Model)
Given = str | int | datetime | None
"""What a statement is given each time."""
Convert = Callable[[Any, None, Any], Any]
Joined = dict[tuple[str, Any], Model | None]
AS_READ = "_as_read"
"""Attribute of a row until it is written: its columns' values as they were read."""
UNKNOWN = object()


class Reading(Generic[M]):
    """Reading of rows of a model.

    where: what follows WHERE, with ``%s`` for what is given each time; the row's own table is `t`. joined: names of
    its foreign keys whose rows are read with it (as `select_related`), and in `where` are called as the keys are; rows
    that several refer to are one. further: ORDER BY, FOR UPDATE and the like.
    """

    def __init__(self, model: type[M], where: str, joined: Sequence[str] = (), further: str = "") -> None:
        self._model = model
        self._where = where
        self._joined = tuple(joined)
        self._further = further

    def all(self, *given: Given) -> list[M]:
        """All rows."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, given)
            joined: Joined = {}
            return [self._instance(row, joined) for row in cursor.fetchall()]

    def first(self, *given: Given) -> M | None:
        """The first row; None where there is none."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, given)
            row = cursor.fetchone()
        return None if row is None else self._instance(row, {})

    @cached_property
    def _own(self) -> _Columns:
        return _Columns.of(self._model)

    @cached_property
    def _others(self) -> list[tuple[ForeignKey[Any], _Columns]]:
        found = [self._model._meta.get_field(name) for name in self._joined]
        return [(field, _Columns.of(field.related_model)) for field in found if isinstance(field, ForeignKey)]

    @cached_property
    def _sql(self) -> str:
        columns, joins = [self._own.select("t")], []
        for field, other in self._others:
            columns.append(other.select(f'"{field.name}"'))
            key = f'"{field.name}"."{field.target_field.column}"'
            joins.append(f'LEFT JOIN "{other.table}" "{field.name}" ON t."{field.column}" = {key}')
        head = f'SELECT {", ".join(columns)} FROM "{self._own.table}" t {" ".join(joins)}'
        return f"{head} WHERE {self._where} {self._further}"

    def _instance(self, row: Sequence[Any], joined: Joined) -> M:
        """A row of the model. joined: rows that were read with the rows before, which may be this one's, too."""
        at = len(self._own.fields)
        one: M = self._own.instance(row[:at])
        for field, other in self._others:
            values, at = row[at : at + len(other.fields)], at + len(other.fields)
            which = (field.name, getattr(one, field.attname))
            if which not in joined:
                joined[which] = other.instance(values) if which[1] is not None else None
            field.set_cached_value(one, joined[which])
        return one


class Writing(Generic[M]):
    """Writing of rows of a model. keys: columns that tell which row one is."""

    def __init__(self, model: type[M], keys: Sequence[str] = ("id",)) -> None:
        self._model = model
        self._keys = tuple(keys)

    def insert(self, row: M) -> None:
        """Write a new row. Raises IntegrityError where it is there."""
        with connection.cursor() as cursor:
            cursor.execute(self._insert, [self._value(field, row) for field in self._own.fields])
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS

    def update(self, row: M, names: Sequence[str] | None = None) -> None:
        """Write some columns of a row that is there, or those that changed (None). Raises ObjectDoesNotExist."""
        fields = self._changed(row) if names is None else [field for field in self._rest if field.name in names]
        if not fields:
            return
        keys = [field for field in self._own.fields if field.column in self._keys]
        with connection.cursor() as cursor:
            cursor.execute(self._update(tuple(fields)), [self._value(field, row) for field in (*fields, *keys)])
            if cursor.rowcount != 1:
                raise ObjectDoesNotExist(f"no such row: {row!r}")
        vars(row).pop(AS_READ, None)

    def _changed(self, row: M) -> list[Field[Any, Any]]:
        """Columns that are not as `Reading` read them, and those whose values may have changed inside; else all."""
        known: dict[str, Any] = vars(row).get(AS_READ, {})
        return [
            field
            for field in self._rest
            if (value := known.get(field.attname, UNKNOWN)) != getattr(row, field.attname)
            or isinstance(value, dict | list)
        ]

    @cached_property
    def _own(self) -> _Columns:
        return _Columns.of(self._model)

    @cached_property
    def _rest(self) -> list[Field[Any, Any]]:
        return [field for field in self._own.fields if field.column not in self._keys]

    @cached_property
    def _insert(self) -> str:
        names = ", ".join(f'"{field.column}"' for field in self._own.fields)
        return f'INSERT INTO "{self._own.table}" ({names}) VALUES ({", ".join(["%s"] * len(self._own.fields))})'

    def _update(self, fields: Sequence[Field[Any, Any]]) -> str:
        keys = [field.column for field in self._own.fields if field.column in self._keys]
        new = ", ".join(f'"{field.column}" = %s' for field in fields)
        which = " AND ".join(f'"{key}" = %s' for key in keys)
        return f'UPDATE "{self._own.table}" SET {new} WHERE {which}'

    @staticmethod
    def _value(field: Field[Any, Any], row: M) -> Any:
        return field.get_db_prep_save(getattr(row, field.attname), connection)


@dataclass(frozen=True)
class _Columns:
    """The columns of a model in its order, and what some values are converted by."""

    model: type[Model]
    table: str
    fields: tuple[Field[Any, Any], ...]
    names: tuple[str, ...]
    converted: tuple[tuple[int, Convert], ...]

    @classmethod
    def of(cls, model: type[Model]) -> _Columns:
        fields = tuple(model._meta.concrete_fields)
        converted = [(at, getattr(field, "from_db_value", None)) for at, field in enumerate(fields)]
        return cls(
            model,
            model._meta.db_table,
            fields,
            tuple(field.attname for field in fields),
            tuple((at, convert) for at, convert in converted if convert is not None),
        )

    def select(self, alias: str) -> str:
        return ", ".join(f'{alias}."{field.column}"' for field in self.fields)

    def instance(self, row: Sequence[Any]) -> Any:
        values = list(row)
        for at, convert in self.converted:
            if values[at] is not None:
                values[at] = convert(values[at], None, connection)
        one = self.model.from_db(DEFAULT_DB_ALIAS, self.names, values)
        vars(one)[AS_READ] = dict(zip(self.names, values, strict=True))
        return one
