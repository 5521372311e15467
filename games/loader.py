"""Executes kernel templates: one ordinary source file per algorithm, compiled once per game.

A template uses names that it does not define (`kernel`, `rng`, `bits`, `R`, `JOURNAL`, ...);
the loader executes it in a module of its own with these injected. `kernel` appends the
variant's tag to the function's qualified name before ``njit(cache=True)``, because numba's
cache key knows neither the module nor what was injected. Kernels count no references to the
arrays they pass on, which took half of the time of a ply; one that makes an array must be an
`allocating_kernel` (else numba says "Only accept returning of array passed into the function").
An `inlined_kernel` becomes part of its callers: for the few on every path, since a call passes
seven numbers for each array.
Each (game, algorithm) has a cache folder whose name hashes everything that its machine code
depends on, because numba does not notice edits in another file. It holds a copy of the template,
which is what is executed: numba keys by path and time of a source file, and clones share folders.
A cold folder is compiled by one process while others wait, or do other work (`compile_locks`).
"""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from games import compile_locks, numba_alone

FRAME = Path(__file__).parent
JOURNAL_WORDS = 1 << 16
"""Length of a write journal that holds the longest ply of any game, many times over."""
KERNELS = FRAME / "kernels"
TEMPLATES = ("kernels", "search/kernels", "belief/kernels")
"""Folders of a game's templates: its rules, and what searches and beliefs of its own build on them."""
MODES = ("jit", "checked", "plain")
"""Compiled; compiled with bounds checks (tests); undecorated Python (debugger, coverage)."""
_only_warm: ContextVar[bool] = ContextVar("only_warm", default=False)
_keeping_in_folders = threading.Lock()
"""Held while numba is told where a kernel's machine code is kept, which it reads from one setting of the process."""


class ColdError(RuntimeError):
    """Kernels that are not compiled yet, asked for by code that does not wait for them."""


def cache_root() -> Path:
    """Folder of all compiled kernels: LAB_KERNELS, else ``meeple-lab/kernels`` among the user's caches.

    Clones and data folders of one user share it: a name in it says all that its machine code depends on.
    """
    given = os.environ.get("LAB_KERNELS")
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(given) if given else Path(caches) / "meeple-lab" / "kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return _private_temporary_folder()


@cache
def _private_temporary_folder() -> Path:
    """A folder that nobody else can write to: cached machine code is executed as it lies there."""
    folder = Path(tempfile.gettempdir()) / f"meeple-lab-kernels-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022:
        return folder
    return Path(tempfile.mkdtemp(prefix="meeple-lab-kernels-"))


@cache
def _fingerprint(folder: Path) -> str:
    """Hash of what kernels can depend on: a game's own modules, templates and data; of the frame the loader, too."""
    digest = hashlib.sha256()
    of_game = ("*.py", "data/*.json", *(f"{room}/*.py" for room in TEMPLATES))
    patterns = ("loader.py", "inner_kernels.py", "natural_indices.py", "kernels/*.py") if folder == FRAME else of_game
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def _toolchain() -> str:
    import llvmlite
    import numpy
    from llvmlite import binding

    numba = numba_alone.load()

    cpu = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    options = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"]
    parts = [sys.version, platform.machine(), numba.__version__, llvmlite.__version__, numpy.__version__, cpu, *options]
    return "|".join(parts)


def _folder(template: Path, game_folder: Path, tag: str) -> Path:
    """Where a variant lies. numba finds machine code by its path alone: of a copied folder nothing counts as there."""
    root = cache_root()
    parts = [_toolchain(), _fingerprint(FRAME), _fingerprint(game_folder), template.read_text(), tag, str(root)]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return root / f"{tag}-{digest[:16]}"


