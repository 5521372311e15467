"""One SVG of a whole match that a script steps through without the server.

With n plies played, these are shown; all else has class ``kd-off``:

* ``data-ply="p"`` (a domino in a kingdom, its frame): while p <= n;
* ``data-from="p"`` and perhaps ``data-to="q"`` (rows of the draft, kings, points): while p <= n < q;
* ``last``: takes the ``transform`` of what ply n placed, or of the domino that it chose where it
  placed nothing; and its ``--narrow``, the place on a phone (`replay_stage`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import ModuleType

from games.kingdomino import reading
from games.kingdomino import state as layout_of
from games.kingdomino.board import layout, pieces, render, replay_stage
from games.kingdomino.board.picture import TOTAL, Laid, Offer, Picture, build_picture, laid_of, points
from games.kingdomino.board.stage import Place
from games.protocol import TERMINAL, State
from games.svg import ID, SEAT_COLORS, SEAT_NAMES, Canvas, Theme, tag


@dataclass(frozen=True)
class Ply:
    """Ply by its effect: number of the domino settled (placed or discarded) and of the one chosen."""

    seat: int
    settled: reading.Fate | None
    chosen: reading.Fate | None


@dataclass(frozen=True)
class Span:
    """Span of plies in which a thing is shown: from `start` on, before `end` (None: to the end of the match)."""

    start: int
    end: int | None = None

    def marks(self, shown: int, **more: object) -> dict[str, object]:
        """Attributes that say so, `shown` plies being played at first."""
        is_on = self.start <= shown and (self.end is None or shown < self.end)
        classes = " ".join(filter(None, (str(more.pop("class_", "")), "" if is_on else "kd-off")))
        return {"data_from": self.start, "data_to": self.end, "class_": classes or None, **more}


def svg(
    kernels: ModuleType, states: Sequence[State], *, seat: int | None, ply: int | None, theme: str, prefix: str
) -> str:
    """The match of which these are the states after 0, 1, ... plies.

    seat: whose kingdom comes first (None: that of seat 0); ply: number of plies shown at first (None: all). Raises
    ValueError where it is not in the match.
    """
    shown = len(states) - 1 if ply is None else ply
    if shown not in range(len(states)):
        raise ValueError(f"ply must be between 0 and {len(states) - 1}, not {ply}")
    match = _Match(kernels, states, seat or 0, shown, Theme(theme))
    unit = None if match.theme.is_picture else render.unit(match.arranged)
    canvas = Canvas(match.arranged.box, render.WIDTH, match.theme, prefix, unit=unit)
    words = f"A match of {len(states) - 1} plies, stepped through by a script."
    return render.whole(canvas, match.markup(), words, replay_stage.css(match.stage), match.stage.narrow)


class _Match:
    """A whole match, the kingdom of `seat` first: every piece once, with its place in both arrangements."""

    def __init__(self, kernels: ModuleType, states: Sequence[State], seat: int, shown: int, theme: Theme) -> None:
        self.kernels, self.states, self.shown, self.theme = kernels, states, shown, theme
        self.end: Picture = build_picture(kernels, states[-1])
        self.stage = replay_stage.arrange(self.end, seat)
        self.arranged = self.stage.wide
        self.windows = [
            layout.window([cell for one in self.end.of_seat(seat) for cell in one.ends], slot.cells)
            for seat, slot in enumerate(self.arranged.slots)
        ]
        self.plies = list(_plies(states))

    def markup(self) -> str:
        """Kingdoms, draft, points, and the ring over all."""
        kingdoms = "".join(map(self.kingdom, range(self.end.num_seats)))
        return kingdoms + self.draft() + tag("g", self.points(), class_="kd-wide") + self.ring()

    def kingdom(self, seat: int) -> str:
        """A kingdom with every domino that comes to lie in it."""
        slot, window = self.arranged.slots[seat], self.windows[seat]
        numbers = [
            pieces.heading_points(value, slot, self.theme, **span.marks(self.shown, class_="kd-n"))
            for value, span in self._values(seat, TOTAL)
        ]
        cells = [cell for cell in render.in_view(slot, window) if cell != (0, 0)]
        body = pieces.empty(cells, slot, window, self.theme) + pieces.castle(seat, slot, window)
        for number, ply in enumerate(self.plies, start=1):
            one = laid_of(ply.settled) if ply.seat == seat and ply.settled else None
            if one:
                off = None if number <= self.shown else "kd-off"
                body += pieces.laid(one, slot, window, self._ringed_narrowly(one), data_ply=number, class_=off)
        lies = pieces.placed(self.stage.kingdom(seat), body)
        label = f"Kingdom of {SEAT_NAMES[seat]}"
        return tag("g", self._heads(seat, numbers) + lies, id=f"{ID}kingdom-{seat}", role="group", aria_label=label)

    def _heads(self, seat: int, numbers: Sequence[str]) -> str:
        """The plate above a kingdom; on a phone the points are not on it, which stand on the page."""
        wide, narrow = self.arranged.slots[seat], self.stage.narrow.slots[seat]
        head = pieces.heading(seat, wide, render.name_of(seat), "".join(numbers), self.theme, is_on=False)
        head += self._turns(seat, (wide.x, wide.y - layout.HEAD, wide.side, layout.HEAD - 12))
        height = replay_stage.HEAD - 4
        small = pieces.small_heading(seat, narrow, height, None, self.theme, is_on=False)
        small += self._turns(seat, (narrow.x, narrow.y - height - 3, narrow.side, height))
        return tag("g", head, class_="kd-wide") + tag("g", small, class_="kd-small")

    def _ringed_narrowly(self, one: Laid) -> str:
        """Style of the ring round a domino in the narrow arrangement."""
        return pieces.narrow(*pieces.spot(self.stage.narrow.slots[one.seat], self.windows[one.seat], one.ends))

    def _turns(self, seat: int, box: tuple[float, float, float, float]) -> str:
        """Frames of a plate in the plies in which its seat is on turn."""
        x, y, width, height = box
        round_ = 10 if height > replay_stage.HEAD else 6
        look = {"fill": "none", "stroke": SEAT_COLORS[seat], "stroke_width": 4 if round_ == 10 else 3, "rx": round_}
        return "".join(
            tag("rect", x=x, y=y, width=width, height=height, **look, **Span(at, at + 1).marks(self.shown))
            for at, ply in enumerate(self.plies)
            if ply.seat == seat
        )

    # ---- the draft: row r is on offer in the plies of round r, and placed in those of the next
    def draft(self) -> str:
        """Both rows, round by round."""
        body = ""
        rounds = self.end.rounds if self.end.player is None and not self.end.next else self.end.round
        for round_ in range(1, rounds + 1):
            span = Span(self.end.kings * (round_ - 1), self.end.kings * round_)
            words = f"Round {round_} of {self.end.rounds}"
            body += render.round_name(words, self.arranged, self.theme, **span.marks(self.shown))
        over = Span(self.end.kings * self.end.rounds)
        body += render.round_name("Final points", self.arranged, self.theme, **over.marks(self.shown))
        body = tag("g", body, class_="kd-wide")
        first, after = Span(0, self.end.kings), Span(self.end.kings, self.end.kings * self.end.rounds)
        chosen = Span(0, self.end.kings * (self.end.rounds - 1))
        for words, place, span in (("Order", 0, first), ("To place", 0, after), ("On offer", 1, chosen)):
            name = tag("g", pieces.title(words, (0, 0), self.theme), **span.marks(self.shown))
            body += pieces.placed(replay_stage.title(self.stage, place), name)
        return body + self._order() + "".join(self._row(round_) for round_ in range(1, rounds + 1))

    def _order(self) -> str:
        """The kings of round 1; each leaves when it has chosen."""
        order = self.states[-1][layout_of.ORDER :][: self.end.kings].tolist()
        body = ""
        for place, seat in enumerate(order):
            span = Span(0, place + 1).marks(self.shown)
            if seat:
                king = render.order_king(seat - 1, (0, 0), 1, self.theme, is_done=False, **span)
                body += pieces.placed(self.stage.domino("now", place), king)
        return body

    def _row(self, round_: int) -> str:
        """The dominoes of a row, first on offer, then waiting to be placed, each with its king."""
        kings, body = self.end.kings, ""
        span, later = Span(kings * (round_ - 1), kings * round_), iter(range(kings))
        for place, (number, seat) in enumerate(self._offered(round_)):
            taken, at = self._chosen_at(number), self.stage.domino("next", place)
            offer = tag("g", pieces.offer(Offer(number, None), "offer", (0, 0), 1), **span.marks(self.shown))
            if taken is None or seat is None:
                body += pieces.placed(at, offer)
                continue
            offer += pieces.king(seat, (0, 0), 1, **Span(taken, span.end).marks(self.shown))
            turn = next(later)
            waiting = Span(kings * round_, kings * round_ + turn + 1).marks(self.shown)
            waits = tag("g", pieces.offer(Offer(number, seat), "place", (0, 0), 1), **waiting)
            body += pieces.placed(at, offer) + pieces.placed(self.stage.domino("now", turn), waits)
            first = self.plies[taken - 1].settled
            if first is None or first.squares is None:
                body += tag("g", data_ply=taken, transform=pieces.move(*at.wide), style=self._narrow(at))
        return body

    @staticmethod
    def _narrow(at: Place) -> str:
        assert at.narrow is not None
        return pieces.narrow(*at.narrow)

    def _offered(self, round_: int) -> list[tuple[int, int | None]]:
        """Dominoes of a row and who has chosen them, as far as the match has come."""
        if round_ == self.end.round and self.end.next:
            return [(one.number, one.seat) for one in self.end.next]
        chosen = [(one.place, one.domino, one.seat) for one in reading.fates(self.states[-1]) if one.round == round_]
        aside = [(place, number, None) for number, of, place in reading.left_aside(self.states[-1]) if of == round_]
        return [(number, seat) for _, number, seat in sorted([*chosen, *aside])]

    def _chosen_at(self, number: int) -> int | None:
        """After how many plies a domino has been chosen."""
        found = (at for at, ply in enumerate(self.plies, start=1) if ply.chosen and ply.chosen.domino == number)
        return next(found, None)

    # ---- points
    def _values(self, seat: int, kind: str) -> Iterator[tuple[int, Span]]:
        """Every value that a number takes, and when."""
        values = [row[seat][kind] for row in self._all_points]
        changes = [0, *(at for at in range(1, len(values)) if values[at] != values[at - 1])]
        ends = [*changes[1:], None]
        for start, end in zip(changes, ends, strict=True):
            yield values[start], Span(start, end)

    @cached_property
    def _all_points(self) -> list[list[dict[str, int]]]:
        """Points by kind, by ply and seat; before the end, only those of the seat that has played can change."""
        seats = range(self.end.num_seats)
        rows = [[points(self.kernels, self.states[0], seat) for seat in seats]]
        for state, ply in zip(self.states[1:], self.plies, strict=True):
            row = list(rows[-1])
            for seat in seats if state[layout_of.PLAYER] == TERMINAL else (ply.seat,):
                row[seat] = points(self.kernels, state, seat)
            rows.append(row)
        return rows

    def points(self) -> str:
        """The table of points, every number with its spans."""
        place, seats = self.arranged.points, self.end.num_seats
        numbers = {
            (kind, seat): "".join(
                pieces.table_number(
                    value, kind, seat, row, place, seats, self.theme, **span.marks(self.shown, class_="kd-n")
                )
                for value, span in self._values(seat, kind)
            )
            for row, kind in enumerate(self.end.kinds, start=1)
            for seat in range(seats)
        }
        return pieces.points_table(self.end.kinds, numbers, place, self.theme)

    def ring(self) -> str:
        """The ring, at first where the ply shown has placed or chosen."""
        transform, style = self._ringed(self.shown) or (pieces.move(0, 0), None)
        classes = "kd-at" if style else "kd-at kd-off"
        return pieces.last_ring(transform, style=style, class_=classes)

    def _ringed(self, number: int) -> tuple[str, str] | None:
        """Places of the ring after so many plies, in both arrangements."""
        if not number:
            return None
        ply = self.plies[number - 1]
        one = laid_of(ply.settled) if ply.settled else None
        if one:
            where = pieces.over(self.arranged.slots[one.seat], self.windows[one.seat], one.ends)
            return where, self._ringed_narrowly(one)
        if ply.chosen:
            at = self.stage.domino("next", ply.chosen.place)
            return pieces.move(*at.wide), self._narrow(at)
        return None


def _plies(states: Sequence[State]) -> Iterator[Ply]:
    """Changes from state to state."""
    last = {fate.domino: fate for fate in reading.fates(states[-1])}
    for before, after in pairwise(states):
        was, now = (state[layout_of.FATE :][: layout_of.NUM_DOMINOES] for state in (before, after))
        changed = [last[number] for index in (was != now).nonzero()[0] if (number := int(index) + 1) in last]
        chosen = next((fate for fate in changed if not was[fate.domino - 1]), None)
        settled = next((fate for fate in changed if was[fate.domino - 1]), None)
        seat = (chosen or settled or changed[0]).seat
        yield Ply(seat, settled, chosen)
