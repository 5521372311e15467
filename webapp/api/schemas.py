"""Types of requests and answers: the OpenAPI page and every check of a body come from here."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag

from webapp.api.shapes import shaped_like
from webapp.table.live import snapshot

Digits = Annotated[str, BeforeValidator(str)]
"""A whole number as text: seeds are larger than what JavaScript counts exactly."""

NO_NUL = r"^[^\x00]*$"
"""Pattern of a text that people typed: no database holds a NUL."""

MAX_SEATS = 16


class Strict(Schema):
    """A body that takes no field it does not know."""

    model_config = ConfigDict(extra="forbid")


# ---- errors


class ProblemItem(Schema):
    """One invalid value."""

    place: str = Field(description="Such as body.seats[1].level or query.wait")
    message: str


class Problem(Schema):
    """RFC 9457 problem details; members beside these depend on the type."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="Address of the page that explains this kind of problem")
    title: str
    status: int
    detail: str
    errors: list[ProblemItem] | None = Field(None, description="invalid: what is wrong where")
    version: int | None = Field(None, description="409: version of the match now")
    ply: int | None = Field(None, description="409: plies played now; the next action names this ply")
    on_turn: int | None = Field(None, description="409: seat on turn now")
    match_status: str | None = Field(None, description="409: status of the match now")
    confirm: str | None = Field(None, description="unconfirmed: what confirms it")
    retry_after_s: int | None = Field(None, description="429: seconds to wait")


# ---- games and levels


class Choice(Schema):
    """A value that an option may take."""

    value: bool | int | float | str
    label: str


class Where(Schema):
    """Values of another option with which this one does something; with others it must stay at its default."""

    option: str
    values: list[bool | int | float | str]


class Option(Schema):
    """An option of a game's rules or of an engine."""

    name: str
    type: str = Field(
        description="bool, int, float, str, or data: an object in the game's own form, such as a strategy"
    )
    label: str
    help: str
    default: bool | int | float | str | dict[str, Any]
    minimum: float | None
    maximum: float | None
    choices: list[Choice]
    names: str = Field(description="The attribute of the game that lists more choices, such as policies")
    where: Where | None = Field(None, description="Null: it always does something")


class GameRow(Schema):
    """A game in the list."""

    id: str
    label: str
    version: str
    min_seats: int
    max_seats: int


class StepOut(Schema):
    """One kind of part that an action is spelt of."""

    name: str
    label: str
    ask: str
    kind: str
    default: str = Field(description="The value that boards propose where it is legal; empty: none")


class RuleSetOut(Schema):
    """Rules known by a name."""

    name: str
    summary: str
    options: dict[str, Any] = Field(description="Options that differ from the defaults, which are the papers' rules")


class GameOut(GameRow):
    """A game: its options, and how its actions are spelt."""

    has_chance: bool
    has_hidden_information: bool
    has_teams: bool
    max_legal_actions: int
    max_plies: int
    options: list[Option]
    presets: list[RuleSetOut] = Field(description="Rules by name, those first that people begin with")
    steps: list[StepOut] = Field(description="The parts of an action in order; an action may leave later ones out")
    policies: list[str]
    rules: str = Field(description="The rules as they are played here, and notations, in Markdown")


class MeasuredOut(Schema):
    """Matches of a level against the next stronger one, counted for the weaker."""

    wins: int
    draws: int
    losses: int


class LevelOut(Schema):
    """A named level of a game's engines, weakest first."""

    id: str
    label: str
    summary: str
    engine: str
    options: dict[str, Any]
    budget: dict[str, Any]
    has_clock: bool = Field(description="Whether it may think for another time instead (seconds of its seat)")
    against_next: MeasuredOut | None


class Levels(Schema):
    """The levels of a game."""

    levels: list[LevelOut]


class EngineOut(Schema):
    """An engine with its options and what limits its thinking."""

    id: str
    version: str
    label: str
    summary: str
    peeks: bool = Field(description="Sees what its seat cannot know: not for matches in play")
    options: list[Option]
    budgets: list[str]
    default_budget: dict[str, float]
    games: list[str]


class Games(Schema):
    """All games."""

    games: list[GameRow]


class Engines(Schema):
    """All engines."""

    engines: list[EngineOut]


# ---- an agent


class Me(Schema):
    """The agent whose token this is."""

    agent: str
    description: str
    owner: str
    scopes: list[str]
    token: str = Field(description="Its label and first characters")
    unfinished: int = Field(description="Matches of the agent that are open or running")
    finished: int
    requests_per_minute: int


# ---- opening a match


class LevelSeat(Strict):
    """A seat for an engine by level."""

    level: str = Field(max_length=40)
    seconds: float | None = Field(
        None,
        ge=0.05,
        le=10,
        description="Thinking time a ply, for levels with a clock; else as it was measured",
    )


class EngineSeat(Strict):
    """A seat for an engine by its full configuration."""

    engine: str = Field(max_length=40)
    options: dict[str, Any] = {}
    budget: dict[str, Any] | None = Field(
        None,
        description="Never more than 10 seconds a ply; by default the engine's own. A count (playouts, nodes) may be "
        'one for each round or ply: {"playouts": {"by": "round", "counts": [29, 31, 40]}}; the last one '
        "holds for all that come later.",
    )


class AgentSeat(Strict):
    """A seat for another agent of the same owner."""

    agent: str = Field(max_length=40)