def _decorators(mode: str, tag: str, folder: Path | None) -> dict[str, Callable[[Any], Any]]:
    """The kinds of `kernel` of one variant; without a folder, those of plain Python."""
    kinds: dict[str, dict[str, bool]] = {
        "kernel": {"_nrt": False},
        "inlined_kernel": {"_nrt": False, "forceinline": True},
        "allocating_kernel": {"_nrt": True},
    }
    if folder is None:
        return dict.fromkeys(kinds, lambda function: function)
    numba = numba_alone.load()
    from games.inner_kernels import InnerCompiler, KernelCompiler

    config: Any = numba.config
    njit: Any = numba.njit

    def compiled(function: Any, **kind: bool) -> Any:
        function.__qualname__ += f"__{tag}"
        options = {"cache": True, "nogil": True, "boundscheck": mode == "checked", "no_cfunc_wrapper": True, **kind}
        with _keeping_in_folders:
            before = config.CACHE_DIR
            try:
                config.CACHE_DIR = str(folder)
                entry = njit(pipeline_class=KernelCompiler, **options)(function)
                config.CACHE_DIR = str(folder / "inner")
                inner = njit(no_cpython_wrapper=True, pipeline_class=InnerCompiler, **options)(function)
            finally:
                config.CACHE_DIR = before
        return _called_from_kernels(entry, inner)

    return {name: partial(compiled, **kind) for name, kind in kinds.items()}


def _called_from_kernels(entry: Any, inner: Any) -> Any:
    """Let kernels call `inner` where they name `entry`, pass a constant as its type, and a word of a state as an int64.

    What only kernels call is so compiled without the wrapper that unpacks arguments from Python, which takes
    a quarter of all compiling, and without machine code of its own (`inner_kernels`), which took a third of the rest.
    By itself numba compiles a variant for every constant passed, and one for each size of a number.
    """
    from numba.core import types

    resolve, unliteral = inner.get_call_template, cast(Any, types.unliteral)

    def passed(arg: Any) -> Any:
        kind = unliteral(arg)
        return types.int64 if kind == types.int32 else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return resolve([passed(arg) for arg in args], {name: passed(arg) for name, arg in kws.items()})

    entry.get_call_template = get_call_template
    entry.get_overload = inner.get_overload
    entry.inner = inner
    entry._compiling_counter = inner._compiling_counter  # a kernel that calls itself finds itself by it
    return entry


def _kept_copy(template: Path, folder: Path) -> Path:
    """A copy of a template in its cache folder, of the same path and time for whichever clone asks."""
    copy = folder / template.name
    if not copy.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(template.read_bytes())
        os.utime(file.name, (0, 0))
        os.replace(file.name, copy)
    return copy


