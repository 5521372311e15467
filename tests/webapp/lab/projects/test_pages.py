"""Projects as their owners write them and as everybody reads them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.webapp.lab.jobs.conftest import set_to
from tests.webapp.pages import markup
from tests.webapp.specs import make
from webapp.lab.jobs import services as jobs
from webapp.lab.jobs import share_links
from webapp.lab.projects import report, selectors, services
from webapp.lab.projects.models import Project, ProjectLink

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer(client: Client, alice: Any) -> Client:
    """Alice's browser."""
    client.force_login(alice)
    return client


@pytest.fixture
def project(alice: Any, played: Any) -> Project:
    """A text, a finished experiment with its answer, and another text."""
    job = played(alice)
    set_to(job, status="finished", finished_at=job.created_at, title="Better?")
    result = report.new_result("experiment", job.pk, job.title)
    return services.create(alice, "Our report", [report.new_text("# Why\n\nSo."), result, report.new_text("*End*")])


def result_of(project: Project) -> Any:
    """The job that stands in it."""
    return next(iter(selectors.jobs_of(project.owner, report.load(project.blocks)).values()))


def form_of(project: Project, **changes: str) -> dict[str, str]:
    """What the form sends as it is shown."""
    blocks = report.load(project.blocks)
    values = {"title": project.title, "edition": str(project.edition), "do": "save"}
    values["order"] = ",".join(block.key for block in blocks)
    for block in blocks:
        name, value = ("job", f"{block.word}-{block.number}") if block.is_result else ("text", block.text)
        values[f"{name}-{block.key}"] = value
    return values | changes


def test_a_project_is_made_written_and_kept(writer: Client, alice: Any) -> None:
    assert "No project yet" in markup(writer.get("/projects/"))
    assert "Give the project a title" in markup(writer.post("/projects/", {"title": " "}))
    writer.post("/projects/", {"title": "New"})
    project = Project.objects.get()
    job = make(alice, "To add")
    address = f"/projects/{project.pk}/edit/"
    page = markup(writer.get(address))
    assert f'<option value="experiment-{job.pk}">To add, No. {job.pk}' in page
    (key,) = (block.key for block in report.load(project.blocks))
    sent = form_of(project, do="result:", result=f"experiment-{job.pk}", **{f"text-{key}": "Words that nobody saved"})
    changed = markup(writer.post(address, sent, HTTP_HX_REQUEST="true"))
    assert "Words that nobody saved</textarea>" in changed
    added = re.search(rf'name="job-(\w+)" value="experiment-{job.pk}"', changed)
    assert added
    project.refresh_from_db()
    assert [block.text for block in report.load(project.blocks)] == [""]  # a button keeps nothing
    order = f"{added[1]},{key}"
    kept = sent | {"do": "save", "order": order, f"job-{added[1]}": f"experiment-{job.pk}"}
    shown = markup(writer.post(address, kept, follow=True))
    assert shown.index("To add") < shown.index("Words that nobody saved")
    assert "Choose a result first" in markup(writer.post(address, form_of(project, do="result:")))


def test_of_two_tabs_neither_overwrites_the_other(writer: Client, project: Project) -> None:
    address = f"/projects/{project.pk}/edit/"
    first, second = form_of(project, title="First"), form_of(project, title="Second")
    for _ in range(2):  # sent twice is no clash
        assert writer.post(address, first)["Location"] == f"/projects/{project.pk}/"
    answer = writer.post(address, second)
    project.refresh_from_db()
    assert (project.title, project.edition) == ("First", 2)
    assert "Another tab kept another version" in markup(answer)
    assert 'name="edition" value="2"' in markup(answer)
    writer.post(address, second | {"edition": "2"})
    project.refresh_from_db()
    assert (project.title, project.edition) == ("Second", 3)


def test_what_another_tab_has_deleted_is_gone(project: Project) -> None:
    Project.objects.filter(pk=project.pk).delete()
    for act in (services.share, services.delete, lambda found: services.change(found, "Other", [], found.edition)):
        with pytest.raises(Http404):
            act(project)


