"""Addresses of experiments and of the two builders."""

from django.urls import path

from webapp.lab.experiments import views
from webapp.lab.jobs.urls import addresses

app_name = "experiments"
urlpatterns = [
    path("experiments/new/", views.experiment, name="new"),
    path("experiments/replicate/", views.replication, name="replicate"),
    path("experiments/new/estimate/", views.estimate, {"kind": "experiment"}, name="estimate"),
    path("matches/new/", views.match, name="new_match"),
    path("matches/new/estimate/", views.estimate, {"kind": "match"}, name="estimate_match"),
    *addresses("experiment", "experiments", ("matches", "settings", "failures")),
]
