"""Names that people read for the playing policies of dominoes."""

from collections.abc import Mapping

from games.protocol import PolicyWords

POLICY_WORDS: Mapping[str, PolicyWords] = {
    "random": PolicyWords("random", "any legal move, all equally likely"),
    "greedy": PolicyWords("greedy", "the tile with the most pips that fits"),
}