def test_a_result_comes_from_its_own_page(writer: Client, alice: Any, project: Project) -> None:
    job = make(alice, "Next")
    job_page = markup(writer.get(f"/experiments/{job.pk}/settings/"))
    assert f'href="/projects/add/?job=experiment-{job.pk}"' in job_page
    address = f"/projects/add/?job=experiment-{job.pk}"
    for words in ("Added to", "is in “Our report” already"):
        assert words in markup(writer.post(address, {"project": project.pk}, follow=True))
    assert "in it" in markup(writer.get(address))
    writer.post(address, {"title": "Another"})
    assert [found.title for found in selectors.holding(job)] == ["Another", "Our report"]
    assert f'href="/projects/{project.pk}/#experiment-{job.pk}"' in markup(
        writer.get(f"/experiments/{job.pk}/settings/")
    )


def test_results_of_others_cannot_be_put_in(writer: Client, bob: Any, project: Project) -> None:
    foreign = make(bob, "Of bob")
    assert writer.get(f"/projects/add/?job=experiment-{foreign.pk}").status_code == 404
    named = {"order": "zz", "job-zz": f"experiment-{foreign.pk}"}
    assert "Of bob" not in markup(writer.post(f"/projects/{project.pk}/edit/", form_of(project) | named, follow=True))
    project.refresh_from_db()
    assert project.blocks == []


def test_a_deleted_job_leaves_its_name(writer: Client, project: Project) -> None:
    jobs.delete(result_of(project))
    assert "“Better?”, experiment No. " in markup(writer.get(f"/projects/{project.pk}/"))
    assert "was deleted" in markup(writer.get(f"/projects/{project.pk}/edit/"))
    services.share(project)
    public = markup(Client().get(f"/p/{selectors.live_link(project).slug}/"))  # type: ignore[union-attr]
    assert "A result stood here that was deleted" in public
    assert "Better?" not in public


def test_a_report_is_shared_with_the_results_that_were_chosen(writer: Client, project: Project) -> None:
    job = result_of(project)
    ask = markup(writer.get(f"/projects/{project.pk}/share/"))
    assert f'name="result" value="experiment-{job.pk}" checked' in ask
    location = writer.post(f"/projects/{project.pk}/share/")["Location"]  # ticked off
    stranger = Client()
    public = markup(stranger.get(location))
    assert "<h3>Why</h3>" not in public
    assert "Why" in public
    assert "A result stands here that is not shared" in public
    assert "Better?" not in public
    key = next(block.key for block in report.load(project.blocks) if block.is_result)
    assert stranger.get(f"{location}results/{key}/").status_code == 404
    assert "1 result is not shared" in markup(writer.get(f"/projects/{project.pk}/"))

    writer.post(f"/projects/{project.pk}/share/", {"result": f"experiment-{job.pk}"})
    result = share_links.share(job)
    public = markup(stranger.get(location))
    assert f'href="/r/{result.slug}/">Better?' in public
    assert f'hx-get="{location}results/{key}/"' in public
    assert 'class="brief"' in markup(stranger.get(f"{location}results/{key}/"))
    assert "/brief/" not in public
    assert f"meeplelab-{ProjectLink.objects.get().slug}," in public
    assert stranger.get(f"{location}card.png").content.startswith(b"\x89PNG")
    assert writer.get(f"/projects/{project.pk}/share/")["Location"] == location


def test_a_withdrawn_address_says_so_for_good(writer: Client, project: Project) -> None:
    link = services.share(project)
    assert "Withdraw its link first" in markup(writer.post(f"/projects/{project.pk}/delete/", follow=True))
    writer.post(f"/p/{link.slug}/withdraw/")
    again = services.share(project)
    assert again.slug != link.slug
    services.withdraw(again)
    writer.post(f"/projects/{project.pk}/delete/")
    assert not Project.objects.exists()
    for slug in (link.slug, again.slug):
        answer = Client().get(f"/p/{slug}/")
        assert (answer.status_code, "This report was withdrawn" in markup(answer)) == (410, True)


def test_results_cost_no_queries_each_and_projects_have_a_bound(
    writer: Client, alice: Any, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = []
    for title in ("a", "b", "c"):
        with CaptureQueriesContext(connection) as found:
            writer.get(f"/projects/{project.pk}/")
        queries.append(len(found))
        services.add(project, make(alice, title))
    assert queries[0] == queries[-1]
    monkeypatch.setattr(services, "MAX_PROJECTS", 1)
    assert "all there may be" in markup(writer.post("/projects/", {"title": "One more"}))
