"""Addresses of charts and exports."""

from django.urls import path

from webapp.lab.results import views

app_name = "results"
urlpatterns = [
    path("experiments/<int:pk>/charts/<slug:chart_id>.json", views.chart_json, name="chart_json"),
    path("experiments/<int:pk>/charts/<slug:chart_id>/", views.chart_page, name="chart"),
    path("experiments/<int:pk>/export/<slug:table>.<slug:format_id>", views.export, name="export"),
]
