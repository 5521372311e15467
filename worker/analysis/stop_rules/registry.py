"""All stop rules, and their JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import RuleError, StopRule
from worker.analysis.stop_rules.precision import Precision
from worker.analysis.stop_rules.sprt import Sprt

RULES: Mapping[str, type[FixedNumber | Precision | Sprt | BestOf]] = {
    kind.rule: kind for kind in (FixedNumber, Precision, Sprt, BestOf)
}


def from_json(data: Any) -> StopRule:
    """Read a rule: {"rule": its name} and its fields. Raises RuleError, which names the field."""
    if not isinstance(data, Mapping):
        raise RuleError("rule", f"must be an object with a rule, not {data!r}")
    name = data.get("rule")
    if not isinstance(name, str) or name not in RULES:
        raise RuleError("rule", f"must be one of {', '.join(RULES)}, not {name!r}")
    kind = RULES[name]
    given = {key: value for key, value in data.items() if key != "rule"}
    known = {field.name: field for field in fields(kind)}
    for key, value in given.items():
        if key not in known:
            raise RuleError(str(key), f"is no field of {name}, which has {', '.join(known) or 'none'}")
        is_text = known[key].type == "str"
        if is_text != isinstance(value, str) or not (is_text or _is_number(value)):
            raise RuleError(key, f"must be {'text' if is_text else 'a number'}, not {value!r}")
    for key, field in known.items():
        if key not in given and field.default is MISSING:
            raise RuleError(key, f"is missing; {name} needs it")
    make: Callable[..., StopRule] = kind
    return make(**{key: value if isinstance(value, str) else float(value) for key, value in given.items()})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
