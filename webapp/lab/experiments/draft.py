"""The data of the form as flat text, and changes of it: fill in, add, copy or remove an arm or axis.

Names follow the spec: ``arm-0-seat-1-option-epsilon``. `complete` fills in any posted data,
so that every change of game, seats or engine keeps the values that still fit and takes
defaults for the others. Nothing here judges values: the forms do.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games import registry as game_registry
from games.protocol import Game
from webapp.common import engine_forms, option_forms
from webapp.common.numbers import parse_whole
from webapp.common.option_forms import rules_data, to_data
from webapp.common.table_size import default_num_seats
from webapp.lab.experiments import axes
from worker import spec as specs
from worker.planning import openings
from worker.spec import ROTATIONS, seatings, stop
from worker.spec.agents import PREFIX, is_agent
from worker.spec.stop import StopSpec

Data = dict[str, str]
SEED_LIMIT = 1_000_000
"""Drawn seeds are below this: short enough to read out."""
DEFAULTS = {
    "title": "",
    "deals": "50",
    "rotation": "all",
    "record": "standard",
    "queue": "batch",
    "priority": "0",
    "confirmed": "",
    "wanted": "5",
    "trial": "",
    "origin": "",
    "same_matches": "",
    "baseline": "",
}
"""The last three are no part of the spec: the difference to find, the trial that was played, what is run again."""
OPENERS = ("flat_mc", "random")
"""Engines of a fresh line-up where a game has no opening; the last one fills the other seats."""


def draw_seed() -> str:
    """A fresh seed."""
    return str(secrets.randbelow(SEED_LIMIT))


def seat_prefix(arm: int, seat: int) -> str:
    """Prefix of the fields of one place of a line-up."""
    return f"arm-{arm}-seat-{seat}"


def _within(text: str | None, low: int, high: int, default: int) -> int:
    number = parse_whole(text)
    return number if number is not None and low <= number <= high else default


def num_arms(data: Mapping[str, str]) -> int:
    """The number of arms in the data."""
    return _within(data.get("arms"), 1, specs.MAX_ARMS, 1)


def num_axes(data: Mapping[str, str]) -> int:
    """The number of axes of the data's sweep."""
    return _within(data.get("axes"), 0, axes.MAX_AXES, 0)


def complete(posted: Mapping[str, str], agents: Sequence[str] = ()) -> Data:
    """Fill in missing values, and drop those of another game or engine.

    agents: names of those that may be chosen.
    """
    game_id = posted.get("game", "")
    if game_id not in game_registry.ids():
        game_id = game_registry.ids()[0]
    game = game_registry.get(game_id)
    low, high = game.traits.min_seats, game.traits.max_seats
    seats = _within(posted.get("seats"), low, high, default_num_seats(game.traits))
    data = {key: posted.get(key, default) for key, default in DEFAULTS.items()}
    data |= {"game": game_id, "rules-for": game_id, "seats": str(seats), "arms": str(num_arms(posted))}
    data["seed"] = posted["seed"] if "seed" in posted else draw_seed()
    data["submission"] = posted.get("submission") or str(uuid.uuid4())
    data |= rules_data(game, posted) | option_forms.complete(StopSpec, posted, "stop")
    engines = (*engine_forms.offered(game), *(f"{PREFIX}{name}" for name in agents))
    known = _without_openings(posted) if posted.get("rules-for", game_id) != game_id else posted
    opening = _opening(game_id, seats)
    for arm in range(num_arms(posted)):
        data[f"arm-{arm}-name"] = posted.get(f"arm-{arm}-name", f"Arm {arm + 1}")
        for seat in range(seats):
            prefix = seat_prefix(arm, seat)
            if f"{prefix}-engine" not in known and seat < len(opening):
                known = {**known, **_seat_data(prefix, opening[seat], game)}
            opener = OPENERS[min(seat, len(OPENERS) - 1)]
            data |= engine_forms.complete(known, prefix, engines, opener, game)
    return data | _complete_axes(posted, data)


