"""Addresses that jobs of every kind have; each kind includes them among its own."""

from __future__ import annotations

from django.urls import URLPattern, path

from webapp.lab.jobs import describing, views

ACTIONS = ("pause", "resume", "stop", "archive", "unarchive")


def addresses(kind: str, folder: str, parts: tuple[str, ...]) -> list[URLPattern]:
    """Addresses of the jobs of a kind below a folder; parts: names of its `JobKind.parts`."""
    of_kind, one = {"kind": kind}, f"{folder}/<int:pk>/"
    return [
        path(f"{folder}/", views.index, of_kind, name="list"),
        path(one, views.detail, of_kind, name="detail"),
        path(f"{one}live/", views.live, of_kind, name="live"),
        path(f"{one}brief/", views.brief, of_kind, name="brief"),
        path(f"{one}result/", views.result, of_kind, name="result"),
        path(f"{one}result.json", views.result_json, of_kind, name="result_json"),
        path(f"{one}spec.json", views.spec_json, of_kind, name="spec"),
        path(f"{one}describe/", describing.describe, of_kind, name="describe"),
        path(f"{one}delete/", views.delete, of_kind, name="delete"),
        *(path(f"{one}{name}/", views.part, of_kind | {"name": name}, name=name) for name in parts),
        *(path(f"{one}{name}/", views.act, of_kind | {"action": name}, name=name) for name in ACTIONS),
    ]


def chart_addresses(kind: str, folder: str) -> list[URLPattern]:
    """Addresses of the figures of a kind's results."""
    charts = f"{folder}/<int:pk>/charts/<slug:chart_id>"
    return [
        path(f"{charts}.json", views.chart_json, {"kind": kind}, name="chart_json"),
        path(f"{charts}/", views.chart_page, {"kind": kind}, name="chart"),
    ]


def export_address(kind: str, address: str, **chosen: str) -> URLPattern:
    """The address of rows as files; chosen: the table, where the address names none."""
    return path(address, views.export, {"kind": kind, **chosen}, name="export")
