import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from webapp.ops.data_folder import CHECKOUT

PLOTLY_DIGEST = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"
"""SHA-256 of plotly-cartesian.min.js as published in plotly.js-cartesian-dist-min 4.1.1."""

PROGRAM = """
import json, os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
from django.conf import settings
names = %r
print(json.dumps({name: getattr(settings, name) for name in names}, default=str))
"""


def settings_with(tmp_path, *names, **environment):
    given = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM % (list(names),)],
        env={**given, "LAB_DATA": str(tmp_path), **environment},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


def test_types_are_checked_without_a_data_folder(tmp_path):
    given = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")}
    subprocess.run(
        [sys.executable, "-c", "import django, runpy; runpy.run_path('.ci/mypy_django.py'); django.setup()"],
        env={**given, "LAB_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "webapp.settings"},
        cwd=CHECKOUT,
        check=True,
    )
    assert not (tmp_path / "data").exists()


def test_https_turns_on_secure_cookies_and_hsts(tmp_path):
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "ALLOWED_HOSTS")
    found = settings_with(tmp_path, *names, PUBLIC_URL="https://lab.example.org/")
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is True
    assert found["SECURE_HSTS_SECONDS"] > 0
    assert "lab.example.org" in found["ALLOWED_HOSTS"]
    plain = settings_with(tmp_path, *names)
    assert plain["SESSION_COOKIE_SECURE"] is plain["CSRF_COOKIE_SECURE"] is False
    assert plain["SECURE_HSTS_SECONDS"] == 0
    assert plain["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_servers_are_the_embedded_ones_unless_named(tmp_path):
    names = ("DATABASES", "CELERY_BROKER_URL", "SECRET_KEY", "DEBUG")
    found = settings_with(tmp_path, *names)
    assert found["DATABASES"]["default"]["HOST"].endswith("/pg")
    assert found["CELERY_BROKER_URL"].startswith("redis+socket:///")
    assert found["SECRET_KEY"] == (tmp_path / "secret_key").read_text()
    assert found["DEBUG"] is False
    urls = {"DATABASE_URL": "postgres://me:pw@db.example.org:5433/lab", "REDIS_URL": "redis://queue.example.org:6379/0"}
    named = settings_with(tmp_path, *names, **urls, SECRET_KEY="given")
    assert named["DATABASES"]["default"]["HOST"] == "db.example.org"
    assert named["DATABASES"]["default"]["PORT"] == 5433
    assert named["CELERY_BROKER_URL"] == "redis://queue.example.org:6379/0"
    assert named["SECRET_KEY"] == "given"


def test_numba_is_not_loaded_by_settings_or_apps(tmp_path):
    program = "import django, sys; django.setup(); print('numba' in sys.modules or 'numpy' in sys.modules)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings", "LAB_DATA": str(tmp_path)}
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, env=environment, cwd=CHECKOUT, capture_output=True, text=True)
    assert result.stdout == "False\n", result.stderr


@pytest.mark.django_db
def test_the_content_security_policy_is_exactly_ours():
    header = Client().get("/admin/login/").headers["Content-Security-Policy"]
    assert sorted(part.strip() for part in header.split(";")) == [
        "base-uri 'none'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
    ]


def test_scripts_of_packages_are_static_files():
    assert os.path.getsize(finders.find("django_htmx/htmx-2.min.js")) > 10_000
    plotly = finders.find("vendor/plotly/plotly-cartesian.min.js")
    assert hashlib.sha256(Path(plotly).read_bytes()).hexdigest() == PLOTLY_DIGEST
