"""Addresses of the pages where people keep their agents."""

from django.urls import path

from webapp.api.views import agents

app_name = "agents"
urlpatterns = [
    path("agents/", agents.list_agents, name="list"),
    path("agents/new/", agents.new, name="new"),
    path("agents/<slug:name>/", agents.detail, name="detail"),
    path("agents/<slug:name>/describe/", agents.describe, name="describe"),
    path("agents/<slug:name>/tokens/", agents.issue, name="issue"),
    path("agents/<slug:name>/tokens/<int:pk>/revoke/", agents.revoke, name="revoke"),
    path("agents/<slug:name>/retire/", agents.retire, name="retire"),
]
