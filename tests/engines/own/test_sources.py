"""Which files and packages may play, under which names and versions."""

from __future__ import annotations

import json
import os
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from engines import registry
from engines.own import description, engine, sources
from engines.own.faults import SourceError
from engines.protocol import Budget, EngineFaultError
from games import loader
from games import registry as game_registry
from games.options import OptionError
from worker import spec as specs

CODE = '"""An engine."""\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that may play, where descriptions are kept apart."""
    found = tmp_path / "first_one.py"
    found.write_text(CODE)
    monkeypatch.setenv(sources.VARIABLE, str(found))
    monkeypatch.setattr(loader, "cache_root", lambda: tmp_path)
    return found


class Described:
    """A player that is only described."""

    options_class = description.options_class(
        [
            {"name": "depth", "default": 2, "label": "Depth", "help": "", "minimum": 1, "maximum": 9}
            | {"choices": [], "names": "", "where": None}
        ]
    )
    games = ("kingdomino",)
    budgets = ("nodes",)
    default_budget = {"nodes": 50}

    def choose(self, position: object, budget: Budget) -> int:
        return 0


def keep(tmp_path: Path, name: str, version: str) -> None:
    """What a version said of itself when its process was asked."""
    kept = tmp_path / "own-engines" / f"{name}-{version}.json"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(description.describe(Described, name)))


def test_nothing_may_play_that_is_not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    assert not registry.is_known("own:first_one")
    with pytest.raises(KeyError, match="allowed: none"):
        registry.complete_id("own:first_one")


def test_a_version_is_the_hash_of_what_it_consists_of(file: Path, tmp_path: Path) -> None:
    first = registry.complete_id("own:first_one")
    assert first == f"own:first_one@{sources.hash_of(CODE.encode())}"
    file.write_text(CODE + "#")
    assert registry.complete_id("own:first_one") != first
    folder = tmp_path / "several"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__init__.py").write_text(CODE)
    versions = {sources.from_text(str(folder)).version}
    for name, content in (("weights.bin", "1"), ("weights.bin", "22"), ("more.py", "")):
        (folder / name).write_text(content)
        versions.add(sources.from_text(str(folder)).version)
    assert len(versions) == 4
    (folder / "__pycache__" / "more.pyc").write_text("compiled")
    assert sources.from_text(str(folder)).version in versions


def test_sources_that_are_none_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a b.py").write_text(CODE)
    (tmp_path / "empty" / "first_one.py").write_text(CODE)
    for text, reason in (
        (str(tmp_path / "empty"), "without __init__.py"),
        (str(tmp_path / "gone.py"), "no Python file"),
        (str(tmp_path / "a b.py"), "no name of an engine"),
        ("package:nobody_has_it", "no installed package"),
    ):
        with pytest.raises(SourceError, match=reason):
            sources.from_text(text)
    with pytest.raises(SourceError, match="have the same name, 'first_one'"):
        sources.allow([str(tmp_path / "empty" / "first_one.py")])
    monkeypatch.setenv(sources.VARIABLE, f"{tmp_path / 'gone.py'},{file},{tmp_path / 'empty' / 'first_one.py'}")
    assert {name: source.path for name, source in sources.allowed().items()} == {"first_one": file}


def test_an_installed_package_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "their_players"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('executed')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("theirs", "their_players.best:Player", sources.GROUP)
    monkeypatch.setattr(sources, "entry_points", lambda group: [point])
    found = sources.from_text("package:theirs")
    assert (found.name, found.module, found.attribute) == ("theirs", "their_players.best", "Player")
    assert found.version == sources.content_hash(package)
    assert sources.installed() == ["package:theirs"]


def test_a_kept_description_is_an_engine_and_its_version_plays_only_where_its_code_is(
    file: Path, tmp_path: Path
) -> None:
    whole = registry.complete_id("own:first_one")
    keep(tmp_path, "first_one", sources.split(whole)[1])
    made = registry.make("own:first_one", {"depth": 3})
    assert (made.id, made.version, made.peeks) == (whole, sources.split(whole)[1], False)
    assert "kingdomino, not Carcassonne" in str(made.refuses(game_registry.get("carcassonne")))
    with pytest.raises(OptionError, match="between 1 and 9"):
        registry.make(whole, {"depth": 10})
    assert registry.absence(whole) == ""
    file.write_text(CODE + "# another version\n")
    assert registry.is_known(whole)
    assert "its source here is version" in registry.absence(whole)
    with pytest.raises(EngineFaultError, match="its source here is version") as caught:
        engine.present(whole)
    assert caught.value.kind == "absent_code"


def test_a_version_of_which_nothing_is_known_is_read_by_what_a_spec_says_of_it() -> None:
    seat = {"engine": "own:long_gone@0123456789abcdef", "options": {"depth": 3}, "budget": {"nodes": 5}}
    read = specs.seat_from_json(seat, (), "kingdomino")
    assert specs.seat_to_json(read) == seat
    assert specs.seat_from_json({**seat, "options": {"style": "bold"}}, (), "kingdomino").options["style"] == "bold"
    assert "no engine of one's own" in registry.absence(seat["engine"])
    for wrong in ({"options": {"a b": 1}}, {"options": {"class": 1}}, {"options": []}, {"budget": {"beer": 1}}):
        with pytest.raises(specs.SpecError):
            specs.seat_from_json({**seat, **wrong}, (), "kingdomino")
    for strange in ("own:", "own:@", "own:../x@0123456789abcdef", "own:x@../y", "own:x@"):
        with pytest.raises(specs.SpecError):
            specs.seat_from_json({"engine": strange}, (), "kingdomino")


def test_paths_are_allowed_for_processes_in_other_folders(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(sources.VARIABLE)
    monkeypatch.chdir(tmp_path)
    sources.allow(["first_one.py"])
    sources.allow(["first_one.py"])
    assert os.environ[sources.VARIABLE] == str(file)


def test_a_class_that_is_no_engine_says_what_it_lacks() -> None:
    def cls(**members: object) -> type:
        return type("Engine", (), {"choose": lambda self, position, budget: 0, **members})

    for wrong, reason in (
        (type("Engine", (), {}), "no method choose"),
        (cls(sees="everything"), "sees must be"),
        (cls(budgets=("playouts",)), "default_budget"),
        (cls(budgets=("beer",), default_budget={"beer": 1}), "budgets are some of"),
        (cls(options_class=int), "must be a dataclass"),
    ):
        with pytest.raises(SourceError, match=reason):
            description.describe(wrong, "x")
    plain = description.describe(cls(), "x")
    assert (plain["label"], plain["options"], plain["budgets"]) == ("x", [], [])
    assert description.describe(Described, "x")["options"][0]["maximum"] == 9
