"""Whatever anybody plays, the real game and the slow reference stay together."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.protocol import CHANCE
from tests.games.carcassonne.tables import GameTable, ReferenceTable, standing


class GameAndReference(RuleBasedStateMachine):
    """Draws, also of tiles that fit nowhere, and moves; everything is compared in between."""

    @initialize(
        seats=st.integers(2, 5),
        unplaceable=st.sampled_from(["return", "discard"]),
        two_tile_city=st.sampled_from(["full", "half"]),
    )
    def begin(self, seats: int, unplaceable: str, two_tile_city: str) -> None:
        self.game = GameTable(seats, unplaceable=unplaceable, two_tile_city=two_tile_city)
        self.slow = ReferenceTable(seats, unplaceable=unplaceable, two_tile_city=two_tile_city)

    def is_drawing(self) -> bool:
        return not self.slow.over and self.slow.match.tile is None

    def is_placing(self) -> bool:
        return not self.slow.over and self.slow.match.tile is not None

    @precondition(is_drawing)
    @rule(data=st.data())
    def draw(self, data: st.DataObject) -> None:
        assert self.game.game.current_player(self.game.state) == CHANCE
        letter = data.draw(st.sampled_from(sorted(self.slow.match.left)), label="tile")
        assert self.game.draw(letter) == self.slow.draw(letter)

    @precondition(is_placing)
    @rule(data=st.data())
    def lay_and_claim(self, data: st.DataObject) -> None:
        moves = sorted(move for move in self.slow.moves() if move[3]) or sorted(self.slow.moves(), key=str)
        self._lay(data.draw(st.sampled_from(moves), label="move"))

    @precondition(is_placing)
    @rule(data=st.data())
    def lay(self, data: st.DataObject) -> None:
        moves = sorted(self.slow.moves(), key=str)
        self._lay(data.draw(st.sampled_from(moves), label="move"))

    @precondition(is_placing)
    @rule()
    def project_without_moving(self) -> None:
        before = self.game.state.tobytes()
        assert self.game.projected == self.slow.projected
        assert self.game.state.tobytes() == before

    def _lay(self, move: tuple[int, int, int, str | None]) -> None:
        assert self.game.moves() == self.slow.moves()
        self.game.lay(move)
        self.slow.lay(move)

    @invariant()
    def agree(self) -> None:
        if self.is_drawing() or self.slow.over:
            assert standing(self.game) == standing(self.slow)
        if self.slow.over:
            assert [values["vain_draws"] for values in self.game.metrics] == self.slow.match.vain_draws


TestGameAndReference = GameAndReference.TestCase
TestGameAndReference.settings = settings(max_examples=10, stateful_step_count=60, deadline=None, derandomize=True)
