"""Names that people read for the playing policies of Dominion; most are players of Jansen and Tollisen (2014)."""

from collections.abc import Mapping

from games.protocol import PolicyWords

POLICY_WORDS: Mapping[str, PolicyWords] = {
    "random": PolicyWords("random", "any legal move, all equally likely"),
    "greedy": PolicyWords("greedy", "plays and buys the dearest card, those that give actions first"),
    "greedy_dearest": PolicyWords("greedy by price", "as greedy, without preferring cards that give actions"),
    "eps15": PolicyWords("greedy with chance", "greedy, but 15 % of its choices are random"),
    "big_money": PolicyWords("Big Money", "buys Silver, Gold and Provinces; Duchies and Estates at the end"),
    "bmfsm": PolicyWords("Big Money by turns", "Big Money for 15 turns, then cards with points"),
    "single_witch": PolicyWords("Single Witch", "Big Money with one Witch"),
    "double_witch": PolicyWords("Double Witch", "Big Money with two Witches"),
    "learned": PolicyWords("learned", "gains and plays what appeals most by weights learned from its own matches"),
}
