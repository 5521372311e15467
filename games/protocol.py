"""The face every game shows to engines, worker and pages.

A *state* is one flat contiguous ``int32`` array whose offsets are named in the game's
``state.py``. It never holds a future order of tiles, cards or dominoes: the luck of a match
lives in a `Deal`, which the runner of the match asks at every chance node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from games.costs import Costs
from games.endings import Ending
from games.guides import GuideStep, Happening
from games.hands import Hands
from games.lessons import Lessons
from games.options import Value
from games.panels import Panel
from games.rng import Rng as Rng
from games.rule_sets import RuleSet
from games.strategies import Strategies
from games.values import GameValue

CHANCE = -1
"""`Game.current_player`: the next thing that happens is a chance outcome."""
TERMINAL = -2
"""`Game.current_player`: the match is over."""

State = NDArray[np.int32]
Actions = NDArray[np.int32]
Policy = Callable[[int, State, "Rng", Actions, NDArray[np.int32]], int]
"""A policy as a kernel: its number (`engines.policy_numbers`), a state, a stream, room for actions, a journal."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow in this state; the message names it."""


NUM_TEAMS = 2
"""Teams of a game that has any: seats, and places of a line-up, of like parity are one."""


@dataclass(frozen=True)
class Traits:
    """Kind of game: engines refuse games that they do not fit.

    has_teams: seats of like parity play together, and share points and place.
    draws_first: chance says in each match who begins; else seat 0 does, or in games of teams the deal or the rules say.
    max_legal_actions, max_plies: upper bounds; the game's module argues why they hold.
    """

    min_seats: int
    max_seats: int
    has_chance: bool
    chance_is_listable: bool
    has_hidden_information: bool
    has_teams: bool
    max_legal_actions: int
    max_plies: int
    draws_first: bool = False


@dataclass(frozen=True)
class Part:
    """One part of an action, as clicks spell it: `element` is an SVG id on the board.

    name: a `Step` of the game; label: the value in words, as a button or a screen reader says it;
    words: the value in a sentence that tells the whole action, empty where the label does.
    """

    name: str
    value: str
    element: str
    label: str = ""
    words: str = ""


@dataclass(frozen=True)
class Step:
    """Question that people are asked for the parts of one name.

    kind: "place" (pointed at on the board), "turn" (its first value is taken at once, and pointing at the same place
    again takes the next one), "choice" (few, on the board where they have an element there, and always as buttons, also
    beside places). default: a value that is taken at once where it is legal, and stands unless another one is chosen.
    is_reply: it answers to something played before; lists set it in below that. deed: what the button says that plays
    what this step ends (empty: that it confirms). named: values that the bar tells by their label (None: all).
    besides: asked instead while a value that begins with the first text may be chosen, too.
    """

    name: str
    label: str
    ask: str
    kind: str = "place"
    default: str = ""
    is_reply: bool = False
    deed: str = ""
    named: tuple[str, ...] | None = None
    besides: tuple[str, str] | None = None


@dataclass(frozen=True)
class Aid:
    """Something that a board or a panel shows to help, which people can switch off.

    Elements of `Game.play_svg` with ``data-aid="ID"`` are shown while it is on. thinks: it counts or
    remembers what players would have to, so there is none of it in rated matches.
    """

    id: str
    label: str
    help: str
    is_on: bool = True
    thinks: bool = False


@dataclass(frozen=True)
class Metric:
    """One number per seat and match that dashboards count.

    group: "points", "meeples", ... ; kind: what within the group ("city"); unit: "points".
    """

    id: str
    label: str
    unit: str
    group: str
    kind: str = ""


@dataclass(frozen=True)
class Event:
    """Something that scored: `tiles` are board coordinates, `seats` get `points` each.

    elements: SVG ids of the board where points may float up, without prefix.
    """

    kind: str
    points: int
    seats: tuple[int, ...]
    tiles: tuple[tuple[int, int], ...] = ()
    returned: tuple[int, ...] = ()
    elements: tuple[str, ...] = ()


class Draw(NamedTuple):
    """One outcome of chance, and the states before and after it."""

    before: State
    outcome: int
    after: State


