"""Addresses of ratings."""

from django.urls import path

from webapp.play.ratings import views

app_name = "ratings"
urlpatterns = [
    path("ratings/", views.boards, name="boards"),
    path("ratings/people/<str:name>/", views.person, name="person"),
    path("ratings/agents/<str:name>/", views.agent, name="agent"),
    path("ratings/<slug:game_id>/", views.board, name="board"),
    path("engines/against-people/", views.against_people, name="against_people"),
]
