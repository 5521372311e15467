"""The list of jobs that are over, the bell of every page, and how somebody wishes to be told."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import registry
from webapp.lab.jobs.selectors import url
from webapp.lab.notifications import selectors, services
from webapp.lab.notifications.forms import WishesForm
from webapp.people.accounts.requests import UserRequest
from webapp.table.hooks.models import Hook


@login_required
@require_safe
def index(request: UserRequest) -> HttpResponse:
    """What has ended lately; what is new is marked as seen by being shown."""
    now = timezone.now()
    rows = selectors.rows(request.user)
    context = {
        "rows": rows,
        "form": WishesForm(instance=services.wishes_of(request.user)),
        "has_mail": settings.LAB_MAIL,
        "hook": Hook.objects.filter(owner=request.user).first(),
    }
    response = render(request, "notifications/list.html", context)
    services.mark_seen(request.user, now)
    return response


@login_required
@require_safe
def bell(request: UserRequest) -> HttpResponse:
    """The bell alone, as every page asks for it again; 204 where there is no news."""
    found = selectors.bell(request.user)
    if request.GET.get("version") == found.version:
        return HttpResponse(status=204)
    return render(request, "notifications/_bell.html", {"bell": found})


@login_required
@require_POST
def wishes(request: UserRequest) -> HttpResponse:
    """Keep how somebody wishes to be told."""
    form = WishesForm(request.POST)
    if form.is_valid():
        by_mail = bool(form.cleaned_data["by_mail"]) and settings.LAB_MAIL
        services.keep_wishes(request.user, form.cleaned_data["least_s"], by_mail=by_mail)
        messages.success(request, "Kept")
    else:
        messages.warning(request, "Choose one of the ways that are offered.")
    return redirect("notifications:list")


@require_POST
def tell(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """Keep whether the owner of a job is told of its end."""
    job = get_owned(registry.get(kind).jobs, request.user, pk=pk)
    is_wanted = request.POST.get("wanted") == "yes"
    services.keep_job_wish(job, is_wanted=is_wanted)
    messages.success(request, "You are told when it is over" if is_wanted else "You are not told when it is over")
    return redirect(url(job))
