"""The form of a new match as flat text, filled in: ``seat-1-who``, ``seat-1-level``, ``rules-unplaceable``.

Every change of game, number of seats or who sits there keeps what still fits and takes
defaults for the rest. Fields that end with ``-for`` say what the shown form was made for
(`webapp.common.engine_forms.is_as_shown`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping

from engines import levels as engine_levels
from engines import registry as engine_registry
from games import registry as game_registry
from games import rule_sets
from games.protocol import Game
from webapp.common import engine_forms
from webapp.common.option_forms import rules_data
from webapp.common.table_size import default_num_seats
from webapp.play import level_cards

Data = dict[str, str]

ME, INVITE, ANYBODY, LEVEL, ENGINE, AGENT = "me", "invite", "anybody", "level", "engine", "agent"
OTHERS = (INVITE, ANYBODY, AGENT)
"""Kinds of players who may keep a person waiting for long."""
CASUAL, RATED = "casual", "rated"
PUBLIC, KEPT = "public", "visibility-kept"
RATED_PLY_LIMIT_S = str(3 * 86_400)
"""Limit of a rated match, so that it ends even if a player leaves."""
DEFAULTS = {
    "counts": CASUAL,
    "visibility": "private",
    "thinking_s": "1",
    "ply_limit_s": "",
    "clock_s": "",
    "increment_s": "0",
    "absence": "replace",
    "spectator_delay": "0",
}
SWITCHES = {"has_aids": "on", "shuffle": ""}
"""Boxes and how a fresh form shows them; one that is not ticked is not sent."""
ENGINE_OPENERS = ("flat_mc", "uct", "random")


def seat_prefix(seat: int) -> str:
    """Prefix of the fields of a seat."""
    return f"seat-{seat}"


def complete(posted: Mapping[str, str], kinds: Collection[str]) -> Data:
    """Fill in whatever the data lacks, and drop what belongs to another choice.

    kinds: who may sit at a seat.
    """
    game_id = posted.get("game", "")
    if game_id not in game_registry.ids():
        game_id = game_registry.ids()[0]
    game = game_registry.get(game_id)
    seats = _num_seats(posted.get("seats", ""), game)
    data = {key: posted.get(key, default) for key, default in DEFAULTS.items()}
    data |= {"game": game_id, "rules-for": game_id, "seats": str(seats)}
    if data["counts"] == RATED and not data["ply_limit_s"]:
        data["ply_limit_s"] = RATED_PLY_LIMIT_S
    data["submission"] = posted.get("submission") or str(uuid.uuid4())
    is_fresh = "rules-for" not in posted
    data |= {key: on for key, default in SWITCHES.items() if (on := default if is_fresh else posted.get(key, ""))}
    data |= rules_data(game, posted, rule_sets.opening(game))
    for seat in range(seats):
        data |= _complete_seat(posted, seat, game, kinds)
    return data | _visibility(posted, data)


def has_open_seat(data: Mapping[str, str]) -> bool:
    """Whether anybody may take a seat, for which the match has to be public."""
    return any(data[f"{seat_prefix(seat)}-who"] == ANYBODY for seat in range(int(data["seats"])))


def _visibility(posted: Mapping[str, str], data: Mapping[str, str]) -> Data:
    """Who may see it: everybody from when a seat is opened to anybody, and as before (`KEPT`) once none is.

    Only where the form takes another shape: what it is sent with is checked, never changed.
    """
    asked, kept = data["visibility"], posted.get(KEPT, "")
    seats = [seat_prefix(seat) for seat in range(int(data["seats"]))]
    is_changed = any(data[f"{seat}-who"] != posted.get(f"{seat}-who-for", data[f"{seat}-who"]) for seat in seats)
    if not has_open_seat(data):
        return {"visibility": kept or asked, KEPT: ""}
    if (is_changed or "rules-for" not in posted) and asked != PUBLIC:
        return {"visibility": PUBLIC, KEPT: asked}
    return {KEPT: kept}


def _num_seats(text: str, game: Game) -> int:
    known = range(game.traits.min_seats, game.traits.max_seats + 1)
    return int(text) if text in map(str, known) else default_num_seats(game.traits)


def _complete_seat(posted: Mapping[str, str], seat: int, game: Game, kinds: Collection[str]) -> Data:
    prefix = seat_prefix(seat)
    default = ME if seat == 0 else LEVEL if LEVEL in kinds else ENGINE
    who = posted.get(f"{prefix}-who", "")
    if who not in kinds:
        who = default
    data = {f"{prefix}-who": who, f"{prefix}-who-for": who}
    if who == LEVEL:
        known = [level.id for level in engine_levels.for_game(game.id)]
        chosen = posted.get(f"{prefix}-level", posted.get("level", ""))
        data[f"{prefix}-level"] = chosen if chosen in known else level_cards.opening_level(game.id)
    if who == AGENT:
        data[f"{prefix}-agent"] = posted.get(f"{prefix}-agent", "")
    if who == ENGINE:
        fitting = engine_registry.suitable(game)
        opener = next((name for name in ENGINE_OPENERS if name in fitting), fitting[0])
        data |= engine_forms.complete(posted, prefix, fitting, opener, game)
    return data
