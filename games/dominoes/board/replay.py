"""One SVG of a whole match that a script steps through without the server; all hands lie open.

States are settled: the ply that ends a round shows how it ended, and the next one the round after.
With n plies played, what has ``data-from="p"`` and perhaps ``data-to="q"`` is shown while
p <= n < q, all else has class ``dm-off``; ``last`` takes the ``transform`` of the empty group with
``data-ply="n"``. A round is shown from the ply before its first one, the first from the start, to
its last one; a row has the place and size from the first tile on that it has at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.board import plates, render, sheet, snake
from games.dominoes.board.snake import Frame, Place
from games.dominoes.board.table import LARGEST, laid, said
from games.protocol import State
from games.svg import ID, SEAT_NAMES, Canvas, Theme, number, ring, tag

Apply = Callable[[State, int], State]


@dataclass(frozen=True)
class Span:
    """Shown from ply `start` on, before ply `end` (None: to the end of the match)."""

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
        """Which round of the match, from 1."""
        return _number(self.state)

    def span(self, start: int | None = None, end: int | None = None) -> Span:
        """A part of it, by plies."""
        return Span(self.start if start is None else start, self.end if end is None else end)


def svg(states: Sequence[State], apply: Apply, *, ply: int | None = None, theme: str = "page", prefix: str = "") -> str:
    """The match of which these are the settled states after 0, 1, ... plies.

    apply: plays an action, by the rules; ply: number of plies shown at first (None: all). Raises
    ValueError where it is not in the match.
    """
    shown = len(states) - 1 if ply is None else ply
    if shown not in range(len(states)):
        raise ValueError(f"ply must be between 0 and {len(states) - 1}, not {ply}")
    match = _Match(states, apply, shown)
    words = f"A match of {len(states) - 1} plies, stepped through by a script."
    return render.whole(Canvas(render.BOX, plates.WIDTH, Theme(theme), prefix), match.markup(), words)


def rounds(states: Sequence[State], apply: Apply) -> Iterator[Round]:
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
            state = apply(states[last - 1], int(state[layout.LAST_TURN]) & 63)
        dealt = range(1 if k == 0 else _number(states[groups[k - 1][0] - 1]) + 1, number_)
        after = range(number_ + 1, num_ended + 1) if is_last else ()
        yield Round(state, first, 0 if k == 0 else first, None if is_last else last + 1, dealt, after)


def _number(state: State) -> int:
    """Which round is played, from 1."""
    return int(state[layout.ROUND])


class _Match:
    """A whole match, `shown` plies being played at first."""

    def __init__(self, states: Sequence[State], apply: Apply, shown: int) -> None:
        self.states, self.shown = states, shown
        self.lines = reading.sheet(states[-1])
        self.rounds = list(rounds(states, apply))
        self.anchors: dict[int, str] = {}

    def markup(self) -> str:
        """Plates, points, and every round over them; the ring on top."""
        body = plates.felt()
        for seat in reading.SEATS:
            body += plates.plate(seat, 0, "", f"{SEAT_NAMES[seat]}.")
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
                yield plates.glow(turn.seat, 0, **self._on(Span(before, one.first + k)))
        is_over = not reading.is_hidden(one.state)
        last = one.first + len(turns) - 1
        during = one.span(end=last if is_over else None)
        words = (f"Round {one.number}", sheet.aim(one.state), *self._at_deals(one.dealt))
        yield plates.words(words, **self._on(during))
        if is_over:
            lines = sheet.how_it_ended(self.lines[one.number - 1], sheet.written(one.state).is_against)
            behind = tuple(self._at_deals(one.after))
            yield plates.words((*lines[: 3 - len(behind)], *behind), **self._on(one.span(start=last)))

    def _at_deals(self, numbers: Sequence[int]) -> Iterator[str]:
        """Rounds without a turn, a line for each."""
        for number_ in numbers:
            yield f"Round {number_}: {plates.name_of(self.lines[number_ - 1].seat)}, four doubles"

    def _row(self, one: Round) -> str:
        places, ends = snake.layout(reading.row(one.state))
        frame = snake.fit(places, ends, plates.SNAKE, LARGEST)
        body = ""
        for place in places:
            ply = one.first + place.turn_laid
            body += laid(place, frame, **self._on(one.span(start=ply)))
            self.anchors[ply] = _anchor(place, frame)
        return body + "".join(self._ends(one, frame))

    def _ends(self, one: Round, frame: Frame) -> Iterator[str]:
        """The signs of the open ends, each until its arm grows."""
        row = reading.row(one.state)
        laid_at = sorted(tile.turn for tile in row)
        signs: dict[tuple[int, float, float], list[int]] = {}
        for turn in laid_at:
            so_far = [tile for tile in row if tile.turn <= turn]
            for end in snake.layout(so_far)[1]:
                signs.setdefault((end.number, end.x, end.y), []).append(one.first + turn)
        plies = [one.first + turn for turn in laid_at]
        for (n, x, y), shown_at in signs.items():
            later = [ply for ply in plies if ply > shown_at[-1]]
            span = one.span(start=shown_at[0], end=later[0] if later else None)
            yield plates.end_sign(n, *frame.at(x, y), frame.unit, **self._on(span))

    def _hands(self, one: Round, turns: Sequence[reading.Turn]) -> Iterator[str]:
        """Every tile in its hand until it is laid."""
        for seat in reading.SEATS:
            laid_at = {turn.tile: one.first + k for k, turn in enumerate(turns) if turn.seat == seat}
            hand = sorted({tile for tile in laid_at if tile is not None} | set(reading.hand(one.state, seat) or ()))
            for index, place in zip(hand, plates.open_places(len(hand), seat, 0), strict=True):
                end = laid_at.get(index)
                if end is None or end > one.start:
                    yield plates.open_tile(index, place, **self._on(one.span(end=end)))

    def _passes(self, one: Round, turns: Sequence[reading.Turn]) -> Iterator[str]:
        """Numbers that seats have passed on, from then on; what is said, for one ply."""
        found: dict[int, list[int]] = {seat: [] for seat in reading.SEATS}
        for k, turn in enumerate(turns):
            if turn.tile is not None:
                continue
            ply = one.first + k
            yield plates.bubble(said(turn), turn.seat, 0, **self._on(Span(ply, ply + 1)))
            for n in sorted(set(turn.ends or ()) if turn.action == layout.PASS else ()):
                if n not in found[turn.seat]:
                    yield plates.lacking(n, len(found[turn.seat]), turn.seat, 0, **self._on(one.span(start=ply)))
                    found[turn.seat].append(n)

    # ---- over all
    def _points(self) -> str:
        """Every value of the points, and when."""
        values = [sheet.written(state).points for state in self.states]
        numbers = ""
        for team in (0, 1):
            changes = [n for n in range(len(values)) if not n or values[n][team] != values[n - 1][team]]
            for start, end in zip(changes, [*changes[1:], None], strict=True):
                numbers += plates.score(team, values[start][team], **self._on(Span(start, end)))
        return plates.score_board(numbers, "Points of the teams.")

    def _ring(self) -> str:
        """The ring, and an empty group where it stands after each ply that laid a tile."""
        unit = 100.0
        anchors = "".join(tag("g", data_ply=ply, transform=at) for ply, at in sorted(self.anchors.items()))
        body = ring(-unit / 2 - 3, -unit - 3, unit + 6, 2 * unit + 6, 20, 9)
        at = self.anchors.get(self.shown)
        place = {"transform": at or "translate(0 0)", "class_": None if at else "dm-off"}
        return anchors + tag("g", body, id=f"{ID}last", **place)


def _anchor(place: Place, frame: Frame) -> str:
    """Where a standing tile of 100 x 200 units has to go to cover a tile of the row."""
    x, y = frame.at(place.x, place.y)
    turned = " rotate(90)" if place.is_flat else ""
    return f"translate({number(x)} {number(y)}){turned} scale({frame.unit / 100:.3f})"
