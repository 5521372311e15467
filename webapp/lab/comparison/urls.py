"""Addresses of comparisons."""

from django.urls import path

from webapp.lab.comparison import views

app_name = "comparison"
urlpatterns = [
    path("experiments/compare/", views.compare, name="compare"),
    path("experiments/compare.json", views.compare_json, name="numbers"),
]
