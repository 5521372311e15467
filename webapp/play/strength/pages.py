"""Pages on the strength of a game's engines: everything that a template shows, from stored files alone."""

from __future__ import annotations

from dataclasses import dataclass

from games import registry
from webapp.play.strength import learned, lines, steps
from webapp.play.strength.figures import MET, MISSED, OPEN
from webapp.play.strength.learned import Facts, LearnedSet
from webapp.play.strength.lines import Line, Loss, Regret
from webapp.play.strength.steps import Step
from worker.strength.model import INSIDER, MATCHES, RESPONSE


@dataclass(frozen=True)
class GamePage:
    """All that was measured in one game."""

    id: str
    label: str
    steps: tuple[Step, ...]
    matches: tuple[Line, ...]
    probes: tuple[Line, ...]
    regret: Regret | None
    learned: tuple[LearnedSet, ...]
    facts: Facts | None

    @property
    def strongest(self) -> Step | None:
        """The strongest level."""
        return self.steps[-1] if self.steps else None

    @property
    def targets(self) -> list[Line]:
        """Matches that had a target."""
        return [line for line in self.matches if line.target]

    @property
    def verdicts(self) -> str:
        """How many targets are met, missed and open: "1 met, 2 open"."""
        known = [line.verdict for line in self.targets]
        return ", ".join(f"{known.count(word)} {word}" for word in (MET, MISSED, OPEN) if word in known)

    @property
    def hardest(self) -> Line | None:
        """The opponent made for one level that won most."""
        return max(self.probes, key=lambda line: line.share, default=None)

    @property
    def least(self) -> Loss | None:
        """What the strongest level gives away a decision."""
        return self.regret.losses[-1] if self.regret and self.regret.losses else None


def game_ids() -> tuple[str, ...]:
    """Games that have levels, in the order of all pages."""
    return tuple(game_id for game_id in registry.ids() if steps.steps(game_id))


def page(game_id: str) -> GamePage:
    """One game. Raises KeyError for an unknown id."""
    return GamePage(
        id=game_id,
        label=registry.get(game_id).label,
        steps=steps.steps(game_id),
        matches=lines.lines(game_id, MATCHES),
        probes=(*lines.lines(game_id, RESPONSE), *lines.lines(game_id, INSIDER)),
        regret=lines.regret(game_id),
        learned=learned.sets(game_id),
        facts=learned.facts(game_id),
    )