def _kind_of_seat(value: Any) -> str | None:
    """The form of a seat that a value tries to be, so that errors speak of that form alone."""
    if isinstance(value, str):
        return "<name>"
    names = value if isinstance(value, dict) else vars(value) if isinstance(value, Schema) else {}
    return next((f"<{name}>" for name in ("level", "engine", "agent") if name in names), None)


SeatIn = Annotated[
    Annotated[Literal["me", "open", "invited"], Tag("<name>")]
    | Annotated[LevelSeat, Tag("<level>")]
    | Annotated[EngineSeat, Tag("<engine>")]
    | Annotated[AgentSeat, Tag("<agent>")],
    Discriminator(
        _kind_of_seat,
        custom_error_type="seat",
        custom_error_message='must be "me", "open", "invited" or an object with level, engine or agent',
    ),
]


class MatchIn(Strict):
    """A match to open. It begins at once where no seat waits for anybody."""

    game: str = Field(max_length=40)
    options: dict[str, Any] = Field({}, description="Options of the rules; absent ones take their default")
    seats: list[SeatIn] = Field(
        min_length=1,
        max_length=MAX_SEATS,
        description='"me", "open" (for anybody; the match is public), "invited" (for anyone with the join key), '
        '{"level": "easy"}, {"engine": "uct", "options": {}, "budget": {"seconds_per_ply": 1}} or {"agent": "name"}',
    )
    visibility: Literal["private", "unlisted", "public"] | None = Field(
        None, description="Who may look on; by default public where a seat is open, else private"
    )
    spectator_delay: int = Field(0, ge=0, le=100, description="Plies that spectators see late")
    ply_limit_s: int | None = Field(
        None, ge=5, le=604_800, description="A player away for longer at a ply forfeits, or is replaced by an engine"
    )
    clock_s: float | None = Field(
        None, ge=10, le=604_800, description="For all plies of a seat; it forfeits when time is up"
    )
    increment_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        description="What the clock of a seat gains with each ply of its own (Fischer)",
    )
    replaces_absent: bool = Field(True, description="An engine takes over for an absent player; else the seat forfeits")
    rated: bool = Field(
        False,
        description="It counts for ratings: rules by default, engines as levels without seconds of your own, one seat "
        "for each owner, and ply_limit_s or clock_s set",
    )
    key: str = Field("", max_length=200, description="Your own name for this request: again, it opens no second match")


class JoinIn(Strict):
    """Taking a seat."""

    seat: int | None = Field(None, ge=0, lt=MAX_SEATS, description="Which seat; by default the first that is free")
    key: str = Field("", max_length=64, description="The join key, for seats kept by invitation")


# ---- a match


@shaped_like(snapshot.Part)
class PartOut(Schema):
    """One part of an action."""


@shaped_like(snapshot.Action)
class ActionOut(Schema):
    """A legal action. The id means the same action in every position of the game."""


@shaped_like(snapshot.Seat)
class SeatOut(Schema):
    """A seat as everybody sees it."""


class ReplacedOut(Schema):
    """Player who sat there before an engine took over."""

    model_config = ConfigDict(extra="allow")


@shaped_like(snapshot.SeatInPlay)
class LiveSeatOut(Schema):
    """A seat with its points and clock."""

    replaced: list[ReplacedOut] | None


@shaped_like(snapshot.Scored)
class ScoredOut(Schema):
    """Something that scored."""


@shaped_like(snapshot.Move)
class MoveOut(Schema):
    """A ply as everybody sees it."""


@shaped_like(snapshot.LastMove)
class LastOut(Schema):
    """The ply that led to a position."""


@shaped_like(snapshot.Ending)
class EndingOut(Schema):
    """Ending of a match."""


@shaped_like(snapshot.Result)
class ResultOut(Schema):
    """Result of a seat."""


@shaped_like(snapshot.Snapshot, without=("has_aids", "rematch"))
class State(Schema):
    """A match as this agent may see it."""

    seed: Digits | None = None
    deal_seed: Digits | None = None


class Opened(Schema):
    """A match that was opened."""

    code: str
    status: str
    join_key: str | None = Field(
        description="Lets people you invite take the seats kept for them; tell it only to them"
    )
    page: str = Field(description="Address of the page that people see")


class Joined(Schema):
    """A seat that was taken."""

    code: str
    seat: int
    status: str


class MatchRow(Schema):
    """A match in a list."""

    code: str
    game: str
    status: str
    visibility: str
    ply: int
    version: int
    on_turn: int | None
    your_seats: list[int]
    seats: list[SeatOut]
    created_at: datetime


class MatchList(Schema):
    """A page of matches, newest first."""

    matches: list[MatchRow]
    next: int | None = Field(description="offset of the next page; null on the last")


class Turn(Schema):
    """A match in which this agent is on turn."""

    code: str
    game: str
    ply: int
    version: int
    seat: int


class Turns(Schema):
    """Matches where this agent is on turn, longest waiting first."""

    turns: list[Turn]
    unfinished: int = Field(description="Matches of the agent that are open or running: with 0 there is nothing to do")


class ActIn(Strict):
    """An action: its id or its notation."""

    ply: int = Field(description="ply of the state it answers", ge=0, le=1_000_000, strict=True)
    action: int | None = Field(None, strict=True)
    notation: str | None = Field(None, max_length=200)
    key: str = Field("", max_length=200, description="Your own name for this action: again, it plays no second action")


class Acted(MoveOut):
    """Action that was played: the same answer when the same request comes again."""

    code: str


class Wished(Schema):
    """The match after a wish."""

    code: str
    status: str
    version: int
