"""Shared pages: open to anybody, silent about all else, and closed when withdrawn."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.pages import markup
from webapp.lab.jobs import share_links as services
from webapp.lab.results.answer import forest
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import Judged
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment, ShareLink
from webapp.sharing import card, selectors
from webapp.sharing.citation import citation
from worker.analysis.stop_rules.model import WIN_RATE

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted")
BELOW = ("", "live/", "result/", "matches/", "spec.json", "card.png", "charts/win-rate.json", "charts/points/")
BELOW_MATCH = ("", "board.svg", "trace.json")


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=2, title="Does <looking> ahead help?")


@pytest.fixture
def link(made: Experiment) -> ShareLink:
    return services.share(made)


class TestServices:
    """Making and withdrawing links."""

    def test_a_slug_cannot_be_guessed(self, made: Experiment) -> None:
        slugs = set()
        for _ in range(20):
            link = services.share(made)
            slugs.add(link.slug)
            services.withdraw(link)
        assert len(slugs) == 20
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", slug) for slug in slugs)  # 22 x 6 bits hold 128

    def test_sharing_twice_gives_one_link_and_leaves_its_mark(self, made: Experiment) -> None:
        assert not made.was_shared
        assert services.share(made).pk == services.share(made).pk
        made.refresh_from_db()
        assert made.was_shared

    def test_a_withdrawn_link_stays_withdrawn(self, made: Experiment) -> None:
        first = services.share(made)
        services.withdraw(first)
        closed = first.withdrawn_at
        services.withdraw(first)
        assert first.withdrawn_at == closed
        assert services.share(made).slug != first.slug
        made.refresh_from_db()
        assert made.was_shared

    def test_a_match_has_a_link_of_its_own(self, made: Experiment) -> None:
        match = made.matches.first()
        assert services.share(made, match).pk != services.share(made).pk
        assert services.share(made, match).match == match

    def test_a_match_of_another_experiment_is_refused(self, made: Experiment, alice: Any) -> None:
        other = factory.played(alice, deals=1)
        with pytest.raises(ValueError, match="is not of experiment"):
            services.share(made, other.matches.first())


class TestOwner:
    """POST only, owner only."""

    def test_one_is_asked_once_and_led_to_the_page(self, made: Experiment, alice: Any, client: Client) -> None:
        client.force_login(alice)
        for address in (f"/experiments/{made.pk}/share/", f"/matches/{made.matches.first().pk}/share/"):
            asked = markup(client.get(address))
            assert "without your name" in asked
            assert "data:image/png;base64," in asked
        assert not ShareLink.objects.exists()
        answer = client.post(f"/experiments/{made.pk}/share/", follow=True)
        assert answer.status_code == 200
        assert "Withdraw link" in answer.content.decode()
        assert client.get(f"/experiments/{made.pk}/share/").status_code == 302, "it is shared already"

    @pytest.mark.parametrize("who", ["bob", None])
    def test_nobody_else_can_share_or_withdraw(
        self, made: Experiment, link: ShareLink, bob: Any, client: Client, who: str | None
    ) -> None:
        if who:
            client.force_login(bob)
        match = made.matches.first()
        for url in (f"/experiments/{made.pk}/share/", f"/matches/{match.pk}/share/", f"/r/{link.slug}/withdraw/"):
            answer = client.post(url)
            assert answer.status_code == (404 if who else 302)
            assert who or answer.url.startswith("/accounts/login/")
        link.refresh_from_db()
        assert link.withdrawn_at is None
        assert ShareLink.objects.count() == 1

    def test_changes_need_post(self, made: Experiment, link: ShareLink, alice: Any, client: Client) -> None:
        client.force_login(alice)
        assert client.get(f"/r/{link.slug}/withdraw/").status_code == 405

    @pytest.mark.long
    def test_withdrawn_means_gone_everywhere_below(
        self, made: Experiment, link: ShareLink, alice: Any, client: Client
    ) -> None:
        client.force_login(alice)
        assert client.post(f"/r/{link.slug}/withdraw/").status_code == 302
        match = made.matches.first()
        tails = [*BELOW, "export/matches.csv", *(f"matches/{match.pk}/{tail}" for tail in BELOW_MATCH)]
        for reader in (client, Client()):
            for tail in tails:
                answer = reader.get(f"/r/{link.slug}/{tail}")
                assert answer.status_code == 410, tail
                page = answer.content.decode()
                assert "This result was withdrawn" in page
                assert "looking" not in page


class TestPublicPage:
    """What a guest sees."""

    @pytest.mark.long
    def test_a_guest_sees_all_of_it(self, made: Experiment, link: ShareLink, client: Client) -> None:
        match = made.matches.first()
        for tail in (*BELOW, *(f"matches/{match.pk}/{tail}" for tail in BELOW_MATCH)):
            answer = client.get(f"/r/{link.slug}/{tail}")
            assert answer.status_code == 200, tail
            assert answer["Referrer-Policy"] == "same-origin"
            assert answer["X-Robots-Tag"] == "noindex"

    @pytest.mark.long
    def test_nothing_private_leaks(
        self, made: Experiment, link: ShareLink, alice: Any, bob: Any, client: Client
    ) -> None:
        other = factory.experiment(alice, title="Secret plans")
        match = made.matches.first()
        client.force_login(bob)
        for tail in (*BELOW[:-3], "charts/points/", *(f"matches/{match.pk}/{tail}" for tail in BELOW_MATCH)):
            page = client.get(f"/r/{link.slug}/{tail}").content.decode()
            assert alice.email not in page
            assert alice.username not in page
            assert other.title not in page
            assert "Withdraw link" not in page
            assert f'"/experiments/{made.pk}/' not in page, f"{tail} leads to the owner's page"
            assert f'"/matches/{match.pk}/' not in page, f"{tail} leads to the owner's page"

    def test_matches_of_other_experiments_stay_private(self, link: ShareLink, alice: Any, client: Client) -> None:
        stranger = factory.played(alice, deals=1).matches.first()
        for tail in BELOW_MATCH:
            assert client.get(f"/r/{link.slug}/matches/{stranger.pk}/{tail}").status_code == 404
        assert client.get(f"/r/{link.slug}/matches/{stranger.pk}/export/plies.csv").status_code == 404

    def test_an_unknown_slug_is_404(self, client: Client) -> None:
        assert client.get("/r/nothing-here/").status_code == 404

    def test_nothing_can_be_changed(self, link: ShareLink, client: Client) -> None:
        for tail in BELOW:
            assert client.post(f"/r/{link.slug}/{tail}").status_code == 405

    def test_it_is_live_while_the_experiment_runs(self, alice: Any, client: Client) -> None:
        running = factory.experiment(alice, deals=3)
        link = services.share(running)
        page = client.get(f"/r/{link.slug}/").content.decode()
        assert f'hx-get="/r/{link.slug}/live/' in page
        factory.write(running, [factory.record(running, 0, 0)])
        assert "1" in client.get(f"/r/{link.slug}/live/").content.decode()
        Experiment.objects.filter(pk=running.pk).update(status="finished")
        assert client.get(f"/r/{link.slug}/live/?state=running")["HX-Refresh"] == "true"

    def test_previews_carry_title_finding_and_picture(self, link: ShareLink, client: Client) -> None:
        page = client.get(f"/r/{link.slug}/").content.decode()
        assert '<meta property="og:title" content="Does &lt;looking&gt; ahead help?">' in page
        image = re.search(r'<meta property="og:image" content="([^"]+)">', page)
        assert image
        assert image[1].startswith(f"{settings.PUBLIC_URL}/r/{link.slug}/card.png")
        description = re.search(r'<meta property="og:description" content="([^"]+)">', page)
        assert description
        assert "matches" in description[1]
        assert client.get(f"/r/{link.slug}/?from=somewhere").status_code == 200

    def test_run_again_starts_from_the_shared_spec(self, link: ShareLink, client: Client) -> None:
        assert f"/experiments/new/?shared={link.slug}" in client.get(f"/r/{link.slug}/").content.decode()


class TestForAll:
    """What all readers of whom nothing is known are given alike."""

    def test_it_is_made_once_and_sent_once(
        self, made: Experiment, link: ShareLink, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        address = f"/r/{link.slug}/"
        first = client.get(address)
        assert first["Cache-Control"] == "public, no-cache"
        assert "csrftoken" not in first.cookies
        assert "X-CSRFToken" not in first.content.decode()
        with django_assert_max_num_queries(3):
            packed = Client().get(address, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed.content) == first.content
        assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
        dark = Client()
        dark.cookies["theme"] = "dark"
        assert 'data-theme="dark"' in dark.get(address).content.decode()
        charts = [Client().get(f"{address}charts/points.json") for _ in range(2)]
        assert charts[0].content == charts[1].content
        assert (charts[0]["Cache-Control"], charts[0]["X-Robots-Tag"]) == ("private, no-cache", "noindex")

    def test_what_is_withdrawn_or_renamed_is_so_at_once(
        self, made: Experiment, link: ShareLink, client: Client
    ) -> None:
        address = f"/r/{link.slug}/"
        known = {"If-None-Match": client.get(address)["ETag"]}
        Experiment.objects.filter(pk=made.pk).update(title="Another title")
        renamed = client.get(address, headers=known)
        assert renamed.status_code == 200
        assert "Another title" in renamed.content.decode()
        services.withdraw(link)
        for _ in range(2):
            gone = client.get(address, headers={"If-None-Match": renamed["ETag"]})
            assert gone.status_code == 410
            assert "Another title" not in gone.content.decode()

    def test_who_is_known_has_a_page_of_their_own(self, link: ShareLink, alice: Any, client: Client) -> None:
        address = f"/r/{link.slug}/"
        Client().get(address)
        client.force_login(alice)
        own = client.get(address)
        assert own["Cache-Control"] == "private, no-store"
        assert "Withdraw link" in own.content.decode()
        assert "Withdraw link" not in Client().get(address).content.decode()


class TestSharedMatch:
    """A link to one match shows that match only."""

    @pytest.mark.long
    def test_the_match_and_nothing_else(self, made: Experiment, client: Client) -> None:
        match, other = made.matches.order_by("pk")[:2]
        link = services.share(made, match)
        for tail in BELOW_MATCH:
            assert client.get(f"/r/{link.slug}/{tail}").status_code == 200
        for tail in ("live/", "result/", "matches/", "spec.json", "charts/win-rate.json", f"matches/{other.pk}/"):
            assert client.get(f"/r/{link.slug}/{tail}").status_code == 404
        page = client.get(f"/r/{link.slug}/").content.decode()
        assert "og:title" in page
        assert made.title not in page

    def test_a_link_to_a_ply_works_below_it(self, made: Experiment, client: Client) -> None:
        link = services.share(made, made.matches.first())
        assert "move <span data-now>12</span>" in markup(client.get(f"/r/{link.slug}/?ply=12"))

    @pytest.mark.long
    def test_a_scheduled_match_is_shown_at_once(self, alice: Any, client: Client) -> None:
        single = factory.experiment(alice, deals=1, rotation="none")
        Experiment.objects.filter(pk=single.pk).update(kind="match")
        factory.write(single, [factory.record(single, 0, 0)])
        link = services.share(single)
        answer = client.get(f"/r/{link.slug}/", follow=True)
        assert answer.redirect_chain == [(f"/r/{link.slug}/matches/{single.matches.get().pk}/", 302)]
        page = answer.content.decode()
        assert f'<meta property="og:url" content="{settings.PUBLIC_URL}/r/{link.slug}/">' in page
        assert 'id="cite-bibtex"' in page
        assert len(client.get(f"/r/{link.slug}/card.png").content) > 100_000, "the board is on it"


@pytest.mark.django_db(transaction=True)
def test_a_guest_can_export(alice: Any, client: Client) -> None:
    made = factory.played(alice, deals=1)
    link, alone = services.share(made), services.share(made, made.matches.first())
    answer = client.get(f"/r/{link.slug}/export/matches.csv")
    assert len(b"".join(answer).splitlines()) == 5
    assert f"meeple-lab-{link.slug}-matches.csv" in answer["Content-Disposition"]
    assert len(b"".join(client.get(f"/r/{alone.slug}/export/matches.csv")).splitlines()) == 3


class TestCard:
    """The preview picture."""

    def test_it_is_a_png_of_the_size_messengers_want(self, link: ShareLink, client: Client) -> None:
        answer = client.get(f"/r/{link.slug}/card.png")
        assert answer["Content-Type"] == "image/png"
        assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
        assert [int.from_bytes(answer.content[i : i + 4], "big") for i in (16, 20)] == [1200, 630]
        again = client.get(f"/r/{link.slug}/card.png", headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304

    def test_it_holds_the_numbers_of_the_page(self, made: Experiment, link: ShareLink) -> None:
        drawn = selectors.preview(link).card
        svg = card.svg(drawn)
        assert len(drawn.rows) == 2
        assert all(row.words.replace("\u202f", " ") in svg for row in drawn.rows)
        assert "&lt;looking&gt;" in svg

    @pytest.mark.parametrize(
        ("engines", "words"),
        [
            ([RANDOM] * 2, "dotted: 50.0 %, an equal share"),
            ([RANDOM] * 3, "dotted: 33.3 %, an equal share"),
            ([FLAT, RANDOM], "Percentage points of the win rate, 95 %, one look; dotted: the baseline"),
            ([FLAT, RANDOM, GREEDY], "Places gained, 95 %, one look; dotted: the baseline"),
        ],
    )
    def test_the_dotted_line_is_an_equal_share_or_no_difference(
        self, alice: Any, engines: list[Any], words: str
    ) -> None:
        made = factory.played(alice, [engines], deals=1)
        svg = card.svg(selectors.preview(services.share(made)).card)
        assert svg.count("stroke-dasharray") == 1
        assert words in svg

    def test_of_many_arms_the_best_are_drawn_and_the_baseline(self) -> None:
        side = [Side(arm, 0, f"Arm {arm}", "", None, (0,)) for arm in range(9)]
        found = [Compared(side[arm], float(mean), None, 40) for arm, mean in enumerate((3, 9, 1, 7, 5, 8, 6, 2), 1)]
        drawn = forest(Judged(WIN_RATE, "Arm 0", tuple(found), baseline_side=side[0]))
        assert drawn is not None
        names = [row.name for row in card.rows_of_forest(drawn)]
        assert names == ["Arm 2", "Arm 4", "Arm 5", "Arm 6", "Arm 7", "Arm 0"]

    def test_its_text_is_drawn(self) -> None:
        plain = card.Card("Title", "Text", "lab.example/r/x")
        assert card.png(plain) != card.png(card.Card("", "", "")), "without a font both would be empty"

    def test_a_long_answer_is_written_smaller_and_not_cut(self) -> None:
        answer = (
            "Progressive bias 5 wins 9.1 percentage points more of its matches than Plain tree search (95 % interval"
        )
        for text, size, end in (
            (answer, 27, "interval"),
            (
                f"{answer} +2.4 to +15.8, always valid) and is told apart from all others. 1284 matches.",
                23,
                "1284 matches.",
            ),
        ):
            lines = re.findall(
                r'font-size="(\d+)" fill="#5a616b" text-anchor="start"[^>]*>([^<]*)<',
                card.svg(card.Card("Why?", text, "")),
            )
            assert {found for found, _ in lines} == {str(size)}
            assert " ".join(line for _, line in lines) == text
            assert lines[-1][1].endswith(end)

    def test_nothing_in_a_title_breaks_it(self) -> None:
        for title in ("", "x" * 300, "a\x07b & <c> ]]> \u202e\U0001f600", "  "):
            assert card.png(card.Card(title, title, title))[:4] == b"\x89PNG"

    @pytest.mark.long
    def test_a_match_shows_its_board(self, made: Experiment, client: Client) -> None:
        link = services.share(made, made.matches.first())
        assert len(client.get(f"/r/{link.slug}/card.png").content) > 100_000

    def test_its_colours_are_those_of_the_pages(self) -> None:
        css = (settings.BASE_DIR / "static/css/tokens.css").read_text()
        for name, value in card.PALETTE.items():
            assert re.search(rf"--{name}:\s*light-dark\({value},", css), name


class TestCitation:
    """Words and BibTeX."""

    def test_both_name_address_seed_and_versions(self, made: Experiment, link: ShareLink) -> None:
        found = citation(link, made, made.title, 8)
        for text in (found.text, found.bibtex):
            assert f"{settings.PUBLIC_URL}/r/{link.slug}/" in text
            assert "seed 7" in text
            assert "carcassonne 1" in text
        assert found.text.startswith(f"Meeple Lab ({made.created_at.year}). Does <looking> ahead help? Experiment")

    def test_versions_are_those_of_all_arms(
        self, made: Experiment, link: ShareLink, django_assert_num_queries: Any
    ) -> None:
        made.matches.filter(arm_index=0, deal=0).update(versions={"carcassonne": "0.9"})
        made.matches.filter(arm_index=1, deal=1, rotation=1).update(versions={"carcassonne": "2"})
        link.refresh_from_db()
        assert link.experiment.title
        with django_assert_num_queries(3):  # of the others one asks whether anything is new, one sets the memory
            found = citation(link, made, made.title, 8)
        assert found.versions == "carcassonne 0.9, carcassonne 1, carcassonne 2, random 1"

    def test_bibtex_survives_any_title(self, link: ShareLink) -> None:
        bibtex = citation(link, link.experiment, "100 % {of} $5 & a_b #1 ~ ^ \\", 8).bibtex
        assert r"100 \% \{of\} \$5 \& a\_b \#1" in bibtex
        assert r"\textbackslash{}" in bibtex
        assert bibtex.count("{") == bibtex.count("}")
