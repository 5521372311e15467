"""An engine in 40 lines: plays every action out to the end a few times, and takes the one that came off best."""

from dataclasses import dataclass

from engines.own import Budget, Decision, Position, option

POLICIES = {"carcassonne": "informed", "kingdomino": "fg_plain", "dominion": "double_witch", "dominoes": "greedy"}


@dataclass(frozen=True)
class Options:
    """What a spec may set, and a sweep vary."""

    policy: str = option("", "Policy", "Plays all seats in playouts; empty: one that suits the game.")


class Engine:
    """Flat Monte Carlo over worlds that the seat thinks possible."""

    label = "Flat"
    summary = "Plays every action out a few times and takes the best one."
    options_class = Options
    budgets = ("playouts_per_action",)
    default_budget = {"playouts_per_action": 10}

    def __init__(self, options: Options) -> None:
        self.options = options

    def choose(self, position: Position, budget: Budget) -> Decision:
        """The action with the best mean margin; all actions meet the same worlds and the same luck."""
        policy, rounds = self.options.policy or POLICIES[position.game], budget.playouts_per_action or 1
        totals = dict.fromkeys(position.legal().tolist(), 0.0)
        for number in range(rounds):
            world = position.sample(number)
            for action in totals:
                world.apply(action)
                totals[action] += world.margin(world.playout(number, policy))
                world.undo()
        best = max(totals, key=totals.__getitem__)
        return Decision(best, value=totals[best] / rounds, playouts=rounds * len(totals))
