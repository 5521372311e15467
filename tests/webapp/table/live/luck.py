"""What chance will do in a match in play, and whether a text tells it."""

from __future__ import annotations

from games.protocol import TERMINAL
from webapp.table.live import position_cache
from webapp.table.live.models import LiveMatch

NEXT = 4
"""So many things to come, one after the other, are no accident in a text."""
SEPARATORS = (",", ", ", "','", "', '", '","', '", "')


def to_come(match: LiveMatch) -> list[tuple[int, str]]:
    """Outcomes in the order in which they will be drawn, as numbers and in words: first actions played to the end."""
    course = position_cache.replay_course(match)
    found: list[tuple[int, str]] = []
    while course.player != TERMINAL:
        course.advance(int(course.game.legal_actions(course.state)[0]))
        found += [(outcome, course.game.outcome_notation(course.state, outcome)) for outcome in course.outcomes]
    return found


def told(order: list[tuple[int, str]], text: str) -> list[str]:
    """The ways in which a text tells what comes next, forwards or backwards; none where too little comes."""
    following = order[:NEXT]
    if len(following) < NEXT:
        return []
    spelled = [[str(number) for number, _ in following], [words for _, words in following]]
    spelled += [one[::-1] for one in spelled]
    ways = {separator.join(one) for one in spelled for separator in SEPARATORS}
    return [way for way in ways if way in text]
