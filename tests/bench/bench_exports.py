"""What a web process keeps of the exports that it has sent: its memory (PSS) before, and after each few.

    .venv/bin/python -m tests.bench.bench_exports [--matches N] [--exports N] [--format ID]

A lab of its own with one web process and an experiment as that of `bench_archive`; all plies are exported. Linux.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench import serving
from tests.bench.bench_archive import fill
from webapp.lab.results.files import FORMATS

ROUNDS = 3


@dataclass(frozen=True)
class Look:
    """A look at the web process: its memory and what it has sent, in megabytes; CPU seconds of an export."""

    moment: str
    memory: float
    sent: float = 0.0
    cpu_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.memory:8.1f} MB  {self.moment}, {self.sent:,.0f} MB sent, {self.cpu_s:.2f} CPU s each"


def measure(matches: int, exports: int, format_id: str) -> Iterator[Look]:
    """Look after a page, and after each few exports."""
    with serving.ServedLab() as lab:
        made, sent = fill("carcassonne", matches), 0
        with lab.client(made.owner) as client:
            client.get("/experiments/").raise_for_status()
            yield Look("after a page", lab.web_memory_mb())
            began = lab.web_cpu_s()
            for number in range(1, ROUNDS * exports + 1):
                with client.stream("GET", f"/experiments/{made.pk}/export/plies.{format_id}") as response:
                    response.raise_for_status()
                    sent += sum(len(block) for block in response.iter_raw())
                if number % exports == 0:
                    cpu_s = (lab.web_cpu_s() - began) / number
                    yield Look(f"after {number} exports", lab.web_memory_mb(), sent / 2**20, cpu_s)


def main() -> None:
    """Print a line for each moment."""
    serving.refuse_windows()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=3_000)
    parser.add_argument("--exports", type=int, default=5)
    parser.add_argument("--format", choices=FORMATS, default="parquet")
    given = parser.parse_args()
    for look in measure(given.matches, given.exports, given.format):
        print(look, flush=True)


if __name__ == "__main__":
    main()
