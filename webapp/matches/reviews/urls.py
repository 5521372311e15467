"""Addresses of the analysis of a match."""

from django.urls import path

from webapp.matches.reviews import views

app_name = "reviews"
urlpatterns = [path("matches/<int:pk>/review/", views.show, name="show")]
