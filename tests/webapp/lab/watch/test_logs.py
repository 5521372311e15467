"""Lines of the log that programs read."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from webapp.ops.data_folder import CHECKOUT
from worker import log_ids

PROGRAM = """
import logging, django
django.setup()
from worker import log_ids
with log_ids.bound(experiment=7, chunk="12"):
    with log_ids.bound(match="0/3/1"):
        logging.getLogger("uvicorn.error").warning("one of %s", "two", extra={"view": "x"})
try:
    {}["x"]
except KeyError:
    logging.getLogger("a").exception("it broke")
try:
    {}["x"]
except KeyError:
    logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header: 'y'", exc_info=True)
logging.getLogger("uvicorn.access").info("GET /play/on/T0KEN/")
logging.getLogger("django.request").error("Service Unavailable: /play/on/T0KEN/", extra={"status_code": 503})
logging.getLogger("lab.request").info("GET x 200")
"""


@pytest.mark.long
def test_lines_are_json_with_ids_where_that_is_asked_for(tmp_path: Path) -> None:
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings", "LAB_DATA": str(tmp_path), "LAB_LOG": "json"}
    command = [sys.executable, "-c", PROGRAM]
    written = subprocess.run(command, env=given, cwd=CHECKOUT, capture_output=True, text=True, check=True).stderr
    one, two, host, three = map(json.loads, written.splitlines())
    assert (one["level"], one["logger"], one["message"]) == ("WARNING", "uvicorn.error", "one of two")
    assert (one["experiment"], one["chunk"], one["match"], one["view"]) == (7, "12", "0/3/1", "x")
    assert one["time"].startswith("20")
    assert "KeyError" in two["exception"]
    assert "experiment" not in two
    assert (host["message"], "exception" in host) == ("Invalid HTTP_HOST header: 'y'", False), "anybody can send it"
    assert three["message"] == "GET x 200"  # lines with addresses of what did not fail are not written


def test_they_are_plain_text_else(settings: Any) -> None:
    assert settings.LAB_LOG == settings.LOGGING["handlers"]["stderr"]["formatter"] == "text"
    assert settings.LOGGING["loggers"]["lab.request"]["level"] == "WARNING"


@pytest.mark.django_db
def test_a_request_keeps_its_id_or_gets_one(client: Client, caplog: Any) -> None:
    class Seen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            ids.append(log_ids.current().get("request_id"))

    ids: list[Any] = []
    logger, seen = logging.getLogger("lab.request"), Seen()
    logger.addHandler(seen)
    with caplog.at_level(logging.INFO, "lab.request"):
        given = client.get("/health/live/", headers={"X-Request-ID": "proxy-1.a:2"})
        odd = client.get("/health/live/", headers={"X-Request-ID": 'x" injected'})
        none = client.get("/nowhere/")
    logger.removeHandler(seen)
    answered = [answer.headers["X-Request-ID"] for answer in (given, odd, none)]
    assert answered == ids
    assert answered[0] == "proxy-1.a:2"
    assert len({*answered[1:], 'x" injected'}) == 3
    views = [(record.view, record.status) for record in caplog.records if record.name == "lab.request"]
    assert views == [("site:live", 200), ("site:live", 200), ("none", 404)]
    assert log_ids.current() == {}
