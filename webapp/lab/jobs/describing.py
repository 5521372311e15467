"""The form of a job's title, notes and tags: in the page of the job where a script asks for it, else a page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import description, registry, selectors, tags
from webapp.lab.jobs.description import DescriptionError, EditedError
from webapp.records.job import Job

OFFERED = 12


class AnyChoices(forms.MultipleChoiceField):
    """Boxes to tick; what was sent is taken though it is offered no more."""

    def valid_value(self, value: Any) -> bool:
        """Whether it may be chosen."""
        return True


class DescriptionForm(forms.Form):
    """Title, notes and tags. add: tags of one's own to tick, beside those that are written."""

    title = forms.CharField(label="Title", required=False)
    tags = forms.CharField(
        label="Tags",
        required=False,
        help_text="Short words between commas. Only you see them; your lists can be filtered by them.",
    )
    add = AnyChoices(label="Yours so far", required=False, widget=forms.CheckboxSelectMultiple)
    notes = forms.CharField(
        label="Notes",
        required=False,
        help_text="Markdown: **bold**, # heading, - list, [words](address), tables. Pictures become links.",
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    shows_notes = forms.BooleanField(label="Show the notes on the shared page", required=False)
    edition = forms.CharField(required=False, widget=forms.HiddenInput)
    tab = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, job: Any, tab: str, data: QueryDict | None = None) -> None:
        now = description.of(job)
        initial = {
            "title": now.title,
            "tags": ", ".join(now.tags),
            "notes": now.notes,
            "shows_notes": now.shows_notes,
            "edition": description.edition(job),
            "tab": tab,
        }
        super().__init__(data, initial=initial, auto_id="described_%s")
        offered = [tag for tag in tags.of_owner(job.owner, OFFERED + len(now.tags)) if tag not in now.tags]
        self.fields["add"].choices = [(tag, tag) for tag in offered[:OFFERED]]  # type: ignore[attr-defined]
        self.fields["title"].widget.attrs |= {"maxlength": description.MAX_TITLE, "autofocus": True}
        self.fields["notes"].widget.attrs["maxlength"] = description.MAX_NOTES
        self.fields["tags"].widget.attrs["autocomplete"] = "off"
        self.fields["shows_notes"].help_text = "Else only you see them. The page has them while it is shared."

    def clean(self) -> dict[str, Any]:
        """The values; `wanted` is the description that they make."""
        values = self.cleaned_data
        given = [*description.split_tags(values.get("tags", "")), *values.get("add", [])]
        try:
            values["wanted"] = description.checked(
                values.get("title", ""), values.get("notes", ""), values.get("shows_notes", False), given
            )
        except DescriptionError as error:
            self.add_error(error.field, error.message)
        return values


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """The form; sent, keep it and show the job again. A script that cancels asks for what is kept (``?show=``)."""
    job: Job = get_owned(registry.get(kind).jobs, request.user, pk=pk)
    if request.method != "POST":
        tab = request.GET.get("tab", "")
        if "show" in request.GET and request.htmx:
            return _kept(request, job, tab)
        return _form(request, job, DescriptionForm(job, tab))
    form = DescriptionForm(job, request.POST.get("tab", ""), request.POST)
    if not form.is_valid():
        return _form(request, job, form)
    try:
        description.change(job, form.cleaned_data["wanted"], form.cleaned_data["edition"])
    except EditedError:
        return _form(request, job, _over(job, request), clash=description.of(job))
    tab = form.cleaned_data["tab"]
    if request.htmx:
        return _kept(request, job, tab)
    return redirect(f"{selectors.url(job)}{tab}/" if tab in registry.get(kind).parts else selectors.url(job))


def _over(job: Job, request: HtmxRequest) -> DescriptionForm:
    """The form as it was sent, to be kept over what another tab has kept."""
    values = request.POST.copy()
    values["edition"] = description.edition(job)
    return DescriptionForm(job, values.get("tab", ""), values)


def _form(request: HtmxRequest, job: Job, form: DescriptionForm, **more: Any) -> HttpResponse:
    template = "jobs/_describe.html" if request.htmx else "jobs/describe.html"
    return render(request, template, _context(job) | {"form": form, "tab": form["tab"].value()} | more)


def _kept(request: HtmxRequest, job: Job, tab: str) -> HttpResponse:
    """What is kept, in place of the form; with the title of the page around it."""
    context = _context(job) | {"tab": tab, "is_edited": True}
    return render(request, "jobs/_described.html", context)


def _context(job: Job) -> dict[str, Any]:
    plural = registry.of(job).plural
    return {"job": job, "base": selectors.url(job), "list_url": reverse(f"{plural}:list"), "kind": registry.of(job)}
