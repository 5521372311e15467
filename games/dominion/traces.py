"""Matches as files in the format dominion-trace-1: written for downloads, replayed as a check.

A trace holds the shuffled decks (the top card last), every decision with its options and the state
after it, and what was drawn, gained and trashed. Decks and choices come from the file, never from
our random numbers. Beyond the test-bed: cards shown from a deck are an event `reveal`; known cards
that are drawn from the top of a deck are not told; playing all Treasures is written one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games import options as option_tools
from games.dominion import cards, reading, trace_events
from games.dominion import state as layout
from games.dominion.trace_events import Event
from games.protocol import CHANCE, TERMINAL, Game, IllegalActionError, State

FORMAT = "dominion-trace-1"
Source = Callable[[State], int]


class DoneError(Exception):
    """The history, or the trace, has no more decisions."""


class Recorder:
    """Plays a match and tells its events.

    draw, choose: where outcomes and actions come from; choose raises DoneError where there are no more.
    first: number in the trace of the seat that begins; order: names of the supply as options list them.
    """

    def __init__(
        self, game: Game, state: State, draw: Source, choose: Source, first: int = 0, order: Sequence[str] = ()
    ) -> None:
        self.game, self.state = game, state
        self._draw, self._choose = draw, choose
        self.names = trace_events.Names(first, game.num_seats(state), {name: n for n, name in enumerate(order)})
        self._shuffles = [0] * game.num_seats(state)
        self._decks: list[tuple[Event, list[str]]] = []
        self._deck_of: dict[int, list[str]] = {}
        self._drawn: list[str] = []

    def events(self) -> Iterator[Event]:
        """Events from here to the end, or until there are no more outcomes or decisions."""
        is_answered = False
        while (player := self.game.current_player(self.state)) != TERMINAL:
            if player != CHANCE and is_answered:
                yield trace_events.position(self.game, self.state, self.names)
            try:
                number = self._draw(self.state) if player == CHANCE else self._choose(self.state)
            except DoneError:
                return
            is_answered |= player != CHANCE
            yield from self._chance(number) if player == CHANCE else self._decision(number)
        yield trace_events.end(self.game, self.state, self.names)
        yield trace_events.position(self.game, self.state, self.names)

    def _decision(self, action: int) -> Iterator[Event]:
        yield trace_events.decision(self.game, self.state, action, self.names)
        yield from self._step(action)

    def _chance(self, card: int) -> Iterator[Event]:
        if self.state[layout.KIND] == layout.DRAW_KINGDOM:
            self.state = self.game.apply(self.state, card)
            return
        yield from self._new_decks()
        self._drawn.append(cards.name(card))
        self._deck_of[int(self.state[layout.DRAWER])].append(cards.name(card))
        yield from self._step(card)

    def _step(self, number: int) -> Iterator[Event]:
        """Apply an action or an outcome and tell what moved."""
        before, after = self.state, self.game.apply(self.state, number)
        self.state = after
        if self._drawn and not trace_events.goes_on_drawing(before, after):
            yield trace_events.draw_event(before, self._drawn, self.names)
            self._drawn = []
        yield from trace_events.moves(before, after, number, self.names)
        yield from self._new_decks()
        yield from trace_events.new_turn(before, after, self.names)

    def _new_decks(self) -> Iterator[Event]:
        """A shuffle where the seat that draws has a new deck; its cards in the order of their numbers."""
        seat = int(self.state[layout.DRAWER])
        made = int(self.state[reading.seat_at(seat) + layout.SHUFFLES])
        if self.state[layout.PLAYER] == CHANCE and made != self._shuffles[seat]:
            self._shuffles[seat] = made
            deck = reading.seat_zone(self.state, seat, layout.DECK)
            names = [cards.name(card) for card, count in deck.items() for _ in range(count)]
            event = {"e": "shuffle", "p": self.names.player(seat), "deck": names}
            self._deck_of[seat] = []
            self._decks.append((event, self._deck_of[seat]))
            yield event

    def put_decks_in_order(self) -> None:
        """Give each shuffled deck the order in which it was drawn; what nobody drew lies below."""
        for event, drawn in self._decks:
            rest = list(event["deck"])
            for name in drawn:
                rest.remove(name)
            event["deck"] = rest + drawn[::-1]


# ---------------------------------------------------------------- writing
def write(game: Game, match: Mapping[str, Any]) -> dict[str, Any]:
    """A match as a trace.

    match: options (JSON), seats, seed, policy (a line on who played) and history, the chance
    outcomes and actions in the order in which they were applied; any other key is kept.
    """
    options = option_tools.from_json(game.options, match["options"])
    start = game.initial_state(options, match["seats"])
    history = _History(game, start, match["history"])
    recorder = Recorder(game, start, history.draw, history.choose)
    events = list(recorder.events())
    recorder.put_decks_in_order()
    kept = {key: value for key, value in match.items() if key not in ("options", "seats", "history")}
    config = {
        "players": match["seats"],
        "seed": match.get("seed"),
        "sizes": options.sizes,
        "edition": int(options.edition),
        "treasures": options.treasures,
        "allow_curse_buy": options.curse_buys,
        "max_turns": options.turn_limit,
        "woodcutter_coins": options.woodcutter_coins,
        "first": 0,
        "kingdom": reading.kingdom(recorder.state),
    }
    supply = {cards.name(card): size for card, size in _piles(recorder.state, options.sizes).items()}
    result = next(({k: v for k, v in event.items() if k != "e"} for event in events if event["e"] == "end"), None)
    return {"format": FORMAT, **kept, "config": config, "supply": supply, "events": events, "result": result}


def _piles(state: State, sizes: str) -> dict[int, int]:
    row = cards.pile_sizes(sizes)[int(state[layout.NUM_SEATS]) - 1]
    return {card: int(row[card]) for card in reading.piles(state)}


class _History:
    """Outcomes and actions as they were applied; playing all Treasures becomes playing each."""

    def __init__(self, game: Game, state: State, numbers: Sequence[int]) -> None:
        self._numbers: list[int] = []
        for number in numbers:
            if game.current_player(state) >= 0 and number == layout.ALL:
                self._numbers += trace_events.treasures(state)
            else:
                self._numbers.append(number)
            state = game.apply(state, number)
        self._numbers.reverse()

    def draw(self, state: State) -> int:
        if not self._numbers:
            raise DoneError
        return self._numbers.pop()

    choose = draw


# ---------------------------------------------------------------- replaying
class _Script:
    """Decks and choices of a trace."""

    def __init__(self, game: Game, trace: Mapping[str, Any], first: int) -> None:
        self._game = game
        seats = trace["config"]["players"]
        self._decks: list[list[list[str]]] = [[] for _ in range(seats)]
        for event in trace["events"]:
            if event["e"] == "shuffle":
                self._decks[(event["p"] - first) % seats].append(list(event["deck"]))
        self._choices = [event["choice"] for event in trace["events"] if event["e"] == "choose"][::-1]

    def draw(self, state: State) -> int:
        seat = int(state[layout.DRAWER])
        number = int(state[reading.seat_at(seat) + layout.SHUFFLES])
        return cards.by_name()[self._decks[seat][number - 1].pop()].number

    def choose(self, state: State) -> int:
        if not self._choices:
            raise DoneError
        wanted = self._choices.pop()
        for action in self._game.legal_actions(state).tolist():
            if action != layout.ALL and trace_events.action_text(int(state[layout.KIND]), action) == wanted:
                return int(action)
        raise IllegalActionError(f"{wanted} is not legal")


def replay(game: Game, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
    """Replay one trace; return (decisions compared, first mismatch or None).

    A mismatch is {"ply", "field", "expected", "got"}; a choice that our rules refuse is one too.
    """
    config = trace["config"]
    options = option_tools.from_json(game.options, options_of(config))
    first = config.get("first", 0)
    start = game.initial_state(options, config["players"])
    script = _Script(game, trace, first)
    events = Recorder(game, start, script.draw, script.choose, first, list(trace["supply"])).events()
    plies = 0
    for number, expected in enumerate(trace["events"]):
        try:
            got = next(events, None)
        except (IllegalActionError, LookupError) as error:
            return plies, {"ply": plies, "field": "choice", "expected": _short(expected), "got": str(error)}
        if difference := _difference(expected, got):
            return plies, {"ply": plies, "event": number, **difference}
        plies += expected["e"] == "choose"
    if (extra := next(events, None)) is not None:
        return plies, {"ply": plies, "field": "events", "expected": None, "got": _short(extra)}
    return plies, None


def options_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a trace's configuration."""
    limit = config.get("max_turns")
    return {
        "kingdom": "cards",
        "cards": ", ".join(config["kingdom"]),
        "sizes": config["sizes"],
        "edition": str(config["edition"]),
        "treasures": config["treasures"],
        "curse_buys": config["allow_curse_buy"],
        "woodcutter_coins": config.get("woodcutter_coins", 2),
        "turn_limit": layout.MAX_TURN_LIMIT if limit is None else min(limit, layout.MAX_TURN_LIMIT),
    }


