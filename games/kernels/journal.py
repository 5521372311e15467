"""Write journal: every write of a rule can be undone, byte for byte (a template of the loader).

A journal is ``int32[:]``: word 0 is the next free place (start it with `reset`), then come
entries that end in two words, read backwards: (index, value before) for a single word; for
runs of blocks (-1 - start, number of blocks that held zeros), or a block's words before and
then (-1 - start, 0). With JOURNAL false nothing is noted.
"""

BLOCK = 8
"""Words that runs are counted in."""


@kernel
def reset(j):
    """Forget everything written so far."""
    j[0] = 1


@kernel
def write(s, i, value, j):
    """s[i] = value, noted in `j` when this variant keeps a journal."""
    if JOURNAL:
        top = j[0]
        j[top] = i
        j[top + 1] = s[i]
        j[0] = top + 2
    s[i] = value


@kernel
def keep(s, start, j):
    """Note the BLOCK words from `start` on: they may be assigned directly afterwards."""
    if JOURNAL:
        top = j[0]
        for k in range(BLOCK):
            j[top + k] = s[start + k]
        j[top + BLOCK] = -1 - start
        j[top + BLOCK + 1] = 0
        j[0] = top + BLOCK + 2


@kernel
def fresh(s, start, blocks, j):
    """Note that `blocks` blocks from `start` on hold zeros: they may be assigned directly afterwards."""
    if JOURNAL:
        top = j[0]
        j[top] = -1 - start
        j[top + 1] = blocks
        j[0] = top + 2


@kernel
def undo(s, j, mark):
    """Take back everything written since ``j[0]`` was `mark`."""
    top = j[0]
    while top > mark:
        top -= 2
        i, value = j[top], j[top + 1]
        if i >= 0:
            s[i] = value
        elif value == 0:
            top -= BLOCK
            for k in range(BLOCK):
                s[k - 1 - i] = j[top + k]
        else:
            for k in range(BLOCK * value):
                s[k - 1 - i] = 0
    j[0] = mark


@kernel
def copy(source, target):
    """Copy a state; an explicit loop, 4 to 18 times faster than slice assignment."""
    for i in range(len(source)):
        target[i] = source[i]
