"""Actions of dominoes spelt in clicks and words: a tile, and an end where it fits both."""

from __future__ import annotations

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.protocol import Aid, Part, State, Step

STEPS = (
    Step(
        "tile",
        "Tile",
        "Choose a tile of your hand.",
        besides=("call-", "Choose a tile. Call! says that a pass was wrong."),
    ),
    Step("end", "End", "It fits both ends: choose one.", "choice"),
)
LEGAL, PASSED_ON, COUNTS, SHEET = "legal", "passed-on", "counts", "sheet"
LEFT, BELIEFS = "left", "beliefs"
AIDS = (
    Aid(LEGAL, "Tiles that fit", "Marks the tiles that may be laid."),
    Aid(PASSED_ON, "Numbers passed on", "Keeps the numbers that each seat has passed on beside its name.", thinks=True),
    Aid(COUNTS, "Numbers still out", "How many tiles of each number you have not seen.", is_on=False, thinks=True),
    Aid(
        SHEET, "Score sheet", "Lays the score sheet over the table, with the hands left in the last round.", is_on=False
    ),
    Aid(LEFT, "Tiles not seen", "The tiles that are neither on the table nor in your hand.", thinks=True),
    Aid(
        BELIEFS,
        "Where tiles may be",
        "Below each tile not seen, how likely it is to be in each hand, if all deals that agree are equally likely.",
        is_on=False,
        thinks=True,
    ),
)
PASS, HAND_OVER = "pass", "partner"
_NUMBERS = ("blank", "one", "two", "three", "four", "five", "six")


def parts(state: State, action: int) -> tuple[Part, ...]:
    """The tile, and the end where there are two; a pass, a call or handing over in one part."""
    if action == layout.PASS:
        return (Part("tile", PASS, PASS, "Pass", words="passes"),)
    if action == layout.HAND_OVER:
        return (Part("tile", HAND_OVER, HAND_OVER, "Let your partner open", words="lets the partner open"),)
    if action >= layout.CALL:
        accused = action - layout.CALL
        value, whose = f"call-{accused}", f"the pass of {reading.COLOURS[accused]}"
        return (Part("tile", value, value, f"Call {whose}", words=f"calls {whose}"),)
    tile = action >> 1
    spelt = [Part("tile", tiles.name(tile), tile_id(tile), tile_label(tile))]
    if fits_both_ends(state, tile):
        side = "left" if action & 1 == layout.LEFT_SIDE else "right"
        spelt.append(Part("end", side, end_id(tile, side), end_label(state, side)))
    return tuple(spelt)


def fits_both_ends(state: State, tile: int) -> bool:
    """Whether a tile of the hand can go to two places: its numbers are those of both ends."""
    lies = reading.ends(state)
    return lies is not None and lies[0] != lies[1] and set(lies) == set(tiles.TILES[tile])


def tile_id(tile: int) -> str:
    """Id of a tile of the own hand."""
    return f"hand-{tiles.name(tile)}"


def end_id(tile: int, side: str) -> str:
    """Id of the place at an end where a tile may go that fits both."""
    return f"end-{side}-{tiles.name(tile)}"


def tile_label(tile: int) -> str:
    """``two five``, ``double six``: how people say it."""
    a, b = tiles.TILES[tile]
    return f"Double {_NUMBERS[a]}" if a == b else f"{_NUMBERS[a].capitalize()} {_NUMBERS[b]}"


def end_label(state: State, side: str) -> str:
    """``At the five``; the two ends have different numbers where one is asked."""
    lies = reading.ends(state)
    assert lies is not None
    return f"At the {_NUMBERS[lies[side == 'right']]}"
