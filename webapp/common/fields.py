"""Form fields for numbers as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms

SPACES = re.compile(r"[\s\u2009\u202f\u00a0_]")


def format_plain(value: float) -> str:
    """A number for a form: no trailing zeros, no exponent."""
    if isinstance(value, float) and not value.is_integer():
        return f"{Decimal(f'{value:.12g}'):f}"
    return str(int(value))


def format_spaced(value: float) -> str:
    """The same with thin spaces between thousands, to be read and not sent."""
    whole, point, part = format_plain(value).partition(".")
    return f"{int(whole):,}".replace(",", "\u202f") + point + part


def bounds_text(minimum: float | None, maximum: float | None) -> str:
    """Say in words what is allowed; empty when everything is."""
    if minimum is not None and maximum is not None:
        return f"{format_spaced(minimum)} to {format_spaced(maximum)}"
    if minimum is not None:
        return f"{format_spaced(minimum)} or more"
    return "" if maximum is None else f"at most {format_spaced(maximum)}"


def focus_first_error(form: forms.BaseForm) -> None:
    """Let the page open at the first field that needs a change, where there is one."""
    wrong = next((name for name in form.fields if name in form.errors), None)
    if wrong is not None:
        for name, field in form.fields.items():
            field.widget.attrs["autofocus"] = name == wrong


def offer(form: forms.BaseForm, name: str, choices: Iterable[Any]) -> None:
    """Let a field of the form have these choices, as `forms.ChoiceField` takes them."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


class NumberField(forms.Field):
    """A whole or decimal number; spaces between thousands are fine.

    The error says what is allowed and names a good value.
    """

    def __init__(
        self,
        *,
        whole: bool,
        minimum: float | None = None,
        maximum: float | None = None,
        example: float | None = None,
        above: bool = False,
        **kwargs: Any,
    ) -> None:
        """above: the minimum itself is not allowed."""
        attributes = {"inputmode": "numeric" if whole else "decimal", "class": "num", "autocomplete": "off"}
        kwargs.setdefault("widget", forms.TextInput(attrs=attributes))
        super().__init__(**kwargs)
        self.whole, self.minimum, self.maximum = whole, minimum, maximum
        self.example, self.above = example, above
        self.error_messages["required"] = self._advice()

    def _advice(self) -> str:
        allowed = bounds_text(self.minimum, self.maximum)
        if self.above:
            allowed = f"above {format_spaced(self.minimum or 0)}" + (
                f", at most {format_spaced(self.maximum)}" if self.maximum is not None else ""
            )
        kind = "a whole number" if self.whole else "a number"
        good = f" Try {format_plain(self.example)}." if self.example is not None else ""
        return f"Enter {kind}{', ' + allowed if allowed else ''}.{good}"

    def prepare_value(self, value: Any) -> Any:
        """Show numbers without a trailing ``.0``, and what was typed as it was typed."""
        return format_plain(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    def to_python(self, value: Any) -> int | float | None:
        """Parse; None for an empty field."""
        if value in self.empty_values:
            return None
        text = SPACES.sub("", str(value)).replace("\u2212", "-")
        try:
            number = int(text) if self.whole else float(text)
        except ValueError:
            raise forms.ValidationError(self._advice(), code="number") from None
        too_low = self.minimum is not None and (number <= self.minimum if self.above else number < self.minimum)
        too_high = self.maximum is not None and number > self.maximum
        if too_low or too_high or not math.isfinite(number):
            raise forms.ValidationError(self._advice(), code="bounds")
        return number
