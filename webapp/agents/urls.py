"""Addresses of the pages where people keep their agents."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "agents"
urlpatterns: list[URLPattern] = []
