"""Places for requests in work: as many as one process can serve, and who gets the next one.

A request has a kind. Moves come before pages, pages before polls, polls before exports. No kind may have all
places, and the last one is for moves alone: no number of polls and exports keeps out a page, nor of pages a move.
Among requests of a kind the place goes to the address that has the fewest, then to the session at that address
that has the fewest, then to who came first. Where too many wait, the address with the most waiting gives one up.

Requests wait on the event loop: they hold no thread and no connection to the database meanwhile. A page waits where,
by the time that requests take at present, its turn comes soon; else it is refused at once, and asked to come again at
a moment that differs from those of others.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

PLACES = 6
"""Requests that a process works at together: one interpreter gains nothing by more, and each takes turns from all."""


@dataclass(frozen=True)
class Kind:
    """A kind of request. rank: the smaller goes first; places, most_waiting: of one process, at most.

    waits_s: seconds after which a request that found no place is refused; None: it waits for one. patience_s: one
    that would have to wait longer, by what requests take, is refused as it comes.
    """

    name: str
    rank: int
    places: int
    most_waiting: int
    waits_s: float | None
    patience_s: float = math.inf


MOVE = Kind("move", 0, PLACES, 500, 20.0)
PAGE = Kind("page", 1, PLACES - 1, 400, 10.0, patience_s=8.0)
POLL = Kind("poll", 2, PLACES // 2, 2000, 20.0)
EXPORT = Kind("export", 3, PLACES // 3, 40, 6.0)
WOKEN = Kind(POLL.name, POLL.rank, POLL.places, 1_000_000, None)
"""A poll that has waited for news and got them: it was let in before, and is not refused."""
RETRY_S, RETRY_MOST_S = 3, 30
"""Seconds after which a refused request may come again: at least and at most."""
USUAL_S = 0.02
"""What a request is taken to cost before any has been measured."""
NEWEST = 0.05
"""Weight of the last request in what one of its kind costs."""
MOST_AT_ONCE = 4.0
"""A request counts for this many usual ones at most: who makes a page that all others are then given says little."""


@dataclass(frozen=True)
class Client:
    """Client that a request comes from. session: "" where it has none; one may have many, so the address goes first."""

    address: str = ""
    session: str = ""


class BusyError(Exception):
    """Refusal of a request that found no place in time; it may come again after `wait_s` seconds."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"no place in time; again after {wait_s} s")
        self.wait_s = wait_s


@dataclass
class Ticket:
    """A request that waits for a place, or has one."""

    kind: Kind
    client: Client
    number: int = 0
    has_place: bool = False
    began_at: float = 0.0
    called: asyncio.Future[None] | None = field(default=None, repr=False)


