"""`/r/<slug>/snapshots/`: what was frozen of a shared result, for anybody; asked for and taken back by its owner."""

from __future__ import annotations

import json
import zipfile
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from webapp.common.errors import RefusedError
from webapp.common.requests import HtmxRequest
from webapp.lab.dictionary import croissant, data_package
from webapp.lab.jobs.shared import find
from webapp.lab.snapshots import selectors, services
from webapp.people.accounts import guests
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Experiment, ShareLink
from webapp.records.snapshot_models import Snapshot
from webapp.sharing.public import GONE, context_of, is_owner, public, public_file, whole_job
from webapp.sharing.snapshots import contents
from webapp.sharing.snapshots.file_response import file_response
from worker.snapshots import layout

State = Snapshot.State
POLL_S = 2
DESCRIBED = {"datapackage": layout.DATA_PACKAGE, "croissant": layout.CROISSANT}
"""Files of an archive that can be read by themselves."""


@public
def index(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """All snapshots of a link, and how far the one is that is being made."""
    job = whole_job(link)
    rows = list(selectors.of_link(link))
    context = context_of(request, link) | {
        "job": job,
        "snapshots": rows,
        "poll_s": POLL_S if any(row.state == State.WAITING for row in rows) else 0,
        "refusal": services.refusal(link),
        "has_plies": isinstance(job, Experiment) and job.keeps_plies,
    }
    return render(request, "sharing/snapshots.html", context)


@require_POST
def freeze(request: HtmxRequest, slug: str) -> HttpResponse:
    """Ask for a snapshot of what is shown now, for the owner alone."""
    if guests.person(request) is None:
        return redirect_to_login(reverse("sharing:snapshots", args=[slug]))
    link = _own(request, slug)
    if link.withdrawn_at is None:
        whole_job(link)
    try:
        snapshot, is_new = services.freeze(link, with_plies=request.POST.get("plies") == "on")
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("sharing:snapshots", slug=link.slug)
    if not is_new and snapshot.state == State.MADE:
        messages.info(request, "Nothing has changed since this snapshot was made, so there is no other.")
        return redirect("sharing:snapshot", slug=link.slug, digest=snapshot.digest)
    return redirect("sharing:snapshots", slug=link.slug)


@require_POST
def withdraw(request: HtmxRequest, slug: str, digest: str) -> HttpResponse:
    """Take a snapshot back, for the owner alone: its address says so from then on."""
    if guests.person(request) is None:
        return redirect_to_login(reverse("sharing:snapshots", args=[slug]))
    link = _own(request, slug)
    services.withdraw(_snapshot(link, digest))
    messages.success(request, "Withdrawn: its address says so, and keeps the checksum. The file goes within minutes.")
    return redirect("sharing:snapshots", slug=link.slug)


def _own(request: HtmxRequest, slug: str) -> ShareLink:
    """The link of a slug. Raises Http404 where it is not of the person who asks."""
    link = find(slug)
    if not is_owner(request, link):
        raise Http404("no such link, or not yours")
    return link


def _snapshot(link: ShareLink, digest: str) -> Snapshot:
    found = selectors.find(link, digest)
    if found is None:
        raise Http404("no such snapshot")
    return found


@public
def detail(request: HtmxRequest, link: ShareLink, digest: str) -> HttpResponse:
    """What a snapshot holds, its checksum, how to cite it."""
    snapshot = _snapshot(link, digest)
    context = context_of(request, link) | {"job": whole_job(link), "snapshot": snapshot}
    if snapshot.state == State.WITHDRAWN:
        return render(request, "sharing/snapshot_withdrawn.html", context, status=GONE)
    context |= {
        "is_there": selectors.path_of(snapshot).is_file(),
        "file_url": reverse("sharing:snapshot_file", args=[link.slug, snapshot.digest]),
        "address": selectors.address(snapshot),
        "file_address": selectors.file_address(snapshot),
    }
    return render(request, "sharing/snapshot.html", context)


@public_file
def file(request: HtmxRequest, link: ShareLink, digest: str) -> HttpResponseBase:
    """The archive, whole or in part."""
    snapshot = _there(link, digest)
    name = f"meeple-lab-{snapshot.digest}.zip"
    try:
        return file_response(request, selectors.path_of(snapshot), name, snapshot.sha256)
    except OSError:
        raise Http404("its file is not on the disk of this lab") from None


@public_file
def described(request: HtmxRequest, link: ShareLink, digest: str, name: str) -> HttpResponse:
    """A descriptor of the archive; in that of Croissant the files are found in the archive at its address."""
    snapshot = _there(link, digest)
    if name not in DESCRIBED:
        raise Http404(f"no descriptor {name}")
    try:
        with zipfile.ZipFile(selectors.path_of(snapshot)) as archive:
            found: dict[str, Any] = json.loads(archive.read(DESCRIBED[name]))
    except (OSError, zipfile.BadZipFile, KeyError):
        raise Http404("its file is not on the disk of this lab") from None
    if name == "croissant":
        url = selectors.address(snapshot)
        found = croissant.in_archive(found, (selectors.file_address(snapshot), snapshot.size, snapshot.sha256), url)
    content = json.dumps(found, indent=1, ensure_ascii=False)
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "private, no-cache"})


@public
def live(request: HtmxRequest, link: ShareLink, name: str) -> HttpResponse:
    """A descriptor of the exports as they are now."""
    whole_job(link)
    try:
        data = contents.live(link)
    except ArchiveError as error:
        raise Http404(error.sentence) from None
    found = data_package.descriptor(data) if name == "datapackage" else croissant.descriptor(data)
    content = json.dumps(found, indent=1, ensure_ascii=False)
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "private, no-cache"})


def _there(link: ShareLink, digest: str) -> Snapshot:
    """A snapshot that has its file. Raises Http404."""
    whole_job(link)
    snapshot = _snapshot(link, digest)
    if snapshot.state != State.MADE:
        raise Http404("this snapshot was withdrawn")
    return snapshot
