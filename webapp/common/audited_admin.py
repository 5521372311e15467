"""The base of forms of the administration whose changes are kept, with the values before and after (`people.audit`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

MOST_LETTERS = 80
SECRET = ("password", "secret", "token")
"""Words in names of fields whose values are not written down."""


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Says of each change what it was before and is now."""

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, dict[str, Any]]]:
        """The changes as `LogEntry` keeps them."""
        message: list[dict[str, dict[str, Any]]] = []
        if add:
            message.append({"added": {}})
        elif form.changed_data:
            message.append({"changed": {"fields": _changes(form)}})
        for formset in formsets or ():
            message.extend(_of_rows(formset))
        return message

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[LogEntry]:
        """Log one after the other: many at once would tell no listener."""
        return [super(AuditedAdmin, self).log_deletions(request, queryset.filter(pk=row.pk))[0] for row in queryset]


def _of_rows(formset: Any) -> Iterator[dict[str, dict[str, Any]]]:
    """Rows in forms below the first one: new ones, too, with what they hold."""
    for row in formset.deleted_objects:
        yield {"deleted": _named(row)}
    changed = [row for row, _ in formset.changed_objects]
    for row in [*formset.new_objects, *changed]:
        form = next(form for form in formset.forms if form.instance == row)
        yield {"changed": {**_named(row), "fields": _changes(form)}}


def _named(row: Any) -> dict[str, Any]:
    return {"name": str(row._meta.verbose_name), "object": str(row)}


def _changes(form: ModelForm[Any]) -> list[str]:
    return [_change(form, name) for name in form.changed_data]


def _change(form: ModelForm[Any], name: str) -> str:
    field = form.fields[name]
    label = str(field.label or name)
    if any(word in name.lower() for word in SECRET):
        return label
    before = form.get_initial_for_field(field, name)
    return f"{label} ({_value(before)} → {_value(form.cleaned_data.get(name))})"


def _value(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict)):
        return ", ".join(map(str, value))[:MOST_LETTERS] or "nothing"
    return str(value)[:MOST_LETTERS]
