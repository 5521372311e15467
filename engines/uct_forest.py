"""Trees of UCT as Python sees them: compiled kernels, arrays that grow, and what roots say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines import game_adapter, templates
from engines.kernel_arguments import Settings, Tree, TreeBuffers
from games import loader
from games import rng as random_streams
from games.protocol import CHANCE, Game, Policy, Rng, State
from games.values import NONE, GameValue, Weights

FIRST_NODES, FIRST_EDGES = 1 << 10, 1 << 13
"""Room of a new tree (edges: beyond one position's legal actions)."""
TALLY = 1 << 18
"""Places of the tally of moves, a power of two."""


class Kernels:
    """The compiled search for one game, with or without a journal, and its learned value where that is used."""

    def __init__(self, game: Game, journal: bool, mode: str | None = None, value: GameValue | None = None) -> None:
        self.rules = game.kernels(journal=journal, mode=mode)
        self.tree = templates.load("uct_tree", game.folder, journal, mode, value)
        self.search = templates.load("uct", game.folder, journal, mode, value)
        self.max_plies = game.traits.max_plies
        self._journal_words = loader.JOURNAL_WORDS if journal else 1

    def buffers(self, weights: Weights = NONE) -> TreeBuffers:
        """Scratch arrays for one thread, and the weights of the learned value."""
        rules, value = self.rules, self.tree.V
        journal = np.ones(self._journal_words, np.int32)
        return TreeBuffers(
            s=np.empty(rules.SIZE, np.int32),
            r=np.empty(4, np.uint64),
            fixed=np.empty(4, np.uint64),
            j=journal,
            actions=np.empty(rules.MAX_ACTIONS, np.int32),
            children=np.empty(rules.MAX_ACTIONS, np.int32),
            weights=np.empty(rules.MAX_ACTIONS, np.float64),
            points=np.zeros(rules.MAX_SEATS, np.int64),
            utilities=np.zeros(rules.MAX_SEATS, np.float64),
            weights_of_value=weights,
            values=np.zeros(value.ROOM if value else 1),
            hint=np.zeros(1, np.int64),
            log=np.zeros((self.max_plies + 1, self.tree.LOG), np.int32),
        )


@dataclass(frozen=True)
class RootStatistics:
    """Visits, sums and sums of squares of the root's actions, in the order of `actions`."""

    actions: NDArray[np.int32]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]
    squares: NDArray[np.float64]


