"""The skeletons of ``docs/adding.md`` keep the contracts, and every file that it names is there."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engines import registry as engine_registry
from tests.engines import test_contract as engine_contract
from tests.webapp.lab.results import factory
from tests.webapp.lab.results import test_charts as chart_contract
from tests.worker.studies import test_contract as study_contract
from webapp.lab.results.charts import registry as chart_registry
from worker import estimate
from worker import spec as specs
from worker.presets import papers
from worker.presets.comparison import NO_NUMBER, compare
from worker.presets.numbers import Numbers
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "adding.md").read_text()
ROOMS = ("games", "engines", "worker", "webapp", "tests", "docs")


def block(title: str, language: str) -> str:
    """The block of code under a title."""
    section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    (found,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(found)


@pytest.fixture
def skeleton(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ModuleType]:
    """The skeleton under a title, as a module."""
    path = tmp_path / "skeleton_of_the_guide.py"
    path.write_text(block(request.param, "python"))
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


def skeleton_of(title: str) -> Any:
    return pytest.mark.parametrize("skeleton", [title], indirect=True, ids=[title])


def test_every_file_that_the_guide_names_is_there() -> None:
    named = {name for name in re.findall(r"`([\w/.]+)`", TEXT) if name.startswith(tuple(f"{room}/" for room in ROOMS))}
    assert len(named) > 15
    written = {"games/four_winds/", "tests/games/four_winds/", "tests/games/four_winds/reference.py"}
    assert {name for name in named - written if not (ROOT / name).exists()} == set()


@skeleton_of("An engine")
def test_the_engine_keeps_its_contract(skeleton: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine_registry.ENGINES, "edge", f"{skeleton.__name__}:Edge")
    engine_contract.check_on("edge", "toy")
    engine_contract.check_description("edge")


@pytest.mark.django_db
@skeleton_of("A chart")
def test_the_chart_is_drawn(skeleton: Any, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(chart_registry.CHARTS, "draws", f"{skeleton.__name__}:CHART")
    chart = chart_registry.get("draws")
    assert chart.build(factory.experiment(alice), 0).empty
    figure = chart.build(factory.played(alice, deals=2), 0)
    chart_contract.check_whole(figure)
    assert chart.has_means
    assert figure.columns[-1].label == "95\u202f% interval"


@skeleton_of("A statistic")
def test_the_statistic_counts(skeleton: Any) -> None:
    assert skeleton.cohens_h(0.75, 0.25) == pytest.approx(3.14159265 / 3)  # angles of 60 and 30 degrees, doubled
    with pytest.raises(ValueError, match=r"1\.5"):
        skeleton.cohens_h(1.5, 0.5)


@skeleton_of("A study")
def test_the_study_keeps_its_contract(skeleton: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(study_registry.STUDIES, "choices", f"{skeleton.__name__}:Choices")
    study_contract.test_a_kind_describes_itself("choices")
    for name, promise in vars(study_contract).items():
        if name.startswith("test_") and list(inspect.signature(promise).parameters) == ["kind"]:
            promise(study_registry.get("choices"))
    spec = study_specs.from_json({"version": 1, "study": "choices", "game": "kingdomino", "parameters": {"matches": 1}})
    row = study_registry.get("choices").piece(spec, 0)
    assert study_registry.get("choices").result(spec, {0: row})["plies"] == len(row["counts"]) == 28


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Published figures are those of the guide alone."""
    file = tmp_path / "published_results.json"
    file.write_text(block("A preset", "json"))
    with monkeypatch.context() as patch:
        patch.setattr(papers, "FILE", file)
        _forget_published()
        yield
    _forget_published()


def _forget_published() -> None:
    papers._data.cache_clear()
    papers.results.cache_clear()


@skeleton_of("A preset")
def test_the_preset_can_be_started(printed: None, skeleton: Any) -> None:
    (preset,) = skeleton.presets()
    for name, limit_s in (("quick", 180), ("standard", 720), ("published", None)):
        spec = specs.from_json(preset.scales[name].spec)
        assert limit_s is None or estimate.estimate(spec, 2).seconds <= limit_s
    assert [row.verdict for row in compare(preset, Numbers()).rows] == [NO_NUMBER]
