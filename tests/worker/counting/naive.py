"""Layouts of dominoes written out one by one, and kingdoms grown by the rule: slow, and nothing shared."""

from __future__ import annotations

from collections.abc import Iterator

from games.kingdomino import dominoes

Cell = tuple[int, int]
Layout = frozenset[frozenset[Cell]]


def beside(cell: Cell) -> set[Cell]:
    """The four cells round one."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def end_positions(width: int, height: int, castle: Cell | None) -> set[Layout]:
    """All layouts to which no domino can be added, found by adding dominoes one by one."""
    cells = {(x, y) for x in range(width) for y in range(height)} - {castle}
    pairs = {frozenset((cell, other)) for cell in cells for other in beside(cell) & cells}
    found: set[Layout] = set()
    seen: set[Layout] = set()
    waiting: list[Layout] = [frozenset()]
    while waiting:
        layout = waiting.pop()
        covered = {cell for pair in layout for cell in pair}
        fitting = [pair for pair in pairs if not pair & covered]
        if not fitting:
            found.add(layout)
        new = {layout | {pair} for pair in fitting} - seen
        seen |= new
        waiting += new
    return found


def is_full(layout: Layout, width: int, height: int, castle: Cell | None) -> bool:
    """Whether no square is empty."""
    return 2 * len(layout) + (castle is not None) == width * height


def is_grown(layout: Layout, castle: Cell) -> bool:
    """Whether the dominoes can be laid one by one, each beside the castle or an earlier one."""
    laid, rest = {castle}, set(layout)
    while rest:
        near = {pair for pair in rest if any(beside(cell) & laid for cell in pair)}
        if not near:
            return False
        laid |= {cell for pair in near for cell in pair}
        rest -= near
    return True


def kingdoms_by_terrain(width: int, height: int, castle: Cell) -> set[tuple[tuple[Cell, int], ...]]:
    """All end states by Kingdomino's rule as terrain by cell, grown domino by domino from every box."""
    ends = dominoes.load().terrain.tolist()
    box = tuple(sorted(tuple(sorted(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)))
    cells = {(x, y) for x in range(width) for y in range(height)} - {castle}
    found = set()
    seen = {((), box)}
    waiting: list[tuple[tuple[tuple[Cell, int], ...], tuple[tuple[int, int], ...]]] = [((), box)]
    while waiting:
        laid, left = waiting.pop()
        holds = dict(laid)
        free = cells - holds.keys()
        if not any(beside(cell) & free for cell in free):
            found.add(laid)
            continue
        for after, rest in _grown(holds, free, left, castle):
            if (after, rest) not in seen:
                seen.add((after, rest))
                waiting.append((after, rest))
    return found


def _grown(
    holds: dict[Cell, int], free: set[Cell], box: tuple[tuple[int, int], ...], castle: Cell
) -> Iterator[tuple[tuple[tuple[Cell, int], ...], tuple[tuple[int, int], ...]]]:
    for pair in set(box):
        rest = list(box)
        rest.remove(pair)
        for near in free:
            for terrain, other in (pair, pair[::-1]):
                if castle in beside(near) or any(holds.get(cell) == terrain for cell in beside(near)):
                    for far in beside(near) & free:
                        after = {**holds, near: terrain, far: other}
                        yield tuple(sorted(after.items())), tuple(rest)
