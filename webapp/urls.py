"""Addresses of all pages. Every app names its own addresses in full."""

from django.contrib import admin
from django.urls import include, path

from webapp.people.accounts.forms import StaffLoginForm

admin.site.login_form = StaffLoginForm  # not in an `admin` module: those are loaded by programs without pages, too

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("webapp.play.ratings.urls")),
    path("", include("webapp.play.duplicates.urls")),
    path("", include("webapp.play.strength.urls")),
    path("", include("webapp.play.urls")),  # asked most: the first that matches is taken
    path("", include("webapp.site.urls")),
    path("", include("webapp.people.accounts.urls")),
    path("", include("webapp.people.friends.urls")),
    path("", include("webapp.table.strategies.urls")),
    path("", include("webapp.api.agent_urls")),
    path("", include("webapp.table.hooks.urls")),
    path("", include("webapp.api.urls")),
    path("", include("webapp.lab.comparison.urls")),
    path("", include("webapp.lab.experiments.urls")),
    path("", include("webapp.lab.ladders.urls")),
    path("", include("webapp.lab.studies.urls")),
    path("", include("webapp.matches.urls")),
    path("", include("webapp.matches.positions.urls")),
    path("", include("webapp.matches.reviews.urls")),
    path("", include("webapp.lab.results.urls")),
    path("", include("webapp.lab.dictionary.urls")),
    path("", include("webapp.lab.checks.urls")),
    path("", include("webapp.lab.notifications.urls")),
    path("", include("webapp.lab.presets.urls")),
    path("", include("webapp.lab.projects.urls")),
    path("", include("webapp.sharing.urls")),
]

handler400 = "webapp.site.errors.bad_request"
handler403 = "webapp.site.errors.forbidden"
handler404 = "webapp.site.errors.not_found"
handler500 = "webapp.site.errors.server_error"
