"""Quality of beliefs about hidden hands: log-loss by ply, calibration, and what weighing costs in samples.

Parameters: `players` (a name of `teams.PLAYERS`, or a label and a seat), each in all four seats of `deals`
rounds; `level` and `depth`, by which others are thought to play (the paper's gamma), and `worlds` drawn
for each position. Before every turn each belief (`games.dominoes.belief.quality`) of the seat on turn is compared
with the true hands. A piece is one round of one player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import registry as game_registry
from games import rng
from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.belief import quality
from games.json_paths import Path
from games.options import option
from games.protocol import TERMINAL, Game, State
from worker.analysis.moments import BlockMoments, Moments
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import duels, form, sums, teams
from worker.studies.protocol import StudySpec

MAX_DEALS, MAX_PLAYERS, MAX_WORLDS = 20_000, 6, 20_000
MOST_PLIES = 32
"""Plies of a round that are told apart; few have more, which are left out."""
CLASSES = 10
"""Number of classes of predicted chances, equally wide."""
WORLD_S = 1.2e-5
"""CPU seconds of a world drawn and weighed three times; twice as many for each turn that others search."""
TURNS = 25
LABELS = {
    "paper": "the paper's belief",
    "exact": "exact posterior",
    "flat": "gamma, flat",
    "per_legal": "gamma, by move",
    "manner": "fitted play",
}
"""Names of `quality.BELIEFS`."""
KEYS = {"players": False, "player": False, "deals": False, "worlds": False, "level": False, "depth": False}
"""Parameter -> whether it must be there."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    player: str = teams.choice("greedy", "Player", "In all four seats.")
    deals: int = option(100, "Deals", "Rounds played.", minimum=1, maximum=MAX_DEALS)
    level: float = option(
        0.5, "Level of others", "The paper's gamma; fitted play: how much it counts.", minimum=0.0, maximum=1.0
    )
    depth: int = option(0, "Their search", "Turns searched by others; 0: the most pips.", minimum=0, maximum=6)
    worlds: int = option(500, "Worlds", "Drawn and weighed for each position.", minimum=10, maximum=MAX_WORLDS)


class BeliefQuality:
    """Beliefs beside the truth; see `worker.studies.protocol.StudyKind`."""

    id = "belief_quality"
    version = "1"
    label = "Quality of beliefs"
    summary = "Which chances the paper's belief, the exact one and inference from play give to what is really held."
    row_fields: Mapping[str, Field] = {
        "player": Field("Number of the player in the spec, from 0."),
        "deal": Field("Deal, counted from 0."),
        "plies": Field(
            "By ply: of every belief the logarithm of the chance that it gave the true deal, and its effective worlds.",
            "json",
            "nats",
        ),
        "classes": Field(
            "By belief and class of chance: how many chances fell into it, their sum, how many came true.", "json"
        ),
    }
    options = Options
    games = teams.GAMES

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "hands of this kind")
        fields = dict(checks.object_of(parameters, (), KEYS))
        listed = fields.pop("players", None)
        if listed is not None and "player" in fields:
            raise SpecError(("player",), "stands for the only one of players: one of the two is enough")
        chosen = form.read_options(Options, {"player": "greedy", **fields})
        rows = checks.list_of([chosen.player] if listed is None else listed, ("players",), 1, MAX_PLAYERS)
        players = [_player(row, ("players", i), game) for i, row in enumerate(rows)]
        if len({player["label"] for player in players}) < len(players):
            raise SpecError(("players",), "must have different labels")
        numbers = {name: getattr(chosen, name) for name in ("deals", "level", "depth", "worlds")}
        return {"players": players, **numbers}

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        if len(parameters["players"]) > 1:
            raise SpecError(("players",), "are more than the form offers")
        player = parameters["players"][0]
        if player["label"] != teams.label_of(player["player"]):
            raise SpecError(("players",), "have a label that the form does not give")
        numbers = {name: parameters[name] for name in ("deals", "level", "depth", "worlds")}
        return {"player": teams.name_of(player["player"], ("player",)), **numbers}

    def num_pieces(self, study: StudySpec) -> int:
        """One for each player and deal."""
        return int(study.parameters["deals"] * len(study.parameters["players"]))

    def seconds(self, study: StudySpec) -> float:
        """Rounds played, and worlds weighed before every turn."""
        chosen = study.parameters
        played = sum(teams.seconds(study.game, (row["player"],), teams.UNITS["round"]) for row in chosen["players"])
        weighed = TURNS * chosen["worlds"] * WORLD_S * 2.0 ** chosen["depth"]
        return float(chosen["deals"] * (played + len(chosen["players"]) * weighed))

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play one round; what every belief said before each turn. Raises what an engine raises.

        plies: by ply, logarithms of the chance of the true deal and effective worlds as a share, in the order
        of `quality.BELIEFS` and `quality.WEIGHED`; classes: by belief and class of chance, how many chances
        fell into it, their sum, and how many came true. What is certain is in no class.
        """
        chosen = study.parameters
        deal, player = divmod(index, len(chosen["players"]))
        model = quality.Model(chosen["level"], chosen["depth"], chosen["worlds"])
        plies, classes = [], np.zeros((len(quality.BELIEFS), CLASSES, 3))
        for ply, state in enumerate(_positions(study, chosen["players"][player]["player"], deal)):
            if ply == MOST_PLIES:
                break
            kernels = game_registry.get(study.game).kernels()
            found = quality.judge(kernels, state, model, _seed(study, deal, player, ply))
            plies.append([list(found.log_chances.values()), list(found.effective.values())])
            for i, name in enumerate(quality.BELIEFS):
                classes[i] += _classed(state, found.beliefs["exact"], found.beliefs[name])
        return {"player": player, "deal": deal, "plies": plies, "classes": classes.tolist()}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by player and belief: log-loss by ply, in all, beyond the exact one; classes; effective worlds."""
        chosen = study.parameters
        return {
            "deals": chosen["deals"],
            "worlds": chosen["worlds"],
            "level": chosen["level"],
            "depth": chosen["depth"],
            "players": [
                {"label": player["label"], **_told([row for row in rows.values() if row["player"] == place])}
                for place, player in enumerate(chosen["players"])
            ],
        }


