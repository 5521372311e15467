"""What has been played, in words: for people, who do not know a game's notation."""

from __future__ import annotations

from games.protocol import Game, State
from webapp.live.models import LivePly

MOST = LivePly._meta.get_field("words").max_length


def told(game: Game, state: State, action: int) -> str:
    """A legal action in words: what all saw in hand, and its parts but those that stand by default."""
    standing = {step.name: step.default for step in game.steps}
    held = game.panel(state, None).held_label
    parts = [part for part in game.parts(state, action) if part.value != standing.get(part.name)]
    words = [part.words or _inside(part.label or part.value) for part in parts]
    text = f"{held}: {', '.join(words)}" if held else ", ".join(words)
    return (text[:1].upper() + text[1:])[:MOST]


def _inside(label: str) -> str:
    """A label as it stands within a sentence."""
    return label[:1].lower() + label[1:]
