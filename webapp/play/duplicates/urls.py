"""Addresses of duplicate matches."""

from django.urls import path

from webapp.play.duplicates import views

app_name = "duplicates"
urlpatterns = [
    path("play/duplicate/", views.show, name="show"),
    path("play/duplicate/begin/", views.begin, name="begin"),
]