def _player(data: Any, path: Path, game: Game) -> dict[str, Any]:
    if isinstance(data, str):
        seat = teams.seat(data, path, game)
        return {"label": teams.label_of(seat), "player": seat}
    fields = checks.object_of(data, path, {"label": True, "player": True})
    seat = duels.seat(fields["player"], (*path, "player"), game.id)
    return {"label": checks.name_of(fields["label"], (*path, "label")), "player": seat}


def _positions(study: StudySpec, player: Mapping[str, Any], deal: int) -> list[State]:
    """All positions of a round in which a seat is on turn."""
    match = duels.match(study, (player,) * teams.SEATS, teams.SEATS * deal, **teams.UNITS["round"])
    return [course.state for course in teams.courses(match) if course.player != TERMINAL]


def _seed(study: StudySpec, *place: int) -> int:
    return int(rng.next_u64(rng.new_stream(study.seed, rng.ANALYSIS, *place))) >> 1


def _classed(state: State, sure: NDArray[np.float64], belief: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances of hidden tiles that are not certain, by class: number, sum, and how many came true."""
    hands = state[layout.HAND : layout.COUNT].astype(np.int64)
    held = hands[None, :] >> np.arange(tiles.NUM_TILES)[:, None] & 1
    is_open = (sure > 0.0) & (sure < 1.0)
    chances, came = belief[is_open], held[is_open].astype(float)
    which = np.minimum((chances * CLASSES).astype(int), CLASSES - 1)
    sums = [np.bincount(which, values, CLASSES) for values in (np.ones_like(chances), chances, came)]
    return np.stack(sums, axis=1)


def _told(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Results of some rounds."""
    logs = [np.array([ply[0] for ply in row["plies"]]) for row in rows]
    sizes = [np.array([ply[1] for ply in row["plies"]]) for row in rows]
    classes = sum((np.array(row["classes"]) for row in rows), np.zeros((len(quality.BELIEFS), CLASSES, 3)))
    most = max((len(part) for part in logs), default=0)
    return {
        "rounds": len(rows),
        "beliefs": [
            {
                "id": name,
                "plies": [_mean([-part[ply : ply + 1, i] for part in logs]) for ply in range(most)],
                "loss": _mean([-part[:, i] for part in logs]),
                "gain": _mean([part[:, i] - part[:, quality.BELIEFS.index("exact")] for part in logs]),
                "classes": [_class(*values) for values in classes[i]],
                "error": _error(classes[i]),
            }
            for i, name in enumerate(quality.BELIEFS)
        ],
        "effective": [
            {
                "id": name,
                "plies": [_mean([part[ply : ply + 1, i] for part in sizes]) for ply in range(most)],
                "all": _mean([part[:, i] for part in sizes]),
            }
            for i, name in enumerate(quality.WEIGHED)
        ],
    }


def _mean(parts: Sequence[NDArray[np.float64]]) -> dict[str, Any]:
    """Mean of values round by round; the interval takes rounds as units."""
    blocks = BlockMoments.of([Moments.of(part) for part in parts])
    return {"n": blocks.n, **sums.mean(blocks)}


def _class(number: float, total: float, came: float) -> dict[str, Any]:
    """A class of chances: how many, their mean, and how often they came true."""
    n = int(number)
    return {"n": n, "predicted": total / n if n else None, "came": came / n if n else None}


def _error(classes: NDArray[np.float64]) -> float | None:
    """Mean distance between predicted chance and frequency, classes weighed by their number."""
    return float(np.abs(classes[:, 1] - classes[:, 2]).sum() / classes[:, 0].sum()) if classes[:, 0].sum() else None