def _short(event: Event) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "s"}


def _difference(expected: Event, got: Event | None) -> dict[str, Any] | None:
    """Find what differs in the fields that we state, too; a shuffled deck is compared as a set of cards."""
    if got is None or expected["e"] != got["e"]:
        return {"field": "events", "expected": _short(expected), "got": None if got is None else _short(got)}
    for field, value in got.items():
        if field == "s":
            if found := _state_difference(expected["s"], value):
                return found
        elif field == "deck":
            if sorted(expected["deck"]) != sorted(value):
                return {"field": "shuffle.deck", "expected": expected["deck"], "got": value}
        elif field in expected and expected[field] != value:
            return {"field": f"{expected['e']}.{field}", "expected": expected[field], "got": value}
    return None


def _state_difference(expected: Mapping[str, Any], got: Mapping[str, Any]) -> dict[str, Any] | None:
    for field, value in got.items():
        if field == "players":
            for player, (one, other) in enumerate(zip(expected["players"], value, strict=True)):
                for zone, counts in other.items():
                    if zone in one and one[zone] != counts:
                        return {"field": f"state.players.{player}.{zone}", "expected": one[zone], "got": counts}
        elif field in expected and expected[field] != value:
            return {"field": f"state.{field}", "expected": expected[field], "got": value}
    return None
