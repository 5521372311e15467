"""One SVG of a whole match that a script steps through without the server; all hands lie open.

States are settled: the ply that ends a round shows how it ended, and the next one the round after.
With n plies played, what has ``data-from="p"`` and perhaps ``data-to="q"`` is shown while
p <= n < q, all else has class ``dm-off``; ``last`` takes the ``transform`` of the empty group with
``data-ply="n"``. A round is shown from the ply before its first one, the first from the start, to
its last one; a row has the place and size from the first tile on that it has at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import ModuleType

import numpy as np

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.board import arrangement, plates, render, sheet, snake
from games.dominoes.board.arrangement import FORMS, NARROW, Form
from games.dominoes.board.table import Row, bubble, call_words, held_tile, laid_tile, open_end
from games.protocol import State
from games.svg import ID, SEAT_NAMES, number, ring, seat_name, tag

_NO_JOURNAL = np.ones(1, np.int32)
_CSS = ".is-narrow .dm-at{transform:var(--narrow)}"


@dataclass(frozen=True)
class Span:
    """Span of plies in which a thing is shown: from `start` on, before `end` (None: to the end of the match)."""

    start: int
    end: int | None = None

    def marks(self, shown: int, **more: object) -> dict[str, object]:
        """Attributes that say so, `shown` plies being played at first."""
        is_on = self.start <= shown and (self.end is None or shown < self.end)
        return {"data_from": self.start, "data_to": self.end, "class_": None if is_on else "dm-off", **more}


@dataclass(frozen=True)
class Round:
    """A round of the match: shown in plies start .. end - 1; its first turn is ply `first`.

    state: after its last ply, or after the last of the match so far. dealt: numbers of the rounds
    that ended as soon as they were dealt, between the round before and this one; after: likewise
    behind the last round of the match.
    """

    state: State
    first: int
    start: int
    end: int | None
    dealt: Sequence[int] = ()
    after: Sequence[int] = ()

    @property
    def number(self) -> int:
        """Number of the round in the match, from 1."""
        return _number(self.state)

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """A part of it, by plies."""
        return Span(self.start if start is None else start, self.end if end is None else end)


def svg(
    kernels: ModuleType, states: Sequence[State], *, seat: int | None, ply: int | None, theme: str, prefix: str
) -> str:
    """The match of which these are the settled states after 0, 1, ... plies.

    seat: who sits in front, as at the table (None: seat 0); ply: number of plies shown at first (None: all).
    Raises ValueError where it is not in the match.
    """
    shown = len(states) - 1 if ply is None else ply
    if shown not in range(len(states)):
        raise ValueError(f"ply must be between 0 and {len(states) - 1}, not {ply}")
    match = _Match(kernels, states, seat or 0, shown)
    words = f"A match of {len(states) - 1} plies, stepped through by a script."
    return render.on_page(match.markup(), words, theme=theme, prefix=prefix, css=_CSS)


def rounds(kernels: ModuleType, states: Sequence[State]) -> Iterator[Round]:
    """The rounds of a match that have a turn; of a match without any the only one, as it was dealt."""
    groups = [list(group) for _, group in groupby(range(1, len(states)), lambda n: _number(states[n - 1]))]
    if not groups:
        before = range(1, _number(states[0]))
        yield Round(states[0], 1, 0, None, before, before)
    num_ended = len(reading.sheet(states[-1]))
    for k, group in enumerate(groups):
        first, last, is_last = group[0], group[-1], k == len(groups) - 1
        number_, state = _number(states[first - 1]), states[last]
        if num_ended >= number_:
            action, state = int(state[layout.LAST_TURN]) & 63, states[last - 1].copy()
            kernels.apply(state, action, _NO_JOURNAL)
        dealt = range(1 if k == 0 else _number(states[groups[k - 1][0] - 1]) + 1, number_)
        after = range(number_ + 1, num_ended + 1) if is_last else ()
        yield Round(state, first, 0 if k == 0 else first, None if is_last else last + 1, dealt, after)


def _number(state: State) -> int:
    """Number of the round that is played, from 1."""
    return int(state[layout.ROUND])


class _Match:
    """A whole match as the seat `looking` sees the table, `shown` plies being played at first."""

    def __init__(self, kernels: ModuleType, states: Sequence[State], looking: int, shown: int) -> None:
        self.states, self.looking, self.shown = states, looking, shown
        self.lines = reading.sheet(states[-1])
        self.rounds = list(rounds(kernels, states))
        self.anchors: dict[int, tuple[str, str]] = {}

    def markup(self) -> str:
        """Plates, points, and every round over them; the ring on top."""
        body = _both(plates.felt)
        for seat in reading.SEATS:
            plate = _both(plates.plate, seat, self.looking)
            body += tag("g", plate, id=f"{ID}seat-{seat}", role="group", aria_label=SEAT_NAMES[seat])
        body += self._points()
        for one in self.rounds:
            body += tag("g", "".join(self._round(one)), **one.span().marks(self.shown))
        return body + self._ring()

    def _on(self, span: Span) -> dict[str, object]:
        return span.marks(self.shown)

    # ---- a round
    def _round(self, one: Round) -> Iterator[str]:
        """Row, hands, numbers passed on, what seats say, who is on turn, words."""
        turns = reading.turns(one.state)
        yield self._row(one)
        yield from self._hands(one, turns)
        yield from self._passes(one, turns)
        for k, turn in enumerate(turns):
            before = 0 if one.start == 0 and k == 0 else one.first + k - 1
            if before >= one.start:
                glow = _both(plates.glow, turn.seat, self.looking)
                yield tag("g", glow, **self._on(Span(before, one.first + k)))
        is_over = not reading.is_hidden(one.state)
        last = one.first + len(turns) - 1
        during = one.span(end=last if is_over else None)
        words = (f"Round {one.number}", sheet.aim(one.state), *self._at_deals(one.dealt))
        yield tag("g", _both(plates.words, words), **self._on(during))
        if is_over:
            lines = sheet.how_it_ended(self.lines[one.number - 1], sheet.read_totals(one.state).is_against)
            behind = tuple(self._at_deals(one.after))
            told = (*lines[: 3 - len(behind)], *behind)
            yield tag("g", _both(plates.words, told), **self._on(one.span(start=last)))

    def _at_deals(self, numbers: Sequence[int]) -> Iterator[str]:
        """Rounds without a turn, a line for each."""
        for number_ in numbers:
            yield f"Round {number_}: {seat_name(self.lines[number_ - 1].seat, 9)}, four doubles"

    def _row(self, one: Round) -> str:
        row = reading.row(one.state)
        lies = {form.key: Row(row, form) for form in FORMS}
        body = ""
        for piece in row:
            ply = one.first + piece.turn
            drawn = _both(_tile, lies, piece.turn)
            body += laid_tile(piece, drawn, **self._on(one.span(start=ply)))
            wide, narrow = (_anchor(lies[form.key], piece.turn, form is NARROW) for form in FORMS)
            self.anchors[ply] = (wide, narrow)
        return body + "".join(self._ends(one, lies))

    def _ends(self, one: Round, lies: Mapping[str, Row]) -> Iterator[str]:
        """The signs of the open ends, each until its arm grows."""
        row = reading.row(one.state)
        for side in (0, 1) if row else ():
            so_far = [[piece for piece in row if piece.turn <= turn] for turn in sorted(piece.turn for piece in row)]
            grown = [next(group) for _, group in groupby(so_far, partial(_outermost, side))]
            starts = [one.first + max(piece.turn for piece in laid_) for laid_ in grown]
            for laid_, start, end in zip(grown, starts, [*starts[1:], None], strict=True):
                number_ = laid_[-1].right if side else laid_[0].left
                sign = _both(_sign, lies, laid_, side)
                yield open_end(number_, sign, **self._on(one.span(start=start, end=end)))

    def _hands(self, one: Round, turns: Sequence[reading.Turn]) -> Iterator[str]:
        """Every tile in its hand until it is laid."""
        for seat in reading.SEATS:
            laid_at = {turn.tile: one.first + k for k, turn in enumerate(turns) if turn.seat == seat}
            hand = sorted({tile for tile in laid_at if tile is not None} | set(reading.hand(one.state, seat) or ()))
            for k, index in enumerate(hand):
                end = laid_at.get(index)
                if end is None or end > one.start:
                    drawn = _both(plates.open_tile, index, k, len(hand), seat, self.looking)
                    yield held_tile(index, drawn, **self._on(one.span(end=end)))

    def _passes(self, one: Round, turns: Sequence[reading.Turn]) -> Iterator[str]:
        """Numbers that seats have passed on, from then on; what is said, for one ply."""
        found: dict[int, list[int]] = {seat: [] for seat in reading.SEATS}
        for k, turn in enumerate(turns):
            if turn.tile is not None:
                continue
            ply, seat, word = one.first + k, turn.seat, call_words(turn)
            drawn = _both(plates.bubble, word, seat, self.looking)
            yield bubble(word, seat, drawn, **self._on(Span(ply, ply + 1)))
            for n in sorted(set(turn.ends or ()) if turn.action == layout.PASS else ()):
                if n not in found[seat]:
                    place = len(found[seat])
                    lack = _both(plates.passed_number, n, place, seat, self.looking)
                    yield tag("g", lack, **self._on(one.span(start=ply)))
                    found[seat].append(n)

    # ---- over all
    def _points(self) -> str:
        """Every value of the points, and when."""
        values = [sheet.read_totals(state).numbers for state in self.states]
        numbers = ""
        for team in (0, 1):
            changes = [n for n in range(len(values)) if not n or values[n][team] != values[n - 1][team]]
            for start, end in zip(changes, [*changes[1:], None], strict=True):
                points = values[start][team]
                drawn = _both(plates.score, team, points)
                numbers += tag("g", drawn, **self._on(Span(start, end)))
        label = "Points of the teams."
        return tag("g", _both(plates.score_board) + numbers, id=f"{ID}points", role="img", aria_label=label)

    def _ring(self) -> str:
        """The ring, and an empty group where it stands after each ply that laid a tile."""
        unit = 100.0
        anchors = "".join(
            tag("g", data_ply=ply, transform=wide, style=f"--narrow:{narrow}", class_="dm-at")
            for ply, (wide, narrow) in sorted(self.anchors.items())
        )
        body = ring(-unit / 2 - 3, -unit - 3, unit + 6, 2 * unit + 6, 20, 9)
        wide, narrow = self.anchors.get(self.shown, ("translate(0 0)", "translate(0,0)"))
        marks = "dm-at" if self.shown in self.anchors else "dm-at dm-off"
        return anchors + tag("g", body, id=f"{ID}last", transform=wide, style=f"--narrow:{narrow}", class_=marks)


def _both(draw: Callable[..., str], *args: object) -> str:
    return arrangement.both(FORMS, draw, *args)


def _tile(form: Form, lies: Mapping[str, Row], turn: int) -> str:
    return lies[form.key].tile(turn)


def _outermost(side: int, laid_: Sequence[reading.Laid]) -> int:
    """The turn of the tile at the left end (0) or at the right one (1)."""
    return laid_[-side].turn


def _sign(form: Form, lies: Mapping[str, Row], laid_: Sequence[reading.Laid], side: int) -> str:
    """The sign of an open end while only these tiles lie there, in the frame of the whole row."""
    return lies[form.key].sign(snake.layout(laid_, form.limit)[1][side])


def _anchor(row: Row, turn: int, is_css: bool) -> str:
    """Transform that makes a standing tile of 100 x 200 units cover a tile of the row; lengths in CSS have units."""
    place = row.by_turn[turn]
    x, y = (number(at) for at in row.frame.at(place.x, place.y))
    scale = f"scale({row.frame.unit / 100:.3f})"
    if is_css:
        return f"translate({x}px,{y}px)" + (" rotate(90deg) " if place.is_flat else " ") + scale
    return f"translate({x} {y})" + (" rotate(90) " if place.is_flat else " ") + scale
