"""Loads what the first pages of a web process need, before a class comes in at once: views, rules, drawings, templates.

It takes a process two to three CPU seconds, which the first requests would otherwise spend, each waiting for the same.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable

from django.template.loader import get_template
from django.urls import get_resolver

from games import garbage, loader, registry
from webapp.common.table_size import default_num_seats
from webapp.play import level_cards
from worker.course import Course

logger = logging.getLogger(__name__)

TEMPLATES = ("site/start.html", "play/lobby.html", "play/_lobby.html", "play/match.html", "play/new.html")


class _Loaded:
    is_all = False


_loaded = _Loaded()
"""Whether this process has it all, perhaps from the one that it was forked from."""


def load_aside() -> None:
    """Load it in a thread of its own: requests that come meanwhile are served."""
    if _loaded.is_all:
        return
    threading.Thread(target=load, name="first-pages", daemon=True).start()


def load() -> None:
    """Load it; what cannot be loaded is logged, and its pages say so themselves."""
    if _loaded.is_all:
        return
    began = time.perf_counter()
    done = [_try("addresses", lambda: get_resolver().url_patterns)]
    for game_id in registry.ids():
        done.append(_try(game_id, lambda game_id=game_id: _draw(game_id)))  # type: ignore[misc]
    for name in TEMPLATES:
        done.append(_try(name, lambda name=name: get_template(name)))  # type: ignore[misc]
    _loaded.is_all = all(done)
    keep_for_good()
    logger.info("what first pages need was loaded in %.1f s", time.perf_counter() - began)


def keep_for_good() -> None:
    """Let the collector of unreachable objects look no more at those that are there, which stay as long as the process.

    Requests leave few behind, so it also looks less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(garbage.THRESHOLD)


def _try(what: str, load_one: Callable[[], object]) -> bool:
    """Whether it could be loaded."""
    try:
        with loader.only_warm():
            load_one()
            return True
    except loader.ColdError:
        logger.info("%s is not compiled yet", what)
    except Exception:
        logger.exception("%s cannot be loaded", what)
    return False


def _draw(game_id: str) -> None:
    """Play one ply of a match and draw its board, which loads the game's kernels and drawings."""
    level_cards.cards(game_id)
    game = registry.get(game_id)
    course = Course(game, {}, default_num_seats(game.traits), 1)
    course.advance(int(game.legal_actions(course.state)[0]))
    seat = course.player
    for action in game.legal_actions(course.state).tolist():
        game.notation(course.state, action)
    game.play_svg(course.state, seat=seat)
    game.panel(course.state, seat)
    game.observation(course.state, seat)
