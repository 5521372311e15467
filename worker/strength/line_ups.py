"""Players and specs of measurements, short enough that a measurement is a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines import levels, named_engines
from engines import registry as engine_registry
from games import registry, rule_sets
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.strength import model
from worker.strength.model import WIN, Measurement, Target
from worker.studies import tuned_values

SEED = 2026
FRESH = 2027
"""For those that had been measured before: deals that nobody had seen."""
SECONDS = "seconds_per_ply"
Player = Mapping[str, Any]
"""A seat as specs write it."""


def engine(name: str, budget: Mapping[str, int | float] | None = None, **options: Any) -> dict[str, Any]:
    """An engine with those options that differ from what it begins with."""
    return {"engine": name, "options": options, "budget": dict(budget or {})}


def policy(name: str) -> dict[str, Any]:
    """A policy of the game by itself."""
    return engine("scripted", policy=name)


def level(game: str, level_id: str) -> dict[str, Any]:
    """A level as it is now, with the budget that it was measured with. Raises KeyError."""
    found = levels.get(game, level_id)
    return {"engine": found.engine, "options": dict(found.options), "budget": dict(found.budget)}


def strongest(game: str) -> str:
    """Id of the strongest level. Raises IndexError where nobody has named any."""
    return levels.for_game(game)[-1].id


def named(named_id: str) -> dict[str, Any]:
    """A configuration by its name, with the budget that the name stands for. Raises KeyError."""
    found = named_engines.get(named_id)
    return {"engine": found.engine, "options": dict(found.options), "budget": dict(found.budget)}


def for_seconds(player: Player, seconds: float) -> dict[str, Any]:
    """The same player with CPU seconds a ply in place of its budget, where it knows seconds."""
    knows = SECONDS in engine_registry.get(player["engine"]).budgets
    return {**player, "budget": {SECONDS: seconds}} if knows else dict(player)


def versus(
    game: str,
    ours: Player,
    theirs: Player,
    *,
    deals: int,
    seats: int = 0,
    target: Target | None = None,
    rules: str = "",
    seed: int = SEED,
) -> dict[str, Any]:
    """An experiment of one side against the others, every deal in all seatings.

    seats: the fewest that there are with a rival where it is 0. With two, or with teams, the sides take turns round
    the table; with more, one of ours sits among others. target: a sequential test about it, where it has one, ends
    the experiment, and `deals` are the most. rules: by name, the paper's where it is empty.
    """
    found = registry.get(game)
    size = seats or max(2, found.traits.min_seats)
    pair = [dict(ours), dict(theirs)]
    line_up = pair * (size // 2) if size == 2 or found.traits.has_teams else [pair[0], *[pair[1]] * (size - 1)]
    stop = {"stop": _test(target)} if target and target.about else {}
    return {
        "version": 1,
        "game": game,
        "options": rule_sets.complete(found, rules or rule_sets.PAPER),
        "seats": size,
        "arms": [{"name": "Measured", "seats": line_up}],
        "deals": deals,
        "rotation": "all",
        "seed": seed,
        **stop,
    }


def _test(target: Target) -> dict[str, Any]:
    """Whether the target is missed or met by its `about`; of two sides a share won is half of the lead and a half."""
    low, high = target.value - target.about, target.value + target.about
    if target.measure == WIN:
        return {"rule": "sprt", "on": WIN_RATE, "h0": _lead(low), "h1": _lead(high)}
    return {"rule": "sprt", "on": MARGIN, "h0": low, "h1": high}


def _lead(share: float) -> float:
    """Per cent won more than the only other side, without draws."""
    return round(100 * (2 * share - 1), 6)


def insider(game: str, level_id: str, budget: Mapping[str, int], deals: int, **options: Any) -> Measurement:
    """Flat search whose playouts let everybody play by the very policy of a level, which it so knows."""
    frozen, label = level(game, level_id), levels.get(game, level_id).label
    chosen = {"policy": frozen["options"].get("policy", frozen["engine"]), **options}
    return Measurement(
        f"{game}-insider-{level_id}",
        game,
        model.INSIDER,
        f"An insider against {label}",
        f"Flat search that plays out every action with {label}'s own policy in all seats: it knows what the other "
        "will do, but for the draws.",
        versus(game, engine("flat_mc", budget, **chosen), frozen, deals=deals),
    )


def response(
    game: str, level_id: str, start: Player, values: str, *, size: tuple[int, int, int], rules: str = ""
) -> Measurement:
    """Numbers of an opponent's options tuned against a frozen level, and confirmed on deals of their own.

    values: as forms write them, "c 0.1 to 100 log, epsilon 0 to 0.5"; size: candidates, deals of the search, and of
    the confirmation; rules: as in `versus`.
    """
    candidates, deals, confirm = size
    tuned = tuned_values.read(tuned_values.parse(values), (), start["engine"])
    names = [value.label.rpartition(": ")[2] for value in tuned]
    found, label = registry.get(game), levels.get(game, level_id).label
    num_seats = max(2, found.traits.min_seats)
    seats = [dict(start), level(game, level_id)] * (num_seats // 2)
    return Measurement(
        f"{game}-response-{level_id}",
        game,
        model.RESPONSE,
        f"A response tuned against {label}",
        f"{candidates} opponents with other numbers for {_listed(names)} play {label} as it stands; after each round "
        "the better half goes on, and the last one meets it on fresh deals.",
        {
            "version": 1,
            "study": "tuning",
            "game": game,
            "parameters": {
                "seats": seats,
                "places": list(range(0, num_seats, 2)),
                "options": rule_sets.complete(found, rules or rule_sets.PAPER),
                "values": tuned_values.parse(values),
                "candidates": candidates,
                "deals": deals,
                "confirm": confirm,
                "outcome": "win",
            },
            "seed": SEED,
        },
    )


def _listed(names: Sequence[str]) -> str:
    """Names of options within a sentence."""
    small = [name[:1].lower() + name[1:] for name in names]
    return f"{', '.join(small[:-1])} and {small[-1]}" if len(small) > 1 else small[0]


def regret(game: str, *, positions: int, playouts: int, rules: str = "", policy: str = "") -> Measurement:
    """Points that all levels of a game give away a decision.

    policy: all play on by it; the best quick one where it is empty.
    """
    found = registry.get(game)
    by = {"policy": policy} if policy else {}
    return Measurement(
        f"{game}-regret",
        game,
        model.REGRET,
        "Points given away a decision",
        "Every level decides in the same positions; what its choice is worth less than the best action found.",
        {
            "version": 1,
            "study": "regret",
            "game": game,
            "parameters": {
                "positions": positions,
                "playouts": playouts,
                **by,
                "options": rule_sets.complete(found, rules or rule_sets.PAPER),
            },
            "seed": SEED,
        },
    )
