"""Public addresses, and the three things that their owner does with them."""

from django.urls import path

from webapp.sharing import embeds, positions, projects, reviews, verification, views
from webapp.sharing.snapshots import views as snapshots

app_name = "sharing"
urlpatterns = [
    path("experiments/<int:pk>/share/", views.share, {"kind": "experiment"}, name="share"),
    path("ladders/<int:pk>/share/", views.share, {"kind": "ladder"}, name="share_ladder"),
    path("studies/<int:pk>/share/", views.share, {"kind": "study"}, name="share_study"),
    path("matches/<int:pk>/share/", views.share_match, name="share_match"),
    path("projects/<int:pk>/share/", projects.share, name="share_project"),
    path("p/<slug:slug>/withdraw/", projects.withdraw, name="withdraw_project"),
    path("p/<slug:slug>/", projects.show, name="project"),
    path("p/<slug:slug>/card.png", projects.card, name="project_card"),
    path("p/<slug:slug>/results/<slug:key>/", projects.brief, name="project_brief"),
    path("r/<slug:slug>/withdraw/", views.withdraw, name="withdraw"),
    path("r/<slug:slug>/", views.show, name="show"),
    path("r/<slug:slug>/card.png", views.card, name="card"),
    path("r/<slug:slug>/live/", views.live, name="live"),
    path("r/<slug:slug>/result/", views.result, name="result"),
    path("r/<slug:slug>/rows/", views.part, {"name": "rows"}, name="rows"),
    path("r/<slug:slug>/result.json", views.result_json, name="result_json"),
    path("r/<slug:slug>/spec.json", views.spec_json, name="spec"),
    path("r/<slug:slug>/charts/<slug:chart_id>.json", views.chart_json, name="chart_json"),
    path("r/<slug:slug>/charts/<slug:chart_id>/", views.chart_page, name="chart"),
    path("r/<slug:slug>/export/<slug:table>.<slug:format_id>", views.export, name="export"),
    path("r/<slug:slug>/datapackage.json", snapshots.live, {"name": "datapackage"}, name="data_package"),
    path("r/<slug:slug>/croissant.json", snapshots.live, {"name": "croissant"}, name="croissant"),
    path("r/<slug:slug>/snapshots/", snapshots.index, name="snapshots"),
    path("r/<slug:slug>/snapshots/freeze/", snapshots.freeze, name="freeze"),
    path("r/<slug:slug>/snapshots/<str:digest>/", snapshots.detail, name="snapshot"),
    path("r/<slug:slug>/snapshots/<str:digest>/withdraw/", snapshots.withdraw, name="withdraw_snapshot"),
    path("r/<slug:slug>/snapshots/<str:digest>/snapshot.zip", snapshots.file, name="snapshot_file"),
    path("r/<slug:slug>/snapshots/<str:digest>/<str:name>.json", snapshots.described, name="snapshot_described"),
    path("r/<slug:slug>/board.svg", views.board, name="board"),
    path("r/<slug:slug>/trace.json", views.trace_json, name="trace"),
    path("r/<slug:slug>/position/", positions.show, name="position"),
    path("r/<slug:slug>/position/live/", positions.live, name="position_live"),
    path("r/<slug:slug>/review/", reviews.show, name="review"),
    path("r/<slug:slug>/verification/", verification.show, name="verification"),
    path("r/<slug:slug>/matches/<int:pk>/verification/", verification.show, name="match_verification"),
    path("r/<slug:slug>/matches/<int:pk>/review/", reviews.show, name="match_review"),
    path("r/<slug:slug>/embed/", embeds.ask, name="embed"),
    path("r/<slug:slug>/matches/<int:pk>/embed/", embeds.ask, name="embed_of_match"),
    path("embed/<slug:slug>/chart/<slug:chart_id>/", embeds.chart, name="embed_chart"),
    path("embed/<slug:slug>/match/", embeds.replay, name="embed_only_match"),
    path("embed/<slug:slug>/match/<int:pk>/", embeds.replay, name="embed_match"),
    path("oembed", embeds.oembed, name="oembed"),
    path("r/<slug:slug>/matches/", views.part, {"name": "matches"}, name="matches"),
    path("r/<slug:slug>/matches/<int:pk>/", views.match, name="match"),
    path("r/<slug:slug>/matches/<int:pk>/position/", positions.show, name="match_position"),
    path("r/<slug:slug>/matches/<int:pk>/position/live/", positions.live, name="match_position_live"),
    path("r/<slug:slug>/matches/<int:pk>/board.svg", views.board, name="match_board"),
    path("r/<slug:slug>/matches/<int:pk>/trace.json", views.trace_json, name="match_trace"),
    path(
        "r/<slug:slug>/matches/<int:pk>/export/<slug:table>.<slug:format_id>", views.match_export, name="match_export"
    ),
]
