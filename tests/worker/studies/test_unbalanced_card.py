"""Cards bought as a Woodcutter gets better."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry as game_registry
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.unbalanced_card import UnbalancedCard

KIND = UnbalancedCard()


def seat(policy: str) -> dict[str, Any]:
    return {"engine": "scripted", "options": {"policy": policy}}


def study(**parameters: Any) -> StudySpec:
    chosen = {"player": seat("double_witch"), "opponent": seat("greedy"), "coins": [2, 20], "matches": 3, **parameters}
    return specs.from_json(
        {"version": 1, "study": "unbalanced_card", "game": "dominion", "parameters": chosen, "seed": 5}
    )


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("unbalanced_card"), UnbalancedCard)
    for wrong, path in (({"coins": [2, 2]}, "coins"), ({"coins": [21]}, "coins[0]"), ({"matches": 0}, "matches")):
        with pytest.raises(SpecError) as caught:
            study(**wrong)
        assert caught.value.place == f"parameters.{path}"
    with pytest.raises(SpecError, match=r"parameters\.player"):
        study(player=seat("nobody"))
    with pytest.raises(SpecError, match="choose Dominion"):
        KIND.complete_parameters(game_registry.get("kingdomino"), {})


@pytest.mark.parametrize("name", ["player", "opponent"])
def test_who_thinks_long_takes_long_on_either_side(name: str) -> None:
    thinking = {"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 100}}
    assert KIND.seconds(study(**{name: thinking})) > 6 * 1000 > KIND.seconds(study())


def test_buys_of_the_player_are_counted_by_value() -> None:
    spec = study()
    rows = {index: KIND.piece(spec, index) for index in range(KIND.num_pieces(spec))}
    assert [(row["match"], row["coins"]) for row in rows.values()] == [(m, c) for m in range(3) for c in (2, 20)]
    # DoubleWitch buys two Witches and never a Woodcutter; the greedy opponent, which does, is not counted
    assert all(row["bought"]["Witch"] == 2 and "Woodcutter" not in row["bought"] for row in rows.values())
    told = KIND.result(spec, rows)
    assert [(row["coins"], row["matches"]) for row in told["values"]] == [(2, 3), (20, 3)]
    assert told["values"][0]["bought"]["Witch"] == {"mean": 2.0, "deviation": 0.0}
    silvers = [rows[index]["bought"].get("Silver", 0) for index in (0, 2, 4)]
    assert told["values"][0]["bought"]["Silver"]["mean"] == pytest.approx(sum(silvers) / 3)
    assert "Curse" not in told["cards"]
    assert len(told["cards"]) == 16
    assert KIND.result(spec, {})["values"][1] == {"coins": 20, "matches": 0, "wins": 0, "bought": {}, "sums": {}}


def row(match: int, coins: int, **bought: int) -> dict[str, Any]:
    return {"coins": coins, "match": match, "result": "win", "bought": bought}


def test_sums_and_differences_are_told_match_by_match() -> None:
    rows = [
        *(row(0, 2, Gold=4, Silver=0), row(1, 2, Gold=0, Silver=4, Smithy=1, Witch=2)),
        *(row(1, 20, Gold=1, Silver=1, Woodcutter=5), row(0, 20, Gold=2, Woodcutter=4), row(2, 20, Gold=9)),
    ]
    told = KIND.result(study(), dict(enumerate(rows)))
    assert told["values"][0]["sums"]["Treasures"] == {"mean": 4.0, "deviation": 0.0}  # what buys one buys no other
    assert told["values"][0]["sums"]["Other Actions"]["mean"] == 0.5  # the Witch is none of them
    (less,) = told["less"]
    assert (less["coins"], less["matches"]) == ([20, 2], 2)  # one match has no partner yet
    assert less["bought"]["Treasures"] == {"mean": -2.0, "deviation": 0.0}
    assert less["bought"]["Woodcutter"] == {"mean": 4.5, "deviation": pytest.approx(0.5**0.5)}


def test_both_seats_are_played_and_matches_share_their_luck() -> None:
    spec = study(opponent=seat("bmfsm"), matches=2)  # nobody buys a Woodcutter: its coins change nothing
    rows = [KIND.piece(spec, index) for index in range(4)]
    assert rows[0] | {"coins": 0} == rows[1] | {"coins": 0}
    assert rows[0]["bought"] != rows[2]["bought"]
