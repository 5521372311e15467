"""A lab somewhere: what can be started there, and what it has."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from meeple_client.errors import LabError, ProblemError
from meeple_client.job import PLURALS, Job
from meeple_client.preset_run import PresetRun
from meeple_client.transport import PATIENCE_S, TIMEOUT_S, Transport
from meeple_client.values import Json, Plan, Result

JOBS_A_PAGE = 100
NOT_SHARED = {404: "No page is shared at {}. Has all of it been copied?", 410: "The shared page {} was withdrawn."}
"""What the status of a page that is not to be seen means."""


def kind_of(spec: Json) -> str:
    """What a spec starts: a study says so, a ladder holds entries, all else is an experiment."""
    return "study" if "study" in spec else "ladder" if "ladder" in spec else "experiment"


class Lab:
    """A lab, for the account that a token speaks for; without a token what anybody may see."""

    def __init__(self, url: str, token: str = "", timeout_s: float = TIMEOUT_S, patience_s: float = PATIENCE_S) -> None:
        self.transport = Transport(url, token, timeout_s, patience_s)

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Lab({self.transport.url!r})"

    def close(self) -> None:
        """Close all connections."""
        self.transport.close()

    def request(self, method: str, path: str, body: object = None, *, key: str = "", **query: Any) -> Any:
        """Any operation of the API, such as ``("POST", "/ladders/7/more", {"deals": 40})``; the JSON it answers."""
        return self.transport.ask(method, path, body, key=key, **query)

    # ---- jobs

    def plan(self, spec: Json) -> Plan:
        """What a spec would take. Nothing is started. Raises ProblemError with the place of what is wrong in it."""
        return Plan.of(self.request("POST", f"/{PLURALS[kind_of(spec)]}", {"spec": spec}, dry_run="true"))

    def submit(self, spec: Json, *, title: str = "", idempotency_key: str = "", confirm: str = "") -> Job:
        """Start an experiment, ladder or study.

        idempotency_key: your own name for this start: a program that is run again finds the same job.
        confirm: of the plan, where something so large has to be confirmed.
        """
        kind = kind_of(spec)
        body = {"spec": spec, "title": title, "confirm": confirm}
        return Job(self.transport, self.request("POST", f"/{PLURALS[kind]}", body, key=idempotency_key))

    def job(self, kind: str, number: int) -> Job:
        """An experiment, ladder or study by its number."""
        if kind not in PLURALS:
            raise ValueError(f"{kind!r} is none of {', '.join(PLURALS)}")
        return Job(self.transport, self.request("GET", f"/{PLURALS[kind]}/{number}"))

    def experiment(self, number: int) -> Job:
        """The experiment of this number."""
        return self.job("experiment", number)

    def jobs(self, kind: str = "experiment", which: str = "") -> Iterator[Job]:
        """Your own, newest first. which: running, finished or archived; else all that are not archived."""
        offset: int | None = 0
        while offset is not None:
            page = self.request("GET", f"/{PLURALS[kind]}", offset=offset, limit=JOBS_A_PAGE, which=which)
            yield from (self.job(kind, row["number"]) for row in page["jobs"])
            offset = page["next"]

    def shared(self, address: str) -> Result:
        """Every number of what somebody has shared, by the address of its page or the last part of that.

        An address of another lab is asked of that one, without the token.
        """
        split = urlsplit(address)
        if split.netloc and split.netloc != urlsplit(self.transport.url).netloc:
            with Lab(f"{split.scheme}://{split.netloc}", patience_s=self.transport.patience_s) as elsewhere:
                return elsewhere.shared(split.path)
        parts = [part for part in split.path.split("/") if part not in ("", "result.json")]
        if not parts:
            raise LabError(f"{address!r} is no address of a shared page.")
        try:
            return Result(self.transport.page(f"/r/{parts[-1]}/result.json"))
        except ProblemError as error:
            if error.status not in NOT_SHARED:
                raise
            detail = NOT_SHARED[error.status].format(f"{self.transport.url}/r/{parts[-1]}/")
            raise ProblemError("not-found", error.status, detail, error.members) from None

    # ---- what there is

    def account(self) -> Json:
        """Whom the token speaks for, and what is used of each quota."""
        return self._json("/account")

    def games(self) -> list[Json]:
        """Games with their options."""
        found: list[Json] = self._json("/games")["games"]
        return found

    def presets(self, game: str = "") -> list[Json]:
        """Published tables that can be run again."""
        found: list[Json] = self.request("GET", "/presets", game=game)["presets"]
        return found

    def preset(self, preset_id: str) -> Json:
        """One of them, with the spec of each scale."""
        return self._json(f"/presets/{preset_id}")

    def run_preset(self, preset_id: str, scale: str = "quick", *, idempotency_key: str = "") -> PresetRun:
        """Run one. While a run of yours of that scale is running it is that one."""
        made = self.request("POST", f"/presets/{preset_id}/runs", {"scale": scale}, key=idempotency_key)
        return PresetRun(preset_id, made["run"], made["is_new"], Job(self.transport, made["job"]))

    # ---- strategies

    def strategies(self) -> list[Json]:
        """Your own, by name."""
        found: list[Json] = self._json("/strategies")["strategies"]
        return found

    def strategy(self, number: int) -> Json:
        """One of them, with its rules."""
        return self._json(f"/strategies/{number}")

    def keep_strategy(self, strategy: Json, number: int | None = None, *, idempotency_key: str = "") -> Json:
        """Keep a strategy; with a number in the place of the one that has it."""
        if number is not None:
            found: Json = self.request("PUT", f"/strategies/{number}", {"strategy": strategy})
            return found
        made: Json = self.request("POST", "/strategies", {"strategy": strategy}, key=idempotency_key)
        return made

    def try_strategy(self, strategy: Json, **further: Any) -> Json:
        """Play 200 or 2,000 matches with it in a moment; nothing is kept. further: against, kingdom, cards, matches."""
        found: Json = self.request("POST", "/strategies/try", {"strategy": strategy, **further})
        return found

    def delete_strategy(self, number: int) -> None:
        """Delete it; matches that it played keep their copies."""
        self.request("DELETE", f"/strategies/{number}")

    def _json(self, path: str) -> Json:
        found: Json = self.request("GET", path)
        return found