class Variations(Protocol):
    """Draws a position with what might be played from it (`games.variations`)."""

    def svg(self, game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
        """The board of `state` with every variation in it."""

    def drawn_svg(self, game: Game, state: State, *, prefix: str = "") -> str:
        """A small picture of what the seat on turn has drawn; empty where there is none."""


class Deal(Protocol):
    """All the luck of one match, fixed by its seed and independent of what seats do."""

    def draw(self, state: State) -> int:
        """Return the chance outcome that happens in `state`; advances the deal."""


class MoveWords(NamedTuple):
    """Words of a move as one tells it at the table. piece: what it moves, empty where `words` say it; words: few."""

    piece: str
    words: str


class Piece(NamedTuple):
    """Piece that a move is about, for lists.

    picture: SVG that may use `Game.piece_sheet`; elements: ids on the board, behind its prefix, that are lit
    while the move is pointed at, those that are there; stays: whether it lies there beyond its round or turn.
    """

    picture: str
    elements: tuple[str, ...]
    stays: bool = True


class PolicyWords(NamedTuple):
    """What people read for a playing policy, whose id stands in specs. label: its name; summary: what it does."""

    label: str
    summary: str


class Game(Protocol):
    """Rules of one game. Every method leaves its arguments unchanged.

    What only some games have is empty or None elsewhere (`games.face.Face`).
    """

    id: str
    version: str
    label: str
    traits: Traits
    options: type
    """Frozen dataclass of rule options (`games.options`)."""
    presets: Mapping[str, RuleSet]
    """Rules by name (`games.rule_sets`), those first that people begin with; empty where the defaults say all."""
    bench_options: Mapping[str, Value]
    """Options of the matches that benches count (`games.bench`)."""
    policies: Sequence[str]
    """Names of playing policies, ``random`` first; kernels in `kernels/policies.py`."""
    policy_words: Mapping[str, PolicyWords]
    """What people read for a policy; one that is not here goes by its id."""
    usual_policy: str
    """The policy that plays where an engine asks for one by a name that only other games have."""
    has_free_actions: bool
    """Whether `policies.forced` knows actions that cost nothing (`forced(s)`: a set of them as bits)."""
    evaluations: Mapping[str, Mapping[str, float]]
    """Named sets of weights (by term) of the static evaluation in `kernels/evaluation.py`."""
    orderings: Sequence[str]
    """Orders in which searches may try actions, ``none`` first; kernels in `kernels/ordering.py`."""
    has_promises: bool
    """Whether `kernels/promise.py` guesses what each legal action is worth."""
    value: GameValue | None
    """What positions are expected to bring, learned from self-play."""
    hands: Hands | None
    """Searches over hidden hands."""
    strategies: Strategies | None
    """Form in which people write players of this game; None where there is none."""
    metric_table: Sequence[Metric]
    later_metrics: Sequence[str]
    """Metrics, as patterns of their ids, that this version counts only since matches of it were recorded."""
    dropped_metrics: Sequence[str]
    """Metrics, as patterns of their ids, that matches of this version were recorded with and that it counts no more."""
    steps: Sequence[Step]
    """Steps that spell an action, in the order asked; an action may leave some out."""
    aids: Sequence[Aid]
    guide: Sequence[GuideStep]
    """Steps that guide a first match, by what happens in it."""
    guide_moments: Callable[[Game, Happening], Iterable[str]] | None
    """Names of the moments that a ply brings; one may come again and again, a step speaks of the first."""
    lessons: Callable[[Game, Any, int], Lessons] | None
    """The rules for players, of a game with these options and seats; elsewhere only the exact ones stand."""
    variations: Variations | None
    """Draws what might be played; elsewhere a position is shown alone."""
    heading: Callable[[State], str] | None
    """``Round 3``: what stands over the moves of this part of a match, in lists of them."""
    round_of: Callable[[State], int] | None
    """Number, from 1, of the round (in Dominion: of the turn of the seat on turn) that a position is in."""
    draw_words: Callable[[Sequence[Draw]], str] | None
    """Words for chance, one outcome after the other; without them notation is shown."""
    other_parts: Callable[[State, int], tuple[Part, ...]] | None
    """Other clicks that spell a legal action as `parts` do; empty where there are none."""
    short_words: Callable[[Game, State, int], MoveWords] | None
    """Words for a legal action where the spelt parts are too long for lists; elsewhere these stand there."""
    piece_of: Callable[[str], Piece | None] | None
    """The piece of a move in notation; None for a move without one."""
    piece_sheet: Callable[[], str] | None
    """SVG without a size, with all that pictures of pieces use (`Piece`, `StockRow`), once a page."""
    tells_turns: bool
    """Whether nothing of a turn stays on the board, so that pages tell the last turns of others piece by piece."""
    ply_notes: Mapping[str, Callable[[Any, State], Sequence[int]]]
    """Numbers of every seat that plies record besides the points: function of game and state, by name.

    "projected" is for charts the points if the match ended there, where final scoring adds to them; "in_hand"
    what a seat has left to place.
    """
    ending: Callable[[Any, State, State], Ending | None] | None
    """What is counted where a round or the match ended between two states, one ply or draw apart; None elsewhere.

    Function of game and states; its rows add up to the points given (`games.endings`).
    """
    victory: Callable[[Any, State, Sequence[int]], str] | None
    """Picture of the pieces of seats that have won (`games.victory`), also where a match was broken off."""
    counts_rounds: bool
    """Whether points are counted when a round ends (`ending`), not at the end of the match alone."""
    has_seated_replay: bool
    """Whether `replay_svg` lies otherwise for each seat."""
    folder: Path
    """The game's package: where `games.loader` finds its kernel templates, and `games.data_files` its data."""

    @property
    def values(self) -> Sequence[str]:
        """Names of the sets of weights of `value`."""

    @property
    def costs(self) -> Costs:
        """Costs of an ordinary match with the most seats: measured, or guessed from `traits` (`games.costs`)."""

    def counts_against(self, options: Any) -> bool:
        """Whether points are counted against those who get them, so that scores are below zero."""

    def usual_plies(self, options: Any, num_seats: int) -> float:
        """Plies of an ordinary match by these rules with `num_seats` seats."""

    def kernels(self, *, journal: bool = False, mode: str | None = None) -> ModuleType:
        """Return the rules as kernels (verbs listed in games/DESIGN.md); mode: None is `readiness.usual_mode`."""

    def policy(self, name: str) -> Policy:
        """Return one of `policies` as a kernel, over rules with a journal where it needs one."""

    def check(self, options: Any, num_seats: int) -> None:
        """Refuse options that do not go with `num_seats` seats, or with each other.

        num_seats: one that `traits` allow. Raises OptionError naming the option.
        """

    def initial_state(self, options: Any, num_seats: int) -> State:
        """Return the state before anything has happened.

        Raises ValueError for a wrong number of seats, and what `check` raises.
        """

    def deal(self, options: Any, num_seats: int, rng: Rng) -> Deal:
        """Return the luck of one match, drawn from `rng`."""

    def num_seats(self, state: State) -> int:
        """Seats at the table."""

    def current_player(self, state: State) -> int:
        """Seat to act, CHANCE or TERMINAL."""

    def is_terminal(self, state: State) -> bool:
        """Whether the match is over."""

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` may still have to make, the present one included (clocks use it)."""

    def legal_actions(self, state: State) -> Actions:
        """Actions of the seat on turn, in the kernels' order; empty at CHANCE and TERMINAL."""

    def apply(self, state: State, action: int) -> State:
        """Return the state after an action or chance outcome.

        Raises IllegalActionError.
        """

    def chance_outcomes(self, state: State) -> tuple[Actions, NDArray[np.float64]]:
        """Outcomes at a chance node and their probabilities (trait `chance_is_listable`).

        Raises ValueError where nothing is left to chance.
        """

    def sample_chance(self, state: State, rng: Rng) -> int:
        """Draw an outcome at a chance node. Raises ValueError elsewhere."""

    def scores(self, state: State) -> tuple[int, ...]:
        """Points per seat so far; at the end, the final scores."""

    def projected_scores(self, state: State) -> tuple[int, ...]:
        """Points per seat if the match ended in this state."""

    def ranks(self, state: State) -> tuple[int, ...]:
        """Place per seat, 1 = best; equal places are shared. Only at TERMINAL."""

    def view(self, state: State, seat: int) -> State:
        """The state as `seat` may know it; everything else is unknown in it."""

    def determinize(self, view: State, rng: Rng) -> State:
        """A full state drawn from those a view allows."""

    def key(self, state: State) -> int:
        """64-bit hash of the position as the rules see it."""

    def information_set(self, state: State, seat: int) -> int:
        """64-bit hash of what `seat` knows: equal for states that it cannot tell apart."""

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready picture of the state for a seat, or for a spectator (None)."""

    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """The clicks that spell a legal action, in order; no two actions have the same."""

    def notation(self, state: State, action: int) -> str:
        """A legal action in a line of text, unique among those of the state."""

    def outcome_notation(self, state: State, outcome: int) -> str:
        """A chance outcome in a line of text."""

    def events(self, state: State) -> tuple[Event, ...]:
        """Scores of the last ply; always empty where points are those of what lies on the table."""

    def open_features(self, state: State) -> tuple[Event, ...]:
        """Features that would score beside `scores` if the match ended in this state; empty where none is open."""

    def metrics(self, state: State) -> Sequence[Mapping[str, float]]:
        """Per seat: values of `metric_table` by id, without those that such a match does not have.

        Only at TERMINAL. As `games.metric_rows.MetricRows` they are recorded without a mapping.
        """

    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        """The board as one SVG element, as `seat` (None: a spectator) may see it."""

    def replay_svg(
        self,
        states: Sequence[State],
        *,
        seat: int | None = None,
        ply: int | None = None,
        theme: str = "page",
        prefix: str = "",
    ) -> str:
        """One SVG of a whole match that a script steps through.

        states: after 0, 1, ... plies, settled: a seat is on turn, or the match is over. seat: in front, as at
        its table, where `has_seated_replay`; None: as for anybody.
        Shown while n plies are played: elements with data-ply <= n, and data-from <= n < data-to.
        """

    def play_svg(
        self, state: State, *, seat: int | None, theme: str = "page", prefix: str = "", recent: int = 1
    ) -> str:
        """The board for play, as `seat` (None: a spectator) may see it, and all that it may point at.

        Its viewBox covers every place that `seat` may point at, its ids begin with `prefix`, and
        it is `svg` with these marks for the board script, where `seat` is on turn:

        * ``data-step="cell" data-value="1,0" data-when=""``: a target; pointing at it says this
          part. ``data-when``: values of the parts before it, joined by ``|`` (empty: none). It is
          shown while these have been chosen.
        * ``data-show="1,0|2"``: a picture of what has been chosen, shown while the chosen values
          begin with these.
        * ``data-aid="ID"``: shown while that aid is on.
        * ``data-piece="NAME"``: lit under this name, too, while a move is pointed at (`Piece`).
        * ``data-rival="SEAT"``, ``data-large="SEAT"``: what belongs to another seat, and the same at large, shown
          while that or the seat's plate is pointed at.

        All but the last two carry the class ``off`` of the document until the script shows them. The root
        has ``data-unit``: the width of one place in its units, where the board has places;
        ``data-view="map"`` where it grows and is looked at part by part, its places as large as ever; and
        ``data-narrow``, where the board has another arrangement for phones: its viewBox. That one is
        shown while the root has the class ``is-narrow``.
        Where it says a seat's colour, the page puts the seat's name (`games.svg.put_names`).

        recent: number of the last plies that are marked, the very last one (id ``last``) most.
        """

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        """The panel beside the board, as `seat` (None: a spectator) may know it."""

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        """A match in the game's trace format (for download).

        match: options (JSON), seats, history (chance outcomes and actions as applied, in
        order), and anything else to be kept, such as seed and policy.
        """

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """(plies compared, first mismatch or None) of one match of a trace file."""
