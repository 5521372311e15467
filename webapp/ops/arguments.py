"""Arguments that `up`, `demo` and `worker` share."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings

from webapp.ops.programs import Options


def add(parser: argparse.ArgumentParser) -> None:
    """Add host, port, workers and web processes."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0: all of this machine)")
    parser.add_argument("--port", type=_port, default=8000, help="port to listen on; the next free one if taken")
    add_workers(parser)
    parser.add_argument(
        "--serve-workers",
        default=settings.LAB_SERVE_WORKERS,
        metavar="ADDRESS",
        help="let workers of other machines in, by a password, at this address of a network that is to be trusted",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the number of workers."""
    parser.add_argument(
        "--workers", type=_workers, default=settings.LAB_WORKERS, help="processes that play experiments"
    )
    parser.add_argument("--web", type=_workers, default=settings.LAB_WEB_PROCESSES, help="processes that answer pages")


def options(values: dict[str, Any]) -> Options:
    """The parsed arguments."""
    return Options(
        host=values["host"],
        port=values["port"],
        workers=values["workers"],
        web=values["web"],
        serve_workers=values["serve_workers"],
    )


def _port(text: str) -> int:
    return _whole(text, 1, 65535)


def _workers(text: str) -> int:
    return _whole(text, 1, 256)


def _whole(text: str, low: int, high: int) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)
