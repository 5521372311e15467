"""The plugin of django-stubs, which imports the settings: with a key at hand they make no data folder."""

import os

os.environ.setdefault("SECRET_KEY", "for types only")

from mypy_django_plugin.main import plugin

__all__ = ["plugin"]
