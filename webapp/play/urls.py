"""Addresses of play."""

from __future__ import annotations

from django.urls import path

from webapp.play.views import (
    board,
    challenge,
    frames,
    hint,
    invitations,
    join,
    lobby,
    my_matches,
    new,
    playing_on,
    position,
    preferences,
    replay,
    review,
    rules,
    talk,
    watch,
)

app_name = "play"
urlpatterns = [
    path("play/", lobby.lobby, name="lobby"),
    path("play/now/", lobby.now, name="now"),
    path("play/new/", new.new, name="new"),
    path("play/watch/", watch.watch, name="watch"),
    path("play/mine/", my_matches.my_matches, name="mine"),
    path("play/preferences/", preferences.preferences, name="preferences"),
    path("play/speed/", preferences.speed, name="speed"),
    path("play/on/<str:token>/", playing_on.play_on, name="on"),
    path("play/deal/<slug:code>/", challenge.show, name="deal"),
    path("play/<slug:code>/", board.match, name="match"),
    path("play/<slug:code>/challenge/", challenge.make, name="challenge"),
    path("play/<slug:code>/state/", board.state, name="state"),
    path("play/<slug:code>/frames/", frames.between, name="frames"),
    path("play/<slug:code>/act/", board.act, name="act"),
    path("play/<slug:code>/aids/", board.switch, name="aids"),
    path("play/<slug:code>/guide/", board.lead, name="guide"),
    path("play/<slug:code>/rules/", rules.rules, name="rules"),
    path("play/<slug:code>/hint/", hint.hint, name="hint"),
    path("play/<slug:code>/say/", talk.say, name="say"),
    path("play/<slug:code>/hear/", talk.hear, name="hear"),
    path("play/<slug:code>/invite/", invitations.invite, name="invite"),
    path("play/<slug:code>/decline/", invitations.decline, name="decline"),
    path("play/<slug:code>/wish/<slug:name>/", board.wish, name="wish"),
    path("play/<slug:code>/join/", join.join, name="join"),
    path("play/<slug:code>/replay/", replay.match, name="replay"),
    path("play/<slug:code>/replay/review/", review.review, name="replay_review"),
    path("play/<slug:code>/replay/verification/", replay.verification, name="replay_verification"),
    path("play/<slug:code>/replay/position/", position.show, name="replay_position"),
    path("play/<slug:code>/replay/position/live/", position.live, name="replay_position_live"),
    path("play/<slug:code>/replay/board.svg", replay.board, name="replay_board"),
    path("play/<slug:code>/replay/trace.json", replay.trace_json, name="replay_trace"),
    path("play/<slug:code>/replay/export/<slug:table>.<slug:format_id>", replay.export, name="replay_export"),
]