class Admission:
    """The places of one event loop."""

    def __init__(self, places: int = PLACES) -> None:
        self.places = places
        self._waiting: defaultdict[Kind, list[Ticket]] = defaultdict(list)
        self._number = 0
        self._of_kind: Counter[str] = Counter()
        self._of_client: Counter[Client] = Counter()
        self._of_address: Counter[str] = Counter()
        self._cost_s: dict[str, float] = {}

    @property
    def num_in_work(self) -> int:
        """Requests that have a place."""
        return self._of_kind.total()

    @property
    def num_waiting(self) -> int:
        """Requests that wait for one."""
        return sum(map(len, self._waiting.values()))

    async def enter(self, ticket: Ticket) -> None:
        """Wait for a place. Raises BusyError where there is none in time."""
        self._number += 1
        ticket.number = self._number
        waiting = self._waiting[ticket.kind]
        if not waiting and self._fits(ticket.kind):
            self._seat(ticket)
            return
        if (expected_s := self.expected_s(ticket)) > ticket.kind.patience_s:
            raise BusyError(_spread(expected_s))
        self._make_room(ticket)
        called = ticket.called = asyncio.get_running_loop().create_future()
        waiting.append(ticket)
        try:
            async with asyncio.timeout(ticket.kind.waits_s):
                await called
        except BaseException as error:
            self.leave(ticket)  # it may have been called at this moment
            if isinstance(error, TimeoutError):
                raise BusyError(_spread(expected_s)) from None
            raise
        finally:
            if ticket in waiting:
                waiting.remove(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Give a place up; doing it twice changes nothing."""
        if ticket.has_place:
            ticket.has_place = False
            self._measure(ticket)
            self._count(ticket, -1)
            self._call()

    def expected_s(self, ticket: Ticket) -> float:
        """Seconds that a request has to wait for its place: what those before it cost.

        Before it are all of kinds that matter more, and of its own one of each other address for every one of its
        own that waits, as addresses take turns.
        """
        before = sum(
            len(waiting) * self._cost(kind) for kind, waiting in self._waiting.items() if kind.rank < ticket.kind.rank
        )
        per_address = Counter(other.client.address for other in self._waiting[ticket.kind])
        own = per_address.pop(ticket.client.address, 0)
        return before + (own + sum(min(number, own + 1) for number in per_address.values())) * self._cost(ticket.kind)

    def _cost(self, kind: Kind) -> float:
        return self._cost_s.get(kind.name, USUAL_S)

    def _measure(self, ticket: Ticket) -> None:
        """Note what a request has cost: its time, divided among those that were at work with it."""
        cost_s = (time.perf_counter() - ticket.began_at) / self.num_in_work
        known_s = self._cost(ticket.kind)
        self._cost_s[ticket.kind.name] = known_s + NEWEST * (min(cost_s, MOST_AT_ONCE * known_s) - known_s)

    def _fits(self, kind: Kind) -> bool:
        for_all = self.places if kind == MOVE else self.places - 1  # one place is for moves alone
        return self.num_in_work < for_all and self._of_kind[kind.name] < kind.places

    def _seat(self, ticket: Ticket) -> None:
        ticket.has_place, ticket.began_at = True, time.perf_counter()
        self._count(ticket, 1)

    def _count(self, ticket: Ticket, by: int) -> None:
        client = ticket.client
        self._of_kind[ticket.kind.name] += by
        self._of_client[client] += by
        self._of_address[client.address] += by
        if not self._of_client[client]:
            del self._of_client[client]
        if not self._of_address[client.address]:
            del self._of_address[client.address]

    def _call(self) -> None:
        """Give free places to those who come next."""
        for kind in sorted((kind for kind, waiting in self._waiting.items() if waiting), key=lambda kind: kind.rank):
            waiting = self._waiting[kind]
            while waiting and self._fits(kind):
                following = min(waiting, key=self._order)
                waiting.remove(following)
                if following.called is not None and not following.called.done():
                    self._seat(following)
                    following.called.set_result(None)

    def _order(self, ticket: Ticket) -> tuple[int, int, int]:
        client = ticket.client
        return (self._of_address[client.address], self._of_client[client], ticket.number)

    def _make_room(self, ticket: Ticket) -> None:
        """Where too many of a kind wait, the last one of the address with the most of them goes. Raises BusyError."""
        waiting = self._waiting[ticket.kind]
        if len(waiting) < ticket.kind.most_waiting:
            return
        per_address = Counter(other.client.address for other in waiting)
        address, most = per_address.most_common(1)[0]
        if per_address[ticket.client.address] + 1 >= most:
            raise BusyError(_spread(self.expected_s(ticket)))
        last = max((other for other in waiting if other.client.address == address), key=lambda other: other.number)
        waiting.remove(last)
        if last.called is not None and not last.called.done():
            last.called.set_exception(BusyError(_spread(self.expected_s(last))))


def _spread(expected_s: float) -> int:
    """Seconds after which one of many may come again: those who are refused together do not come together."""
    return min(RETRY_MOST_S, math.ceil(random.uniform(RETRY_S, RETRY_S + expected_s)))


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Admission] = WeakKeyDictionary()
_present: ContextVar[Ticket | None] = ContextVar("ticket", default=None)


def admission() -> Admission:
    """The places of the running loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), Admission())


async def admit(kind: Kind, client: Client) -> Ticket:
    """Wait for a place for the present request. Raises BusyError."""
    ticket = Ticket(kind, client)
    await admission().enter(ticket)
    _present.set(ticket)
    return ticket


def step_out() -> None:
    """Give up the place of the present request, which is going to wait for something."""
    ticket = _present.get()
    if ticket is not None:
        admission().leave(ticket)


@asynccontextmanager
async def back_as_poll() -> AsyncIterator[None]:
    """Have a place again, as one of the polls."""
    before = _present.get()
    ticket = Ticket(WOKEN, before.client if before is not None else Client())
    await admission().enter(ticket)
    try:
        yield
    finally:
        admission().leave(ticket)
