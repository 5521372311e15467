"""``python -m engines list | replay | bench | positions | depth-models | levels | own``: JSON on stdout; ``warm``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engines import bench, bench_positions, depth_models, ladder, level_choice, own_check, registry, warm_up
from games import data_files, garbage, rule_sets
from games import registry as game_registry
from games.__main__ import replay


def make_positions(game_id: str, out: Path | None) -> None:
    """Play the game's positions anew; print their file, or write it."""
    game = game_registry.get(game_id)
    if not game.traits.chance_is_listable:
        raise ValueError(f"{game.label} does not list what may be drawn")
    text = bench_positions.text(bench_positions.make(game))
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")


def make_depth_models(game_id: str) -> None:
    """Fit the game's depth models anew and write their file."""
    game = game_registry.get(game_id)
    data_files.write(game.folder, depth_models.NAME, depth_models.text(game, depth_models.make(game)))


def _levels(given: argparse.Namespace) -> Any:
    """List the levels of a game, print the spec that measures one, or keep what was measured."""
    if given.spec:
        return ladder.spec(given.game, given.spec, given.deals, given.rules)
    if given.note:
        return ladder.note(given.game, given.note, json.load(sys.stdin), given.rules).totals()
    if given.ladder:
        return ladder.ladder_spec(given.game, given.deals)
    if given.note_ladder:
        found = ladder.note_ladder(given.game, json.load(sys.stdin))
        return {level_id: counted.totals() for level_id, counted in found.items()}
    if given.candidates:
        return level_choice.spec(given.game, given.deals)
    if given.choose:
        return level_choice.choose(given.game, json.load(sys.stdin))
    if given.take:
        return [level.id for level in level_choice.take(given.game, given.take)]
    if given.times:
        return ladder.time_all(game_registry.get(given.game))
    return ladder.list_levels(given.game)


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="engines with options, budgets and the games they fit")
    command = commands.add_parser("replay", help="as `python -m games replay`, and search values that traces hold")
    command.add_argument("game", choices=game_registry.ids())
    command.add_argument("files", nargs="+", type=Path)
    command = commands.add_parser("bench", help="speed on seeded mid-game positions")
    command.add_argument("game", choices=game_registry.ids())
    command.add_argument("engine", choices=registry.ids())
    command.add_argument("--options", type=json.loads, default={})
    command.add_argument("--budget", type=json.loads)
    command.add_argument("--positions", type=int, default=10)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--seats", type=int, help="of seeded positions; the fewest unless said")
    command.add_argument("--stored", action="store_true", help="measure on the stored positions instead")
    command = commands.add_parser("positions", help="play the stored positions of a game anew")
    command.add_argument("game", choices=game_registry.ids())
    command.add_argument("--out", type=Path, help="write there instead of to stdout")
    command = commands.add_parser("depth-models", help="fit anew what searches foretell of deeper ones")
    command.add_argument("game", choices=game_registry.ids())
    command = commands.add_parser("levels", help="levels of a game, and how they are measured (see engines/ladder.py)")
    command.add_argument("game", choices=game_registry.ids())
    what = command.add_mutually_exclusive_group()
    what.add_argument("--spec", metavar="ID", help="print the experiment of a level against the next")
    what.add_argument("--note", metavar="ID", help="keep the summary on stdin, of that experiment")
    what.add_argument("--ladder", action="store_true", help="print the ladder of all levels")
    what.add_argument("--note-ladder", action="store_true", help="keep the report on stdin, of that ladder")
    what.add_argument("--candidates", action="store_true", help="print the ladder of levels and candidates")
    what.add_argument("--choose", action="store_true", help="propose even steps by the report on stdin, of that ladder")
    what.add_argument("--take", metavar="ID", nargs="+", help="make these the levels, weakest first")
    what.add_argument("--times", action="store_true", help="measure and keep the seconds of a decision of every level")
    command.add_argument(
        "--deals",
        type=int,
        default=ladder.DEALS,
        help="of the experiment, or of each level of the ladder: two matches each",
    )
    command.add_argument(
        "--rules",
        choices=(rule_sets.PAPER, rule_sets.RULE_BOOK),
        default=rule_sets.PAPER,
        help="by which a pair is measured",
    )
    command = commands.add_parser("own", help="try an engine of your own (docs/own-engines.md)")
    command.add_argument("source", metavar="FILE.py", help="or a folder, or package:NAME")
    command.add_argument("--game", nargs="+", choices=game_registry.ids(), default=list(game_registry.ids()))
    command = commands.add_parser("warm", help="compile kernels ahead of their first use")
    command.add_argument("--game", nargs="+", choices=game_registry.ids(), default=list(game_registry.ids()))
    command.add_argument("--engine", nargs="+", choices=registry.ids(), default=list(registry.ids()))
    command.add_argument("--first", action="store_true", help="only what people and experiments begin with")
    command.add_argument("--brief", action="store_true", help="a line only where all levels of a game are ready")
    return parser


def main(arguments: list[str] | None = None, prog: str = "python -m engines") -> int:
    """Run one command; return the exit status."""
    given = _parser(prog).parse_args(arguments)
    try:
        if given.command == "warm":
            warm_up.warm(given.game, given.engine, is_first=given.first, is_brief=given.brief)
            return 0
        if given.command == "positions":
            make_positions(given.game, given.out)
            return 0
        if given.command == "depth-models":
            make_depth_models(given.game)
            return 0
        if given.command == "list":
            answer: Any = [registry.describe(engine_id) for engine_id in registry.ids()]
        elif given.command == "levels":
            answer = _levels(given)
        elif given.command == "own":
            answer = own_check.check(given.source, tuple(given.game))
        elif given.command == "replay":
            answer = replay(game_registry.get(given.game), given.files, is_searched=True)
        else:
            game = game_registry.get(given.game)
            seeded = (given.positions, given.seed, given.seats)
            states = bench_positions.states(game) if given.stored else bench.positions(game, *seeded)
            answer = bench.measure(game, given.engine, given.options, given.budget, states, given.seed)
    except (OSError, ValueError, KeyError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return 1
    print(json.dumps(answer, indent=None if given.command == "replay" else 2))
    return 1 if isinstance(answer, dict) and answer.get("mismatches") else 0


if __name__ == "__main__":
    garbage.collect_seldom()
    sys.exit(main())
