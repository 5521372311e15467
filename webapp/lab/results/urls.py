"""Addresses of charts and exports of experiments."""

from webapp.lab.jobs.urls import chart_addresses, export_address

app_name = "results"
urlpatterns = [
    *chart_addresses("experiment", "experiments"),
    export_address("experiment", "experiments/<int:pk>/export/<slug:table>.<slug:format_id>"),
]
