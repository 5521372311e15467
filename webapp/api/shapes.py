"""Schemas whose fields stand elsewhere: they are those of a dataclass, explained by the texts it is annotated with."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection
from dataclasses import MISSING, fields
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ninja import Schema
from pydantic import Field, create_model

S = TypeVar("S", bound=Schema)
_schemas: dict[Any, type[Schema]] = {}
"""Schemas made so far, by dataclass."""


def shaped_like(shape: type, *, without: Collection[str] = ()) -> Callable[[type[S]], type[S]]:
    """Class decorator: the schema has the fields of a dataclass, in their order, but for those that it states itself.

    A dataclass among the types of its fields becomes the schema that was made for it before.
    """

    def decorate(schema: type[S]) -> type[S]:
        hints = get_type_hints(shape, include_extras=True)
        stated: dict[str, Any] = {name: (field.annotation, field) for name, field in schema.model_fields.items()}
        found: dict[str, Any] = {
            field.name: (_type_of(hints[field.name]), ... if field.default is MISSING else field.default)
            for field in fields(shape)
            if field.name not in without
        }
        about: dict[str, Any] = {"__base__": Schema, "__module__": schema.__module__, "__doc__": schema.__doc__}
        made: type[S] = create_model(schema.__name__, **about, **(found | stated))
        _schemas[shape] = made
        return made

    return decorate


def _type_of(hint: Any) -> Any:
    """A type of a dataclass's field as schemas have it."""
    if hint in _schemas:
        return _schemas[hint]
    origin, of = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[_type_of(of[0]), Field(description=of[1])]
    if origin is tuple:
        return list[_type_of(of[0])]  # type: ignore[misc]  # a type made here
    if origin in (Union, types.UnionType):
        return reduce(or_, map(_type_of, of))
    return hint