def _opening(game_id: str, seats: int) -> Sequence[Mapping[str, Any]]:
    """The line-up that a game begins with; empty where nobody has chosen one."""
    opening = openings.for_game(game_id)
    return openings.lineup(opening, opening.first, seats) if opening else ()


def _seat_data(prefix: str, seat: Mapping[str, Any], game: Game) -> Data:
    return engine_forms.begun_data(prefix, seat["engine"], seat.get("options", {}), seat.get("budget", {}), game)


def _without_openings(posted: Mapping[str, str]) -> Data:
    """The data without the places that still are as the game of before began: the new game begins in its own way."""
    before = posted["rules-for"]
    kept = dict(posted)
    if before not in game_registry.ids():
        return kept
    game, seats = game_registry.get(before), _within(posted.get("seats"), 1, 99, 0)
    for arm in range(num_arms(posted)):
        for seat, entry in enumerate(_opening(before, seats)):
            prefix = seat_prefix(arm, seat)
            begun = _seat_data(prefix, entry, game)
            if engine_forms.is_same(posted, begun, prefix):
                kept = {key: value for key, value in kept.items() if key not in begun}
    return kept


def _complete_axes(posted: Mapping[str, str], data: Mapping[str, str]) -> Data:
    """The sweep of the first line-up; the other arms stand beside it."""
    prefixes = [seat_prefix(0, seat) for seat in range(int(data["seats"]))]
    engines = [data[f"{prefix}-engine"] for prefix in prefixes]
    budgets = [data.get(f"{prefix}-budget-key", "") for prefix in prefixes]
    made = axes.complete_axes(posted, num_axes(posted), engines, budgets, game_registry.get(data["game"]))
    if num_axes(made) and not data["arm-0-name"].strip():
        made["arm-0-name"] = "Arm 1"  # nobody sees it: a sweep names its arms itself
    return made


def dropped_sweep(posted: Mapping[str, str], data: Mapping[str, str]) -> str:
    """Labels of options that the posted sweep varied and the completed data's engines lack; empty if none."""
    if posted.get("rules-for") != data["game"]:
        return ""
    shown = [posted.get(f"{seat_prefix(0, seat)}-for", "") for seat in range(int(data["seats"]))]
    game = game_registry.get(data["game"])
    suitable = engine_forms.offered(game)
    return axes.dropped_labels(
        posted, data, num_axes(posted), [engine for engine in shown if engine in suitable or is_agent(engine)], game
    )


def _renamed(data: Mapping[str, str], old: int, new: int) -> Data:
    prefix = f"arm-{old}-"
    return {f"arm-{new}-{key.removeprefix(prefix)}": value for key, value in data.items() if key.startswith(prefix)}


def _without_arms(data: Mapping[str, str]) -> Data:
    return {key: value for key, value in data.items() if not key.startswith("arm-")}


def _ordered(data: Mapping[str, str], order: Iterable[int | None]) -> Data:
    """The data with the arms of `order` (old index, or None for a fresh one); the baseline stays the same arm."""
    made = _without_arms(data)
    indices = list(order)
    kept = {f"arm-{old}": f"arm-{new}" for new, old in reversed([*enumerate(indices)]) if old is not None}
    if data.get("baseline", "").startswith("arm-"):
        made["baseline"] = kept.get(data["baseline"], "")
    for new, old in enumerate(indices):
        if old is not None:
            made |= _renamed(data, old, new)
    return made | {"arms": str(len(indices))}


def add_arm(data: Mapping[str, str]) -> Data:
    """One more arm with a fresh line-up."""
    count = num_arms(data)
    return _ordered(data, [*range(count), None] if count < specs.MAX_ARMS else range(count))


