#!/usr/bin/env python
"""The command `meeple`: every command line of the project under one name, each where it has always been.

It chooses by the first word and hands on the rest. What a word needs is imported when it is called: the commands of
the client run where numba is not installed, those of games and engines where Django is not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

WORKER, ENGINES, GAMES, CLIENT = "worker.__main__", "engines.__main__", "games.__main__", "meeple_client.__main__"
COMMANDS = {
    "run": (WORKER, "play an experiment on this machine"),
    "stronger": (WORKER, "did this commit make an engine stronger? The exit status says"),
    "plan": (WORKER, "what an experiment will show and cost"),
    "costs": (WORKER, "measure what plies, actions and playouts of a game take, for estimates"),
    "counts": (WORKER, "counts by round or ply in place of seconds"),
    "ladder": (WORKER, "rate engines by matches with each other"),
    "study": (WORKER, "do a study"),
    "preset": (WORKER, "rebuild a published table beside what was printed"),
    "strength": (WORKER, "measure how strong engines are, and keep it"),
    "snapshot": (WORKER, "verify a frozen snapshot of a shared result"),
    "stats": (WORKER, "rates, differences, sequential tests and ladders from files"),
    "openings": (WORKER, "measure pairs of engines to begin with"),
    "own": (ENGINES, "try an engine of your own"),
    "levels": (ENGINES, "levels of a game, with their engines"),
    "bench": (ENGINES, "speed of an engine"),
    "replay": (ENGINES, "replay traces and compare every ply"),
    "warm": (ENGINES, "compile kernels ahead of their first use"),
    "submit": (CLIENT, "start an experiment, ladder or study on a lab elsewhere"),
    "watch": (CLIENT, "follow one to its end"),
    "result": (CLIENT, "every number of one, as JSON"),
    "export": (CLIENT, "its matches as a file"),
}
"""Word -> the command line that has it, and what it does."""
ROOMS = {
    "games": (GAMES, "all commands of games: list, replay, bench, …"),
    "engines": (ENGINES, "all commands of engines: list, own, levels, …"),
}
LAB = {
    "up": "start everything: Postgres, Valkey, workers, pages",
    "demo": "the same with a small shared experiment",
    "backup": "write the whole lab into one file",
    "restore": "put such a file in the place of the lab",
    "token": "make a token for scripts, and the account it speaks for",
    "verify": "play matches of the lab again",
    "manage": "any other command of the lab",
}
"""Commands of the lab itself (extra: server)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return what the called one returns."""
    word, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if word in ("-h", "--help", "help"):
        print(usage())
        return 0
    if word in ("-V", "--version"):
        from worker import code_version

        print(f"meeple-lab {code_version.lab_version()}, {code_version.here()}")
        return 0
    if word in ROOMS:
        return _call(ROOMS[word][0], rest, f"meeple {word}")
    if word in COMMANDS:
        return _call(COMMANDS[word][0], [word, *rest], "meeple")
    if word in LAB:
        return _manage(rest if word == "manage" else [word, *rest])
    print(f"error: there is no command {word!r}; meeple --help lists them", file=sys.stderr)
    return 2


def usage() -> str:
    """All commands, a line each."""
    blocks = (
        ("On this machine, without a server:", {word: what for word, (at, what) in COMMANDS.items() if at != CLIENT}),
        ("", {word: what for word, (_, what) in ROOMS.items()}),
        ("With a lab elsewhere:", {word: what for word, (at, what) in COMMANDS.items() if at == CLIENT}),
        ("A lab here:", LAB),
    )
    lines = ["usage: meeple COMMAND …        meeple COMMAND --help says more        meeple --version"]
    for title, words in blocks:
        lines += ["", title] if title else []
        lines += [f"  {word:<9} {what}" for word, what in words.items()]
    return "\n".join(lines)


def _call(module: str, arguments: list[str], prog: str) -> int:
    """Hand on to a command line. What is not installed is named with the extra that has it."""
    try:
        called = import_module(module)
    except ModuleNotFoundError as error:
        return _missing(error, "client" if module == CLIENT else "")
    return int(called.main(arguments, prog=prog))


def _manage(arguments: list[str]) -> int:
    """A command of the lab itself."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    try:
        management = import_module("django.core.management")
    except ModuleNotFoundError as error:
        return _missing(error, "server")
    management.execute_from_command_line(["meeple", *arguments])
    return 0


def _missing(error: ModuleNotFoundError, extra: str) -> int:
    what = f"meeple-lab[{extra}]" if extra else "meeple-lab"
    print(f"error: {error.name} is not installed: pip install '{what}'", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
