"""Addresses at which one's own results are verified."""

from django.urls import path

from webapp.lab.checks import views

app_name = "checks"
urlpatterns = [
    path("experiments/<int:pk>/verification/", views.of_job, {"kind": "experiment"}, name="experiment"),
    path("ladders/<int:pk>/verification/", views.of_job, {"kind": "ladder"}, name="ladder"),
    path("studies/<int:pk>/verification/", views.of_job, {"kind": "study"}, name="study"),
    path("matches/<int:pk>/verification/", views.of_match, name="match"),
]
