"""Names that people read for the playing policies of Kingdomino; ids are names of Gedda, Lagerkvist, Butler (2018)."""

from collections.abc import Mapping

from games.protocol import PolicyWords

POLICY_WORDS: Mapping[str, PolicyWords] = {
    "random": PolicyWords("random", "any legal move, all equally likely"),
    "tr": PolicyWords("true random", "any legal move; the TR player of Gedda and others"),
    "gprd": PolicyWords("greedy placement", "places for most points, chooses dominoes at random; GPRD as published"),
    "gprd_plain": PolicyWords("plain greedy placement", "greedy placement by the words of the paper alone"),
    "fg": PolicyWords("full greedy", "FG as published: two placements ahead, its last move at random"),
    "fg_plain": PolicyWords("plain full greedy", "looks at a placement and the next one together"),
    "pg": PolicyWords("player-greedy", "full greedy as published for the seat that thinks, random for all others"),
    "informed": PolicyWords("informed", "values what a kingdom may still become"),
    "denying": PolicyWords("denying", "informed, and counts what the next seat loses by a choice"),
}