def duplicate_arm(data: Mapping[str, str], arm: int) -> Data:
    """A copy of an arm right after it."""
    count = num_arms(data)
    if not 0 <= arm < count or count >= specs.MAX_ARMS:
        return dict(data)
    made = _ordered(data, [*range(arm + 1), arm, *range(arm + 1, count)])
    made[f"arm-{arm + 1}-name"] = f"{data.get(f'arm-{arm}-name', 'Arm')[: specs.MAX_NAME - 7]} (copy)"
    return made


def remove_arm(data: Mapping[str, str], arm: int) -> Data:
    """The data without an arm; the last one stays."""
    count = num_arms(data)
    return _ordered(data, [i for i in range(count) if i != arm]) if count > 1 else dict(data)


def add_axis(data: Mapping[str, str]) -> Data:
    """One more axis of the sweep."""
    return {**data, "axes": str(min(num_axes(data) + 1, axes.MAX_AXES))}


def remove_axis(data: Mapping[str, str], axis: int) -> Data:
    """The data without an axis; the others close the gap."""
    count = num_axes(data)
    made = {key: value for key, value in data.items() if not key.startswith("sweep-")}
    kept = [i for i in range(count) if i != axis]
    for new, old in enumerate(kept):
        before, after = f"{axes.axis_prefix(old)}-", f"{axes.axis_prefix(new)}-"
        made |= {after + key.removeprefix(before): value for key, value in data.items() if key.startswith(before)}
    return made | {"axes": str(len(kept))}


def from_spec(spec: specs.ExperimentSpec, title: str = "", agents: Sequence[str] = ()) -> Data:
    """The data that this spec is made from; arms of a sweep get the names that it makes.

    agents: names of those that may be chosen; an engine takes the seat of any other.
    """
    arms = (spec.arms[0], *spec.arms[spec.num_swept :]) if spec.sweep else spec.arms
    data: Data = {
        "title": title,
        "game": spec.game,
        "rules-for": spec.game,
        "seats": str(spec.seats),
        "arms": str(len(arms)),
        "axes": str(len(spec.sweep)),
        "baseline": _baseline(spec),
        "deals": str(spec.deals),
        "rotation": spec.rotation if spec.rotation in ROTATIONS else seatings.ALL,
        "seed": draw_seed() if spec.has_agents else str(spec.seed),
        "record": spec.record,
        "queue": spec.queue,
        "priority": str(spec.priority),
    }
    data |= to_data(spec.options, "rules") | to_data(stop.to_json(spec.stop), "stop")
    for index, axis in enumerate(spec.sweep):
        data |= axes.axis_data(index, axis)
    for index, arm in enumerate(arms):
        data[f"arm-{index}-name"] = "Arm 1" if spec.sweep and not index else arm.name
        for seat, entry in enumerate(arm.seats):
            prefix = seat_prefix(index, seat)
            data |= engine_forms.configuration_data(prefix, entry.engine, entry.options, entry.budget.to_json())
    return complete(data, agents)


def _baseline(spec: specs.ExperimentSpec) -> str:
    """The baseline as the form names it: an arm of the sweep, or one of those that people write."""
    if spec.baseline < spec.num_swept:
        return f"sweep-{spec.baseline}"
    return f"arm-{spec.baseline - spec.num_swept + bool(spec.sweep)}"


def apply_action(data: Mapping[str, str], action: str) -> Data:
    """Carry out an action of the form: ``add``, ``copy:1``, ``remove:1``, ``add-axis``, ``remove-axis:0``, ``seed``,
    ``deals:400``.

    Other actions change nothing.
    """
    name, _, number = action.partition(":")
    found = parse_whole(number)
    arm = -1 if found is None else found
    actions: dict[str, Any] = {
        "add": lambda: add_arm(data),
        "copy": lambda: duplicate_arm(data, arm),
        "remove": lambda: remove_arm(data, arm),
        "add-axis": lambda: add_axis(data),
        "remove-axis": lambda: remove_axis(data, arm),
        "seed": lambda: {**data, "seed": draw_seed()},
        "deals": lambda: {**data, "deals": number} if found else dict(data),
    }
    return actions[name]() if name in actions else dict(data)
