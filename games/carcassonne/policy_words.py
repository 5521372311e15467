"""Names that people read for the playing policies of Carcassonne."""

from collections.abc import Mapping

from games.protocol import PolicyWords

POLICY_WORDS: Mapping[str, PolicyWords] = {
    "random": PolicyWords("random", "any legal move, all equally likely"),
    "greedy": PolicyWords("greedy", "the move with the best score difference right after it"),
    "informed": PolicyWords("informed", "the best of eight placements, judged by what they may still earn"),
    "thorough": PolicyWords("thorough", "as informed, over all placements: stronger and slower"),
}
