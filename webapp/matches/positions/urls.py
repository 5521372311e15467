"""Addresses of the position page."""

from django.urls import path

from webapp.matches.positions import views

app_name = "positions"
urlpatterns = [
    path("matches/<int:pk>/position/", views.show, name="show"),
    path("matches/<int:pk>/position/live/", views.live, name="live"),
]