class SearchTree:
    """One tree: simulation number k draws from the stream of (seed, k), however they are sliced."""

    def __init__(
        self, kernels: Kernels, settings: Settings, buffers: TreeBuffers, start: State, seat: int, seed: int
    ) -> None:
        self.kernels, self.settings, self.start, self.seed = kernels, settings, start, np.uint64(seed)
        self._buffers, self._tree = buffers, kernels.tree
        edges = FIRST_EDGES + kernels.rules.MAX_ACTIONS
        self.arrays = Tree(
            counts=np.zeros(self._tree.COUNTS, np.int64),
            links=np.empty((FIRST_NODES, self._tree.LINKS), np.int32),
            stats=np.empty((FIRST_NODES, self._tree.STATS), np.float64),
            table=np.full(2 * FIRST_NODES, -1, np.int32),
            edges=np.empty((edges, self._tree.EDGE), np.int32),
            gains=np.empty(edges if settings.informed else 1, np.float64),
            tally=np.zeros((TALLY if settings.tallied else 1, self._tree.TALLY), np.float64),
        )
        self._tree.add(self.arrays, -1, 0, seat, 0.0)

    def hint_root(self, choose: Policy) -> None:
        """Note what the playout policy would do at the root, for search seeding. choose: its kernel."""
        b, r = self._buffers, random_streams.new_stream(int(self.seed) >> 1, random_streams.SEARCH)
        b.s[:] = self.start
        action = choose(self.settings.policy, b.s, r, b.actions, b.j)
        b.j[0] = 1
        self.arrays.links[0, self._tree.HINT] = self._tree.between.move_of(self.start, action)

    def simulate(self, first: int, count: int) -> None:
        """Do simulations number first .. first + count - 1, growing as needed."""
        done = 0
        while done < count:
            arguments = (self.arrays, self.settings, self._buffers, self.start, self.seed, first + done, count - done)
            done += int(self.kernels.search.simulate(*arguments))
            if done < count:
                self._grow()

    def _grow(self) -> None:
        """Double the arrays that cannot take another simulation."""
        old = self.arrays
        if self.num_nodes == len(old.links):
            capacity = 2 * len(old.links)
            grown = old._replace(
                links=_longer(old.links, capacity),
                stats=_longer(old.stats, capacity),
                table=np.full(2 * capacity, -1, np.int32),
            )
            self._tree.enter_all(grown)
        else:
            capacity = 2 * len(old.edges)
            gains = _longer(old.gains, capacity) if self.settings.informed else old.gains
            grown = old._replace(edges=_longer(old.edges, capacity), gains=gains)
        self.arrays = grown

    @property
    def num_nodes(self) -> int:
        """Nodes in use, the root included."""
        return int(self.arrays.counts[self._tree.NODES])

    @property
    def moves(self) -> int:
        """Moves made so far, in the tree, in playouts and to weigh actions."""
        return int(self.arrays.counts[self._tree.MOVES])

    @property
    def depth(self) -> int:
        """Plies of the deepest path."""
        return int(self.arrays.counts[self._tree.DEPTH])

    def used(self) -> tuple[NDArray[Any], ...]:
        """The part of every array that says something: the tree, byte for byte."""
        arrays, edges = self.arrays, int(self.arrays.counts[self._tree.EDGES])
        nodes = self.num_nodes
        return (arrays.counts, arrays.links[:nodes], arrays.stats[:nodes], arrays.edges[:edges], arrays.tally)

    def children(self, node: int) -> NDArray[np.int64]:
        """Nodes below a node, in the order of their making."""
        return np.flatnonzero(self.arrays.links[: self.num_nodes, self._tree.PARENT] == node)

    def root(self, actions: NDArray[np.int32]) -> RootStatistics:
        """Statistics of the root's actions, zero where nothing was tried."""
        tree, nodes = self._tree, self.children(0)
        stats = np.zeros((len(actions), tree.STATS))
        order = np.argsort(actions)
        tried = self._actions(self.arrays.links[nodes, tree.LABEL])
        stats[order[np.searchsorted(actions, tried, sorter=order)]] = self.arrays.stats[nodes]
        visits, totals, squares = (stats[:, column] for column in (tree.VISITS, tree.TOTAL, tree.SQUARES))
        return RootStatistics(actions, visits.astype(np.int64), totals, squares)

    def _actions(self, labels: Any) -> Any:
        """Actions, or outcomes, by the labels of nodes."""
        return labels // 2 & self._tree.between.ACTION_OF_MOVE

    def line(self, game: Game, action: int) -> tuple[int, ...]:
        """The principal variation: `action`, then always the most visited child (tried twice at least).

        It ends where an open loop leaves to chance what comes next, and where something is hidden.
        """
        tree, links, stats = self._tree, self.arrays.links, self.arrays.stats
        if not self.settings.peeks:
            return (action,)
        state, node, label, found = self.start, 0, 2 * int(tree.between.move_of(self.start, action)), [action]
        r = np.zeros(4, np.uint64)
        random_streams.seed(r, random_streams.finalise(int(self.seed)))
        while True:
            state = game.apply(state, self._actions(label))
            node = next((int(child) for child in self.children(node) if links[child, tree.LABEL] == label), -1)
            if self.settings.chance == tree.SAMPLED:
                random_streams.seed(r, random_streams.mix2(random_streams.finalise(int(self.seed)), node))
            outcomes, state = self._carried_on(game, state, r)
            found += outcomes
            if node < 0 or game.is_terminal(state):
                return tuple(found)
            if self.settings.chance == tree.OPEN_LOOP and game.current_player(state) == CHANCE:
                return tuple(found)
            below = self.children(node)
            if not len(below) or stats[below, tree.VISITS].max() < 2:
                return tuple(found)
            label = int(links[below[np.argmax(stats[below, tree.VISITS])], tree.LABEL])
            found.append(int(self._actions(label)))

    def _carried_on(self, game: Game, state: State, r: Rng) -> tuple[list[int], State]:
        """Play on until a seat has a choice: draws the tree keeps, free actions. Return that and the state after it."""
        found: list[int] = []
        keeps = self.settings.chance in (self._tree.SAMPLED, self._tree.FIXED)
        while not game.is_terminal(state):
            if game.current_player(state) == CHANCE:
                number = game.sample_chance(state, r) if keeps else None
            else:
                number = game_adapter.free_action(game, state) if self.settings.forces else None
            if number is None:
                break
            found.append(number)
            state = game.apply(state, number)
        return found, state


def merge_roots(roots: Sequence[RootStatistics]) -> RootStatistics:
    """Root parallelisation: the sums over independent trees of the same position."""
    return RootStatistics(
        roots[0].actions,
        np.sum([root.visits for root in roots], axis=0),
        np.sum([root.totals for root in roots], axis=0),
        np.sum([root.squares for root in roots], axis=0),
    )


def _longer(array: NDArray[Any], capacity: int) -> NDArray[Any]:
    longer = np.empty((capacity, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
