"""Addresses of studies."""

from django.urls import path

from webapp.lab.jobs import urls as jobs
from webapp.lab.studies import views

app_name = "studies"
urlpatterns = [
    path("studies/new/", views.new, name="new"),
    path("studies/new/estimate/", views.estimate, name="estimate"),
    *jobs.addresses("study", "studies", ("rows", "settings")),
    *jobs.chart_addresses("study", "studies"),
    jobs.export_address("study", "studies/<int:pk>/export/rows.<slug:format_id>", table="rows"),
]
