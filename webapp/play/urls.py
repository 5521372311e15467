"""Addresses of play."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "play"
urlpatterns: list[URLPattern] = []
