"""Becomes another program that dies with its parent: ``python launch.py [options] -- command``.

A small script of its own, because code between fork and exec is unsafe in a threaded parent,
and because the kernel forgets the parent-death signal when a process changes its user.
Standard library only; run with ``python -S -E`` it costs some 15 ms.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pwd
import signal
import sys

PR_SET_PDEATHSIG = 1


def command(program: list[str], stop_signal: str, user: str = "", nice: int = 0) -> list[str]:
    """The command that starts `program` as a child of this process.

    stop_signal: name of the signal it gets when this process dies; user: account to run as
    (root only; empty: our own).
    """
    options = ["--parent", str(os.getpid()), "--signal", stop_signal, "--nice", str(nice), "--user", user]
    return [sys.executable, "-S", "-E", os.path.abspath(__file__), *options, "--", *program]


def die_with_parent(signal_number: int, parent: int) -> None:
    """Ask Linux to send us this signal when the parent dies; exit if it is dead already."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:
        sys.exit("the parent process is gone")


def become(user: str) -> None:
    """Give up root for good."""
    account = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.environ.update(HOME="/", USER=user, LOGNAME=user)
    os.chdir("/")


def main() -> None:
    """Prepare this process and replace it by the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--signal", default="SIGTERM")
    parser.add_argument("--user", default="")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if arguments.nice:
        os.nice(arguments.nice)  # this process alone, not its session: see worker/niceness.py
    if arguments.user:
        become(arguments.user)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent(signal.Signals[arguments.signal], arguments.parent)
    try:
        os.execvp(arguments.command[0], arguments.command)
    except OSError as error:
        sys.exit(f"{arguments.command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
