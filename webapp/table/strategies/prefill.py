"""Initial fields of match and experiment forms reached from a person's own strategy.

The strategy sits at a seat, in a kingdom that has its cards; its opponent is the one of its last
trial, or Big Money: most strategies win every match against random moves.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from engines import registry as engine_registry
from games import rule_sets
from webapp.common.data_fields import EXAMPLE
from webapp.common.engine_forms import configuration_data
from webapp.common.option_forms import to_data
from webapp.people.accounts.models import User
from webapp.table.strategies import selectors
from webapp.table.strategies.trials import GAME, POLICY, first_kingdom

USUAL = f"{EXAMPLE}big_money"


def trial_query(trial: Mapping[str, str], number: int) -> str:
    """The query of a strategy's number with all that its trial was: against whom, in which kingdom."""
    asked = QueryDict(mutable=True)
    asked.update({"game": GAME.id, "strategy": str(number)})
    asked.update({key: trial[f"trial-{key}"] for key in ("against", "kingdom", "cards") if trial.get(f"trial-{key}")})
    return asked.urlencode()


def rules_fields(
    user: User | AnonymousUser, number: int, asked: Mapping[str, str], rules: str = rule_sets.PAPER
) -> dict[str, str]:
    """The fields of the rules: those named, with the kingdom asked for, else one for the strategy of this number."""
    found = next((data for one, data in selectors.playable(user) if one.pk == number), None)
    kingdom = {f"trial-{key}": asked[key] for key in ("kingdom", "cards") if key in asked}
    if not kingdom and found is not None:
        kingdom = first_kingdom(found)
    usual = to_data(rule_sets.complete(GAME, rules), "rules")
    return usual | {"rules-for": GAME.id} | {key.replace("trial-", "rules-"): value for key, value in kingdom.items()}


def opponent_fields(prefix: str, asked: Mapping[str, str]) -> dict[str, str]:
    """The fields of a seat for the opponent of a trial (`trials.TrialForm.against`)."""
    against = asked.get("against", USUAL)
    if against.startswith(POLICY):
        options = engine_registry.defaults("scripted", GAME) | {"policy": against.removeprefix(POLICY)}
        return configuration_data(prefix, "scripted", options, {})
    return selectors.strategy_fields(prefix, against)
