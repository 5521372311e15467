"""``{% load failures %}``: ``{{ match.failure|failure_label }}``."""

from __future__ import annotations

from django import template

from webapp.lab.results import failures

register = template.Library()
register.filter("failure_label", failures.label)
