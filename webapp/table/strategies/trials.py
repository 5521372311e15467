"""Trying a strategy out: against whom, in which kingdom, and what came out as pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from games import options as option_tools
from games import registry as game_registry
from games.dominion import cards, kingdoms
from games.dominion.strategies import encoding, form, trial, words
from games.dominion.strategies.trial import Trial
from games.options import OptionError
from games.strategies import Data
from webapp.common import formats, limits
from webapp.common.data_fields import EXAMPLE, Own
from webapp.common.errors import RefusedError
from webapp.common.fields import offer
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share

GAME: Any = game_registry.get("dominion")
POLICY = "policy:"
"""Before the name of a scripted player."""
MATCHES = ("200", "2000")
SEED = 1
TRIALS = limits.Limit("address", 60, "trials")
"""Each plays up to 2,000 matches while it is waited for."""


class NotReadyError(RefusedError):
    """Nothing can be tried yet."""


def first_kingdom(strategy: Mapping[str, Any]) -> dict[str, str]:
    """Fields of the form with a kingdom that has the strategy's cards: a named one, else these and the test-bed's."""
    known = [card.name for card in cards.kingdom_cards()]
    named = {row["card"] for name in form.LISTS for row in strategy[name]}.intersection(known)
    test_bed = cards.sets()["thesis"]
    for name, there in {"thesis": test_bed, **cards.sets()}.items():
        if named.issubset(there):
            return {"trial-kingdom": name}
    rest = [name for name in test_bed if name not in named]
    listed = [*sorted(named), *rest[: max(0, kingdoms.SIZE - len(named))]]
    return {"trial-kingdom": kingdoms.LISTED, "trial-cards": ", ".join(listed)}


class TrialForm(forms.Form):
    """Against whom and in which kingdom."""

    against = forms.ChoiceField(label="Against")
    kingdom = forms.ChoiceField(label="Kingdom")
    cards = forms.CharField(
        label="Cards of the kingdom",
        required=False,
        max_length=400,
        help_text="Names separated by commas, such as Witch, Moat, Village",
    )
    matches = forms.TypedChoiceField(
        label="Matches", choices=[(n, formats.count(int(n))) for n in MATCHES], coerce=int, widget=forms.RadioSelect
    )

    def __init__(self, posted: Mapping[str, str], own: Own, has_account: bool) -> None:
        """own: the person's strategies (`selectors.own_strategies`). Without an account matches are few."""
        self.offers_many = has_account
        examples = GAME.strategies.examples
        self.opponents: dict[str, tuple[str, Data | str]] = {
            f"{EXAMPLE}{key}": (data["name"], data) for key, data in examples.items()
        }
        self.opponents |= {key: (name, data) for key, (name, data) in own.items()}
        scripted = [name for name in GAME.policies if name not in examples]
        self.opponents |= {f"{POLICY}{name}": (name, name) for name in scripted}
        defaults = {"against": f"{EXAMPLE}double_witch", "kingdom": "thesis", "cards": "", "matches": MATCHES[0]}
        data = {f"trial-{key}": posted.get(f"trial-{key}", value) for key, value in defaults.items()}
        if not has_account:
            data["trial-matches"] = MATCHES[0]
        super().__init__(data, prefix="trial")
        offer(self, "against", self._groups(own))
        rows = {row["name"]: row for row in option_tools.schema(GAME.options)}
        offer(self, "kingdom", [(choice["value"], choice["label"]) for choice in rows["kingdom"]["choices"]])

    def _groups(self, own: Own) -> list[tuple[str, list[tuple[str, str]]]]:
        groups: dict[str, list[tuple[str, str]]] = {"Examples": [], "Mine": [], "Scripted players": []}
        for key, (name, _) in self.opponents.items():
            group = "Mine" if key in own else "Examples" if key.startswith(EXAMPLE) else "Scripted players"
            groups[group].append((key, name))
        return [(label, rows) for label, rows in groups.items() if rows]

    @property
    def lists_cards(self) -> bool:
        """Whether the kingdom is a list of cards."""
        return bool(self.data["trial-kingdom"] == kingdoms.LISTED)

    @property
    def kingdom_cards(self) -> Sequence[str]:
        """The cards of the kingdom by name, as far as they are known; all of them where chance chooses."""
        chosen, listed = self.data["trial-kingdom"], self.data["trial-cards"]
        if chosen in cards.sets():
            return cards.sets()[chosen]
        if chosen == kingdoms.LISTED:
            try:
                return [cards.name(number) for number in kingdoms.parse_cards(listed)]
            except OptionError:
                return []
        return [card.name for card in cards.kingdom_cards()]

    def clean(self) -> dict[str, Any]:
        """The options of the rules go together."""
        values = super().clean() or self.cleaned_data
        if "kingdom" in values:
            listed = values.get("cards", "") if values["kingdom"] == kingdoms.LISTED else ""
            try:
                self.options = option_tools.from_json(GAME.options, {"kingdom": values["kingdom"], "cards": listed})
                GAME.check(self.options, 2)
            except OptionError as error:
                self.add_error("cards", f"{error.message[:1].upper()}{error.message[1:]}.")
            if values["kingdom"] == kingdoms.LISTED and not listed:
                self.add_error("cards", "Cannot stay empty here.")
        return values


