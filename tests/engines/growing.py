"""Trees of UCT over the tests' own games, grown in this process or another: ``python -m tests.engines.growing``."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from types import SimpleNamespace
from typing import Any

from engines.uct import needs_journal, plant
from engines.uct_forest import Kernels, SearchTree
from engines.uct_options import UCTOptions
from games import loader
from games.options import from_json
from tests.games import walks
from tests.trees import layout, nodes

TREE = SimpleNamespace(
    folder=nodes.FOLDER,
    kernels=lambda journal=False, mode="jit": loader.rules(nodes.FOLDER, journal, mode),
    current_player=lambda state: state[layout.NODES + layout.WORDS * state[layout.HERE] + layout.PLAYER],
    orderings=("none", "order1", "order2"),
    traits=SimpleNamespace(max_plies=50, has_hidden_information=False),
)
"""Just enough of a face for a search of trees made node by node."""
HIDDEN = SimpleNamespace(**vars(TREE) | {"traits": SimpleNamespace(max_plies=50, has_hidden_information=True)})
"""The same where the first node is hidden (`nodes.hidden`)."""
FACES = {"tree": TREE, "hidden": HIDDEN}


@cache
def kernels(game_id: str, journal: bool, mode: str) -> Kernels:
    return Kernels(FACES.get(game_id) or walks.game_of(game_id), journal, mode)


class Grown(SearchTree):
    """A tree with names for what tests look at."""

    def simulated(self, count: int) -> Grown:
        self.simulate(0, count)
        return self

    def column(self, name: str) -> list[float]:
        """One statistic or link of every node."""
        tree = self.kernels.tree
        array = self.arrays.stats if name in ("VISITS", "TOTAL", "SQUARES", "AMAF_VISITS") else self.arrays.links
        return array[: self.num_nodes, getattr(tree, name)].tolist()

    def child(self, node: int, label: int) -> int:
        """The child of a node by its label, -1 where there is none."""
        return int(self.kernels.tree.find(self.arrays, node, label))


def planted(game_id: str, state: Any, *, seed: int = 1, mode: str = "jit", **options: Any) -> Grown:
    """One tree without simulations; `seed` is its own. Trees made by hand have one variant, with a journal."""
    chosen = from_json(UCTOptions, options)
    game = FACES.get(game_id) or walks.game_of(game_id)
    found = kernels(game_id, game_id in FACES or needs_journal(game, chosen), mode)
    tree = plant(game, found, chosen, state, seed)[0]
    grown = Grown(found, tree.settings, found.buffers(), state, int(game.current_player(state)), int(tree.seed))
    grown.arrays.links[:] = tree.arrays.links  # with what it knows of its root
    return grown


def grow(game_id: str, state: Any, count: int, **how: Any) -> Grown:
    """One tree after `count` simulations from a state; see `planted`."""
    return planted(game_id, state, **how).simulated(count)


DIGESTED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("toy", {}),
    ("toy", {"chance": "open_loop", "utility": "wdl", "first_play": "siblings"}),
    ("toy", {"chance": "sampled", "scale": "unit", "c": 0.1, "selection": "ucb1_tuned"}),
    ("toy", {"policy": "greedy", "epsilon": 0.5, "bias": 1.0, "win_bias": 0.5, "widening": 1.0}),
    ("toy", {"mast": 2.0, "rave": 50.0, "playout_plies": 2}),
    ("carcassonne", {}),
)


def digests() -> list[str]:
    """One digest per row of DIGESTED, over every byte of a tree of 500 simulations."""
    found = []
    for game_id, options in DIGESTED:
        state = walks.some(walks.turns(game_id), 3)[1]
        digest = hashlib.sha256()
        for array in grow(game_id, state, 500, **options).used():
            digest.update(array.tobytes())
        found.append(digest.hexdigest())
    return found


if __name__ == "__main__":
    print(json.dumps(digests()))
