"""A first match of team dominoes, step by step."""

from games.protocol import GuideStep

STEPS = (
    GuideStep(
        "Four seats, two teams",
        "The seat across the table is your partner. Everybody has seven of the 28 tiles and sees only their own. Who "
        "opens the first round is drawn; then the seats open in turn.",
        show="plates",
    ),
    GuideStep(
        "Lay a tile",
        "When it is your turn, choose a marked tile of your hand: one of its numbers has to equal an open end of the "
        "row. If it fits both ends, you are asked which.",
        until="choose",
        show="board",
    ),
    GuideStep(
        "Confirm",
        "Nothing counts before you confirm. Until then the arrow back, or Escape, takes your choice back.",
        until="confirm",
        show="bar",
    ),
    GuideStep(
        "Passing tells",
        "A player without a tile that fits has to pass, and so tells everybody that both numbers are missing in that "
        "hand. The table keeps the numbers that each seat has passed on. Leave such ends to your rivals, "
        "not to your partner.",
        show="board",
    ),
    GuideStep(
        "The end of a round",
        "The first to lay the last tile wins the round for the team. If no tile left fits, the round is blocked, and "
        "the team with fewer pips in hand wins it.",
        show="turn",
    ),
    GuideStep(
        "Points",
        "The winners of a round add all pips that are left in the four hands. The first team with 200 wins the match. "
        "So get rid of heavy tiles in time.",
        show="plates",
    ),
)