@dataclass(frozen=True)
class Result:
    """A trial in words and figures.

    ends: of the interval of the win rate; widths: of the parts of the bar, in per cent; figure: for figures.js.
    """

    trial: Trial
    name: str
    against: str
    rate: str
    interval: str
    ends: tuple[float, float]
    widths: tuple[float, float, float]
    seats: list[tuple[str, str, str]]
    warnings: list[str]
    idle: str
    uses: list[tuple[str, str]]
    figure: dict[str, Any]


def attempt(who: str, strategy: Data, asked: TrialForm) -> Result:
    """Play the matches of a form that is valid, for an address or a program.

    Raises NotReadyError while the game is compiled, TooManyError where `who` has tried too often.
    """
    if not encoding.is_ready(GAME):
        raise NotReadyError("The game is still being compiled. Try again in a minute.")
    TRIALS.count(who)
    return run(strategy, asked, SEED)


def run(strategy: Data, asked: TrialForm, seed: int) -> Result:
    """Play the matches of a form that is valid."""
    name, other = asked.opponents[asked.cleaned_data["against"]]
    found = trial.play(GAME, asked.options, strategy, other, asked.cleaned_data["matches"], seed)
    total = found.total
    interval = _interval(found)
    parts = (total.wins, total.draws, total.losses)
    return Result(
        trial=found,
        name=str(strategy["name"]),
        against=name,
        rate=formats.percent(total.wins / total.matches),
        interval=formats.span(100 * interval.low, 100 * interval.high),
        ends=(interval.low, interval.high),
        widths=(100 * parts[0] / total.matches, 100 * parts[1] / total.matches, 100 * parts[2] / total.matches),
        seats=[
            (label, formats.percent(count.wins / count.matches), formats.count(count.matches))
            for label, count in zip(("It begins", "The other begins"), found.by_seat, strict=True)
        ],
        warnings=_warnings(strategy, found),
        idle=_idle(strategy, found, asked.kingdom_cards),
        uses=_uses(strategy, found),
        figure=_figure(found, str(strategy["name"]), name),
    )


def _interval(found: Trial) -> Interval:
    """Interval of the share of matches won; the pair of matches of equal luck is the unit."""
    pairs = BlockMoments.of([Moments(2, float(won)) for won, number in enumerate(found.pairs) for _ in range(number)])
    share = Share.of_blocks(pairs)
    interval = share.interval() if share is not None else None
    assert interval is not None
    return interval


def _warnings(strategy: Data, found: Trial) -> list[str]:
    """Warnings of mistakes that a rule can mend."""
    said = []
    total = found.total.matches
    if found.own_defeats:
        said.append(
            f"In {formats.count(found.own_defeats)} of {formats.count(total)} matches it ended a match that it was "
            "losing, by buying or gaining the last card of a pile. A condition on points ahead keeps it from that."
        )
    if cut := found.ends.get(trial.LIMIT, 0):
        said.append(
            f"{formats.plural(cut, 'match was', 'matches were')} cut after {trial.MAX_TURNS} turns: "
            "nobody brought them to an end."
        )
    return said


def _idle(strategy: Data, found: Trial, kingdom: Sequence[str]) -> str:
    """The rules that never decided anything, without those for cards that the kingdom has not."""
    missing = {card.name for card in cards.kingdom_cards()} - set(kingdom)
    rules = [
        f"{name} rule {place + 1} ({row['card']})"
        for name in form.LISTS
        for place, row in enumerate(strategy[name])
        if found.uses[name][place] == 0 and row["card"] not in missing
    ]
    return ", ".join(rules)


def _uses(strategy: Data, found: Trial) -> list[tuple[str, str]]:
    """(rule in words, how often a match it decided) of what is bought."""
    return [
        (words.rule(row), formats.number(often, 1))
        for row, often in zip(strategy["buy"], found.uses["buy"], strict=True)
    ]


def _figure(found: Trial, name: str, against: str) -> dict[str, Any]:
    """Points after each turn."""
    turns = list(range(1, len(found.curve) + 1))
    lines = [
        {
            "x": turns,
            "y": [round(pair[i], 2) for pair in found.curve],
            "name": label,
            "type": "scatter",
            "mode": "lines+markers",
            "line": {"color": f"@seat-{i}", "width": 2},
            "marker": {"color": f"@seat-{i}", "size": 6, "symbol": ("circle", "square")[i]},
            "hovertemplate": f"{label}, turn %{{x}}: %{{y:.1f}}<extra></extra>",
        }
        for i, label in enumerate((name, against))
    ]
    layout = {
        "xaxis": {"title": {"text": "Turn"}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": "Points"}},
        "showlegend": False,
        "margin": {"l": 44, "r": 8, "t": 8, "b": 40},
    }
    return {"data": lines, "layout": layout}
