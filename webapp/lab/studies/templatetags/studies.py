"""``{% load studies %}``: ``{{ study.kind|kind_label }}`` names the kind of a study."""

from __future__ import annotations

from django import template

from webapp.lab.studies import selectors

register = template.Library()
register.filter("kind_label", selectors.kind_label)
