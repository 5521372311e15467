"""The web application for ASGI servers; `manage.py up` serves `web_process` with uvicorn."""

import contextlib
import os
import resource

import django

from games import readiness

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402

from webapp.api import problems  # noqa: E402  # it needs the settings
from webapp.common import database_pool, request_kinds  # noqa: E402
from webapp.common.gate import Answer, Gate, Scope  # noqa: E402
from webapp.common.handler import PagesHandler  # noqa: E402
from webapp.lab.watch import request_times  # noqa: E402
from webapp.play import first_pages, waits  # noqa: E402
from webapp.site import errors  # noqa: E402
from webapp.table.live import pulse  # noqa: E402


def _refuse(scope: Scope, wait_s: int) -> Answer:
    """The answer to a request that found no place, which is counted."""
    if settings.LAB_METRICS:
        request_times.note_refused(503)
    if scope["path"].startswith(problems.PREFIX):
        return problems.busy(wait_s)
    return errors.busy(scope["method"], wait_s)


application = Gate(PagesHandler(waits.wait_of), request_kinds.kind_of, _refuse)


def _allow_files() -> None:
    """Allow as many open files as the system lets us have: each waiting reader is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a bound of its own
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard), hard))


def web_process() -> Gate:
    """The same in a process of its own: it compiles nothing, and its requests share connections to the database."""
    readiness.leave_compiling()
    database_pool.open_pool()
    pulse.keep_listening()
    _allow_files()
    first_pages.load_aside()
    return application
