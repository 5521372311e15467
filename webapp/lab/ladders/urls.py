"""Addresses of ladders, of the form of a new one, and of what can be added to one."""

from django.urls import path

from webapp.lab.jobs.urls import addresses, chart_addresses, export_address
from webapp.lab.ladders import views

app_name = "ladders"
urlpatterns = [
    path("ladders/new/", views.new, name="new"),
    path("ladders/new/estimate/", views.estimate, name="estimate"),
    path("ladders/<int:pk>/enter/", views.enter, name="enter"),
    path("ladders/<int:pk>/more/", views.more, name="more"),
    *addresses("ladder", "ladders", ("matches", "settings", "failures")),
    *chart_addresses("ladder", "ladders"),
    export_address("ladder", "ladders/<int:pk>/export/<slug:table>.<slug:format_id>"),
]