def _execute(template: Path, tag: str, injected: Mapping[str, Any]) -> ModuleType:
    name = f"{template.stem}__{tag}"
    spec = spec_from_file_location(name, template)
    assert isinstance(spec, ModuleSpec)
    assert spec.loader is not None
    module = module_from_spec(spec)
    vars(module).update(injected)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def template(
    path: Path, game_folder: Path, tag: str, mode: str = "jit", injected: tuple[tuple[str, Any], ...] = ()
) -> ModuleType:
    """Execute one template for one variant; the same arguments give the same module.

    tag: names game, algorithm and every injected constant; injected: (name, value) pairs.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    full_tag = f"{tag}_{mode}"
    names = dict(injected)
    if mode == "plain":
        return _execute(path, full_tag, {**_decorators(mode, full_tag, None), **names})
    folder = _folder(path, game_folder, full_tag)
    module = _execute(_kept_copy(path, folder), full_tag, {**_decorators(mode, full_tag, folder), **names})
    module.CACHE_FOLDER = folder  # type: ignore[attr-defined]
    return module


@cache
def frame(mode: str = "jit", journal: bool = False) -> tuple[tuple[str, Any], ...]:
    """The names every rules template gets: rng, bits, journal and JOURNAL."""
    if mode == "plain":
        from games import bits, rng

        rng_module: ModuleType = rng
        bits_module: ModuleType = bits
    else:
        rng_module = template(KERNELS / "rng_jit.py", FRAME, "frame_rng", mode)
        bits_module = template(KERNELS / "bits_jit.py", FRAME, "frame_bits", mode)
    flag = (("JOURNAL", journal),)
    journal_module = template(KERNELS / "journal.py", FRAME, f"frame_journal{int(journal)}", mode, flag)
    return (*flag, ("rng", rng_module), ("bits", bits_module), ("journal", journal_module))


def rules(game_folder: Path, journal: bool = False, mode: str = "jit") -> ModuleType:
    """Return the game's rules (`kernels/rules.py`), with the frame's `playout` as ``.playout``.

    So come the templates over them that their OVER_RULES names: ``.policies``, ``.evaluation``, ``.ordering``.
    Rules may be spread over several templates: ``part("name")`` in one gives the module of ``name.py`` in
    TEMPLATES, in the same variant. Parts of what stands over the rules get `R` too. However they are asked for,
    rules of one variant are one module.
    """
    return _rules(game_folder, journal, mode)


@cache
def _rules(game_folder: Path, journal: bool, mode: str) -> ModuleType:
    names = frame(mode, journal)

    def variant(name: str, *more: tuple[str, Any]) -> ModuleType:
        tag = f"{game_folder.name}_{name}_j{int(journal)}"
        path = next(path for room in TEMPLATES if (path := game_folder / room / f"{name}.py").exists())
        return template(path, game_folder, tag, mode, (*names, *more))

    def of_rules(name: str) -> ModuleType:
        return variant(name, ("part", of_rules))

    module = of_rules("rules")

    def over_rules(name: str) -> ModuleType:
        return variant(name, ("R", module), ("part", over_rules))

    for name in module.OVER_RULES:
        setattr(module, name, over_rules(name))
    tag = f"{game_folder.name}_playout_j{int(journal)}"
    module.playout = template(KERNELS / "playout.py", game_folder, tag, mode, (*names, ("R", module)))  # type: ignore[attr-defined]
    return module


@cache
def policy(game_folder: Path, name: str, journal: bool = False, mode: str = "jit") -> ModuleType:
    """Return a policy by itself, as the kernel `choose` of a module of its own: what it does not call is not compiled.

    It is that of the policies' ``BY_NUMBER``, which policies may share, else their ``choose``.
    """
    policies = rules(game_folder, journal, mode).policies
    kernels = getattr(policies, "BY_NUMBER", (policies.choose,) * len(policies.NAMES))
    chosen = kernels[policies.NAMES.index(name)]
    tag = f"{game_folder.name}_policy_{getattr(chosen, 'py_func', chosen).__name__}_j{int(journal)}"
    return template(KERNELS / "policy.py", game_folder, tag, mode, (*frame(mode, journal), ("CHOOSE", chosen)))


def algorithm(
    path: Path, game_folder: Path, journal: bool = False, mode: str = "jit", **constants: int | str | bool
) -> ModuleType:
    """Return an algorithm's kernels over one game's rules (`R`) with `constants` injected."""
    module = rules(game_folder, journal, mode)
    chosen = tuple(sorted(constants.items()))
    tag = "_".join([game_folder.name, path.stem, f"j{int(journal)}", *(f"{k}{v}" for k, v in chosen)])
    return template(path, game_folder, tag, mode, (*frame(mode, journal), ("R", module), *chosen))


@contextmanager
def only_warm() -> Iterator[None]:
    """Within it nothing is compiled or waited for: `ensure_loaded` raises ColdError instead."""
    token = _only_warm.set(True)
    try:
        yield
    finally:
        _only_warm.reset(token)


def ensure_loaded(module: ModuleType, exercise: Callable[[], object]) -> None:
    """Have the kernels of `module` compiled, by one process while others wait for it, and loaded into this one.

    exercise: calls every entry kernel of `module` with arguments of the real types; called once a process,
    since numba reads a kernel from its cache at the first call, and no clock of a match may run then.
    Raises ColdError within `only_warm` where it would have to compile, and what `compile_locks.compile_once` does.
    """
    folder: Path | None = getattr(module, "CACHE_FOLDER", None)
    if folder is None or getattr(module, "IS_LOADED", False):
        return
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / compile_locks.MARKER).exists():
        exercise()
    elif _only_warm.get():
        raise ColdError(folder.name)
    else:
        began = time.process_time()
        try:
            compile_locks.compile_once(folder, exercise)
        finally:
            _compiling.cpu_s += time.process_time() - began
    module.IS_LOADED = True  # type: ignore[attr-defined]


class _Compiling:
    """CPU seconds that this process has spent on compiling, or on waiting for it."""

    cpu_s = 0.0


_compiling = _Compiling()


def working_cpu_s() -> float:
    """CPU seconds that this process has spent on other things than compiling kernels."""
    return time.process_time() - _compiling.cpu_s
