"""An experiment, ladder or study of a lab: how far it is, what can be done with it, what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple_client.chart import Chart
from meeple_client.errors import WaitTimeoutError
from meeple_client.export import Rows
from meeple_client.progress import ProgressBar
from meeple_client.transport import Transport
from meeple_client.values import Json, Result, Share

if TYPE_CHECKING:
    import pyarrow as pa

PLURALS = {"experiment": "experiments", "ladder": "ladders", "study": "studies"}
POLL_S = 25.0
"""Seconds for which the lab keeps a request that waits for news."""
OVER = ("finished", "stopped")

Watcher = Callable[["Job"], None]


class Job:
    """A job as it was when the lab last told of it: `refresh` and `wait` ask again, and so does all that changes it."""

    def __init__(self, transport: Transport, data: Json) -> None:
        self.transport, self.data = transport, data

    def __repr__(self) -> str:
        return f"<{self.kind} {self.number} {self.title!r}: {self.status}, {self.ended} of {self.total}>"

    # ---- how far it is

    @property
    def number(self) -> int:
        """The number in the address of its page."""
        return int(self.data["number"])

    @property
    def kind(self) -> str:
        """Experiment, ladder or study."""
        return str(self.data["kind"])

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.data["title"])

    @property
    def game(self) -> str:
        """Id of the game."""
        return str(self.data["game"])

    @property
    def status(self) -> str:
        """One of running, paused, stopped, finished; a running one may wait for its turn (`waits_for`)."""
        return str(self.data["status"])

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played."""
        return self.status in OVER

    @property
    def total(self) -> int:
        """Matches or pieces that are planned; a stop rule may need fewer."""
        return int(self.data["total"])

    @property
    def ended(self) -> int:
        """Matches or pieces that have ended."""
        return int(self.data["ended"])

    @property
    def failed(self) -> int:
        """Those among them without a result."""
        return int(self.data.get("failed") or 0)

    @property
    def waits_for(self) -> str:
        """What it waits for, as a sentence; empty where it waits for nothing."""
        return str((self.data.get("waits_for") or {}).get("words", ""))

    @property
    def left_s(self) -> float | None:
        """Seconds that it will take at the present rate, about; None while nobody knows."""
        left = self.data.get("left_s")
        return None if left is None else float(left[1])

    @property
    def page(self) -> str:
        """Address of its page."""
        return f"{self.transport.url}{self.data['page']}"

    @property
    def shared(self) -> Share | None:
        """Where anybody sees it; None where nobody else does."""
        return self._share(self.data["share"])

    def refresh(self) -> Job:
        """Ask how far it is."""
        return self._now(self._ask("GET"))

    def follow(self) -> Iterator[Job]:
        """Yield it now, and whenever there is news, until it is over. A lost connection is taken up again."""
        self.refresh()
        yield self
        while not self.is_over:
            self._now(self._ask("GET", wait=POLL_S, version=self.data["version"]))
            yield self

    def wait(self, progress: bool | Watcher = True, timeout_s: float | None = None) -> Job:
        """Return when it is over. Raises WaitTimeoutError after `timeout_s`; the job goes on.

        progress: draw a bar, or what is called with it at all news.
        """
        ends_at = None if timeout_s is None else time.monotonic() + timeout_s
        watch = ProgressBar() if progress is True else progress or (lambda job: None)
        self.refresh()
        watch(self)
        while not self.is_over:
            left = POLL_S if ends_at is None else min(POLL_S, ends_at - time.monotonic())
            if left <= 0:
                raise WaitTimeoutError(f"{self.kind} {self.number} is not over after {timeout_s:g} s; it goes on.")
            self._now(self._ask("GET", wait=left, version=self.data["version"]))
            watch(self)
        return self

    # ---- what can be done with it

    def pause(self) -> Job:
        """Hold it after what is being played."""
        return self._now(self._ask("POST", "/pause"))

    def resume(self) -> Job:
        """Go on where it was held or stopped."""
        return self._now(self._ask("POST", "/resume"))

    def stop(self) -> Job:
        """End it with what has been played."""
        return self._now(self._ask("POST", "/stop"))

    def archive(self) -> Job:
        """Put it out of sight; nothing is lost."""
        return self._now(self._ask("POST", "/archive"))

    def delete(self) -> None:
        """Delete it for good. The lab refuses while it runs, and where it was ever shared."""
        self._ask("DELETE")

    def share(self) -> Share:
        """Give it a public address, or say which one it has. What was shared once can never be deleted."""
        found = self._share(self._ask("PUT", "/share"))
        assert found is not None
        self.refresh()
        return found

    def unshare(self) -> None:
        """Close the public address."""
        self._ask("DELETE", "/share")
        self.refresh()

    # ---- what came out

    def spec(self) -> Json:
        """What it was started with, complete."""
        found: Json = self._ask("GET", "/spec")
        return found

    def result(self) -> Result:
        """Every number of its page at this moment."""
        return Result(self._ask("GET", "/result"))

    def charts(self) -> dict[str, str]:
        """Charts that there are: id and title."""
        return {row["id"]: row["title"] for row in self._ask("GET", "/charts")["charts"]}

    def chart(self, chart_id: str) -> Chart:
        """One of them."""
        return Chart(self._ask("GET", f"/charts/{chart_id}"))

    def trace(self, match: int) -> Json:
        """All that happened in a match, luck included; `meeple replay` checks it."""
        found: Json = self._ask("GET", f"/matches/{match}/trace")
        return found

    def matches(self) -> pa.Table:
        """Its matches as a table of Arrow, a row a seat (of a study its pieces); `.to_pandas()` makes a data frame.

        Needs pyarrow.
        """
        return self._rows(self._table).table()

    def plies(self) -> pa.Table:
        """A row for each action, with what its engine thought of it. Needs pyarrow."""
        return self._rows("plies").table()

    def export(self, path: str | Path, table: str = "") -> Path:
        """Write its matches (or ``plies``, ``metrics``) to a file: .csv, .jsonl or .parquet.

        What has come of a file is kept beside it, so that a program which is started again goes on there.
        """
        return self._rows(table or self._table).write(Path(path))

    # ----

    @property
    def place(self) -> str:
        """Its address in the API."""
        return f"/{PLURALS[self.kind]}/{self.number}"

    @property
    def _table(self) -> str:
        return "rows" if self.kind == "study" else "matches"

    def _rows(self, table: str) -> Rows:
        return Rows(self.transport, self.place, table, self.refresh().is_over)

    def _ask(self, method: str, part: str = "", **query: Any) -> Any:
        return self.transport.ask(method, f"{self.place}{part}", **query)

    def _now(self, data: Json) -> Job:
        self.data = data
        return self

    def _share(self, data: Json | None) -> Share | None:
        if data is None:
            return None
        return Share(data["slug"], *(f"{self.transport.url}{data[name]}" for name in ("page", "result")))
