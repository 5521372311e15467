"""Many small cases as one test, which costs less to collect and to report than a test for each of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def looped(names: str, cases: Iterable[Any] | Callable[..., Iterable[Any]]) -> Callable[[Callable[..., None]], Any]:
    """``pytest.mark.parametrize`` in one test: a failure names its case; no case may be skipped.

    names: of the arguments, with commas between; cases: a value for one name, a row for several, or a
    function that makes them when the test runs, of whichever of its other arguments it names. Fixtures
    are the same for all cases.
    """
    keys = [name.strip() for name in names.split(",")]

    def decorate(test: Callable[..., None]) -> Any:
        @functools.wraps(test)
        def whole(*instance: Any, **fixtures: Any) -> None:
            rows = list(_made(cases, fixtures) if callable(cases) else cases)
            assert rows, "there is no case"
            for row in rows:
                case = dict(zip(keys, row if len(keys) > 1 else (row,), strict=True))
                try:
                    test(*instance, **fixtures, **case)
                except pytest.skip.Exception as skipped:
                    raise AssertionError(f"a case was skipped: {case}") from skipped
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {case}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        whole.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return whole

    return decorate


def _made(cases: Callable[..., Iterable[Any]], arguments: dict[str, Any]) -> Iterable[Any]:
    return cases(**{name: arguments[name] for name in inspect.signature(cases).parameters})
