"""Which module shows a kind of study."""

from __future__ import annotations

from importlib import import_module

import pytest

from webapp.lab.studies.presentations import registry
from worker.studies import registry as study_registry


def test_no_kind_has_the_name_of_a_module_of_the_frame() -> None:
    assert not {"plain", "registry", "section"} & set(study_registry.ids())


@pytest.mark.parametrize("kind", study_registry.ids())
def test_what_shows_a_kind_has_sections(kind: str) -> None:
    module = import_module(registry.PRESENTATIONS.get(kind, registry.PLAIN))
    assert callable(module.sections)
    assert module.__doc__
