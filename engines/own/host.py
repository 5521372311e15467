"""The process of an engine of one's own: loads its code, and decides as often as it is asked.

``python -P -m engines.own.host FD`` speaks over one connection (`engines.own.wire`) and ends with it. What the code
prints goes to the standard error.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import os
import random
import resource
import sys
import time
import traceback
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from engines.own import description, wire
from engines.own.faults import SourceError
from engines.own.position import Position, prepare
from engines.own.process import most_seconds
from engines.own.sources import content_hash, hash_of
from engines.protocol import Decision, Table
from games import registry
from games.protocol import Actions, Game

MAX_MESSAGE = 400
LONGEST_S = 2400.0
"""Most CPU seconds of a decision, where no budget has more."""
MOST = {"playouts": 2**63 - 1, "nodes": 2**63 - 1, "depth": 2**15 - 1}
"""The largest counts of a decision that records can hold."""


class Host:
    """The code of one source, and the engine made of it for the seat that it serves."""

    def __init__(self) -> None:
        self.cls: type = object
        self.folder = ""
        self.sees = ""
        self.game: Game | None = None
        self.engine: Any = None

    def answer(self, message: bytes) -> bytes:
        """The answer to a message. Raises what the code raises."""
        kind = message[:1]
        if kind == wire.ASK:
            return self.decide(wire.question_of(message))
        data = wire.data_of(message)
        if kind == wire.LOAD:
            return wire.document(wire.DONE, self.load(data))
        self.open(data)
        return wire.document(wire.DONE)

    def load(self, data: dict[str, Any]) -> dict[str, Any]:
        """Load a source within its limits; return its version and description. Raises SourceError."""
        _limit(resource.RLIMIT_AS, data["memory"])
        _limit(resource.RLIMIT_CORE, 0)
        path = Path(data["path"])
        self.folder = str(path.parent if path.is_file() else path)
        module, version = _loaded(path, data["name"], data["module"])
        self.cls = getattr(module, data["attribute"], None) or object
        if self.cls is object:
            raise SourceError(f"{path.name} has no class {data['attribute']}")
        described = description.describe(self.cls, data["name"])
        self.sees = described["sees"]
        return {"version": version, "description": described}

    def open(self, data: dict[str, Any]) -> None:
        """Make an engine for a game in place of the one before, with the rules loaded."""
        self.game = registry.get(data["game"])
        prepare(self.game, bool(getattr(self.cls, "needs_journal", False)))
        takes_options = getattr(self.cls, "options_class", None) is not None
        self.engine = self.cls(description.options_of(self.cls)(**data["options"])) if takes_options else self.cls()

    def decide(self, asked: wire.Question) -> bytes:
        """Let the engine decide; its time is all CPU time meanwhile, of further threads, too."""
        assert self.game is not None
        seed = asked.words[0]
        random.seed(seed)
        np.random.seed(seed & 0xFFFFFFFF)
        hides = self.game.traits.has_hidden_information
        position = Position(self.game, asked.view, asked.seat, seed, is_view=hides)
        shown: Any = position
        if self.sees == "observation":
            legal = [{"id": int(action), "notation": position.notation(int(action))} for action in position.legal()]
            shown = position.observation() | {"seat": asked.seat, "seed": seed, "actions": legal}
        began, all_began = time.thread_time(), time.process_time()
        _limit_cpu(all_began, asked)
        chosen = self.engine.choose(shown, asked.budget)
        # under a limit of CPU time the clock of a process goes in steps; that of a thread does not
        cpu_s = max(time.thread_time() - began, time.process_time() - all_began)
        return wire.answer(_decision(chosen, position.legal()), cpu_s)

    def words(self, error: BaseException) -> str:
        """What was raised, and in which line of the author's files."""
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(self.folder)
        ]
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if self.folder and frames else ""
        return f"{type(error).__name__}: {error}"[:MAX_MESSAGE] + where


def _decision(chosen: Any, legal: Actions) -> Decision:
    """What `choose` returned, as a decision that can be sent and recorded. Raises TypeError, ValueError."""
    decision = chosen if isinstance(chosen, Decision) else Decision(chosen)
    try:
        action = operator.index(decision.action)
    except TypeError:
        raise TypeError(f"choose must return an action or a Decision, not {decision.action!r}") from None
    if not -(2**63) <= action < 2**63:
        raise ValueError(f"{action} is no action")
    playouts, nodes, depth = (_count(name, getattr(decision, name), most) for name, most in MOST.items())
    if decision.table is not None:
        _check_table(decision.table, legal)
    return dataclasses.replace(decision, action=action, playouts=playouts, nodes=nodes, depth=depth)


def _check_table(table: Any, legal: Actions) -> None:
    if not isinstance(table, Table):
        raise TypeError(f"table of a Decision must be a Table, not {table!r}")
    shapes = {np.shape(column) for column in (table.actions, table.values, table.visits, table.deviations)}
    if shapes != {(len(table.actions),)}:
        raise ValueError("actions, values, visits and deviations of a Table must be of one length")
    if not np.isin(table.actions, legal).all():
        raise ValueError("actions of a Table must be legal")


def _count(name: str, number: Any, most: int) -> int:
    try:
        count = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} of a Decision must be a whole number, not {number!r}") from None
    if not 0 <= count <= most:
        raise ValueError(f"{name} of a Decision must be from 0 to {most}, not {count}")
    return count


def _loaded(path: Path, name: str, module: str) -> tuple[ModuleType, str]:
    """The module of a source, and the hash of what was loaded. A file is executed as it was read for its hash."""
    sys.path.append(str(path.parent))
    if module:
        version = content_hash(path)
        return import_module(module), version
    if path.is_dir():
        version = content_hash(path)
        spec = spec_from_file_location(name, path / "__init__.py", submodule_search_locations=[str(path)])
    else:
        name = f"own_{name}"  # a file may be called as a module of Python's own is
        spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    sys.modules[name] = made
    if path.is_dir():
        spec.loader.exec_module(made)
        return made, version
    content = path.read_bytes()
    exec(compile(content, str(path), "exec"), vars(made))
    return made, hash_of(content)


def _limit(kind: int, most: int) -> None:
    """Set a limit of this process, as far as the system lets it be set."""
    hard = resource.getrlimit(kind)[1]
    try:
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (ValueError, OSError):  # macOS refuses a limit of addresses
        return


def _limit_cpu(used_s: float, asked: wire.Question) -> None:
    """End this process where a decision takes more CPU time than all cores have while the lab waits.

    So a process that loops ends by itself where its lab has died and nobody else ends it.
    """
    seconds = [s for s in (asked.budget.seconds_per_ply, asked.budget.seconds_per_match) if s is not None]
    waited_for = most_seconds(asked.budget) * (os.cpu_count() or 1)
    _limit(resource.RLIMIT_CPU, math.ceil(used_s + min(waited_for, max([LONGEST_S, *(4 * s for s in seconds)]))))


def main() -> None:
    """Answer until the connection ends."""
    channel = Connection(int(sys.argv[1]))
    os.register_at_fork(after_in_child=channel.close)  # what the code forks gives no answers
    os.dup2(2, 1)
    host = Host()
    while True:
        try:
            message = channel.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            reply = host.answer(message)
        except Exception as error:
            reply = wire.document(wire.FAULT, host.words(error))
        try:
            channel.send_bytes(reply)
        except OSError:  # nobody waits for it any more
            return


if __name__ == "__main__":
    main()
