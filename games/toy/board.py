"""Board and panel for play, from what a seat may observe and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.guides import GuideStep, Happening
from games.panels import Panel, Stock, StockRow, Supply
from games.protocol import Aid, Game, Step

STEPS = (Step("seat", "Seat", "Choose who gets the card."),)
AIDS = (Aid("unseen", "Cards not seen", "Lists the cards that you have not seen."),)
GUIDE = (
    GuideStep("begin", "Most points win", "Every card is handed out once, and scores for the player who gets it."),
    GuideStep("begin", "Choose who gets it", "Point at the line of the player who is to get the card.", "bar"),
    GuideStep("first", "The first card is out", "It counts for the player who got it.", "plates"),
    GuideStep("over", "The last card", "The player who draws the last card keeps it.", show="plates"),
)


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply, beside its beginning and end."""
    if now.before is not None and not game.is_terminal(now.after):
        yield "first"


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" role="group" viewBox="0 0 90 80" aria-label="Cards">'


def play_svg(seen: Mapping[str, Any], legal: Sequence[int], prefix: str) -> str:
    """A line for each seat; a target over those who may get the card, and the card where it has been put.

    legal: actions of the seat that looks, none where it is not on turn.
    """
    body = f'<text class="off" data-aid="unseen" y="75">{seen["unseen"]}</text>'
    for seat, (points, secret) in enumerate(zip(seen["scores"], seen["secret"], strict=True)):
        y = 20 * seat
        body += f'<text id="{prefix}line-{seat}" y="{y + 15}">{points} + {"?" if secret is None else secret}</text>'
        if seat in legal:
            body += (
                f'<text class="off" data-show="{seat}" x="60" y="{y + 15}">+ {seen["card"]}</text>'
                f'<rect id="{prefix}seat-{seat}" class="off" data-step="seat" data-value="{seat}"'
                f' data-when="" aria-label="Card {seen["card"]} to seat {seat}." fill="transparent"'
                f' y="{y}" width="90" height="20"/>'
            )
    return f"{HEAD}{body}</svg>"


def panel(seen: Mapping[str, Any], received: tuple[int, ...], cards: int, prefix: str) -> Panel:
    """The drawn card, what each seat has received, the cards that this seat has not seen."""
    card, unseen = seen["card"], seen["unseen"]
    held = f'<svg id="{prefix}held" viewBox="0 0 20 20"><text y="15">{card}</text></svg>' if card else ""
    chance = 1 / len(unseen) if unseen else None
    rows = tuple(
        StockRow(f"Card {n}", int(n in unseen), 1, chance and chance * (n in unseen)) for n in range(1, cards + 1)
    )
    return Panel(
        held,
        f"Card {card}" if card else "",
        f"{len(unseen)} cards not seen.",
        tuple((Supply("Cards received", n, cards),) for n in received),
        (Stock("Cards not seen", len(unseen), cards, rows),),
    )
