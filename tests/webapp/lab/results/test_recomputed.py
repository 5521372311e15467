"""Every number of a result page, card, list and of `stats` by an independent computation from the exported CSV."""

from __future__ import annotations

import json
import re
from csv import DictReader
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from django.test import Client

from engines import registry as engines
from engines.protocol import Budget, Decision
from games.protocol import Game, Rng, State
from tests.crash.engines import Misbehaving
from tests.webapp.lab.results import by_hand, read_page, recomputed
from tests.webapp.lab.results.expected_page import Line, Page, fixed, signed, span
from tests.webapp.lab.results.recomputed import Deals, Export, won
from webapp.lab.experiments import services
from webapp.lab.jobs import share_links as sharing
from webapp.records.models import Experiment
from webapp.records.work_source import PostgresWorkSource
from webapp.sharing import card, selectors
from worker import __main__ as command
from worker.spec import from_json
from worker.stop_switch import StopSwitch

MOST_LEGAL = 100
"""`Falters` fails where it has more to choose from and moves first: of such a deal the other match is played."""


class Falters(Misbehaving):
    """Plays the first legal action; fails at some ply of some matches."""

    id = label = "falters"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """As it says, whatever the budget."""
        legal = game.legal_actions(view)
        if seat == 0 and len(legal) > MOST_LEGAL:
            raise ValueError(f"{len(legal)} actions are too many")
        return Decision(int(legal[0]))


def seat(engine: str, **budget: int) -> dict[str, Any]:
    """One place of a line-up, with default options."""
    return {"engine": engine, "options": {}, "budget": budget}


RANDOM, SCRIPTED, FLAT = seat("random"), seat("scripted"), seat("flat_mc", playouts=20)


def spec(game: str, deals: int, arms: dict[str, list[dict[str, Any]]], **changes: Any) -> dict[str, Any]:
    """An experiment of these line-ups, in every seating."""
    rows = [{"name": name, "seats": seats} for name, seats in arms.items()]
    plain = {
        "version": 1,
        "options": {},
        "rotation": "all",
        "record": "standard",
        "seed": 11,
        "stop": {"rule": "fixed"},
    }
    return plain | {"game": game, "seats": len(rows[0]["seats"]), "deals": deals, "arms": rows} | changes


class Played(NamedTuple):
    """An experiment that is over, and its pages as its owner and as anybody gets them."""

    made: Experiment
    html: str
    shared: str
    listed: str
    csv: str
    preview: selectors.Preview
    client: Client

    def export(self, table: str) -> list[dict[str, str]]:
        """Rows of a file as it is downloaded."""
        answer: Any = self.client.get(f"/experiments/{self.made.pk}/export/{table}.csv")
        return list(DictReader(StringIO(b"".join(answer.streaming_content).decode())))

    def chart(self, chart_id: str) -> list[Line]:
        """Numbers of the table below a chart."""
        page = self.client.get(f"/experiments/{self.made.pk}/charts/{chart_id}/").content.decode()
        return read_page.lines(page, "tbody")


def play(owner: Any, of: dict[str, Any]) -> Played:
    """Play as a worker does, and fetch what a reader may read."""
    made = services.create(owner, "Who is better?", from_json(of))
    source = PostgresWorkSource()
    try:
        while True:
            with source.claim() as chunk:
                if chunk is None:
                    break
                chunk.carry_out(StopSwitch())
    finally:
        source.close()
    made.refresh_from_db()
    return fetched(made, owner)


def fetched(made: Experiment, owner: Any) -> Played:
    """What a reader may read of an experiment that is over."""
    link, client = sharing.share(made), Client()
    client.force_login(owner)
    base = f"/experiments/{made.pk}/"
    csv = b"".join(client.get(f"{base}export/matches.csv").streaming_content)  # type: ignore[attr-defined]
    html, shared, listed = (client.get(url).content.decode() for url in (base, f"/r/{link.slug}/", "/experiments/"))
    return Played(made, html, shared, listed, csv.decode(), selectors.preview(link), client)


def check_page(played: Played, page: Page, answer: list[Line], arms: list[Line], stop: list[Line]) -> None:
    """All sections, on both pages; what is drawn; the row of the list; the card and the description."""
    for html in (played.html, played.shared):
        assert read_page.lines(html, "result") == answer
        assert read_page.lines(html, "stop") == stop
        assert read_page.lines(html, "arms") == arms
    _check_forest(played, answer)
    export = page.export
    counted = {key for key, rows in export.matches.items() if rows[0]["counts"] == "1"}
    assert counted == set(export.counted)
    planned = played.made.num_matches
    assert f"{len(export.matches)} of {planned}" in _text(played.listed)
    assert f"Played {len(export.matches)} of {planned}" in _text(played.html)
    assert (f"{export.failed} failed, without a result" in _text(played.html)) == bool(export.failed)
    state = [] if played.made.status == "finished" else [str(planned)]
    said = [*answer[0], str(export.finished), *state]
    assert read_page.numbers(played.preview.description) == said
    assert unescape(re.findall(r'<meta name="description" content="([^"]*)"', played.shared)[0]).endswith(
        played.preview.description
    )
    _check_card(played, answer)
    _check_cpu(played, export)


def _text(html: str) -> str:
    """What is read."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def _check_forest(played: Played, answer: list[Line]) -> None:
    """Marks and whiskers stand where their numbers are on the axis."""
    drawn = read_page.whiskers(played.html, "result")
    rows = [line for line in answer if line[-1] == "0" or len(line) == 4]
    for marks, line in zip(drawn, rows[-len(drawn) :], strict=True):
        mean, *ends = map(read_page.value, line[1:])
        width = max(1.0, *(abs(end - mean) for end in ends)) if ends else 1.0
        assert marks["mid"] == pytest.approx(mean, abs=0.06 + 0.001 * width)
        if ends:
            assert [marks["lo"], marks["hi"]] == pytest.approx(ends, abs=0.06 + 0.001 * width)


def _check_card(played: Played, answer: list[Line]) -> None:
    """The picture has the sentence (as far as there is room) and the rows of the forest."""
    texts = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", card.svg(played.preview.card))]
    shown = [line for text in texts if (line := read_page.numbers(text)) and "(" in text and " to " in text]
    forest = [line[1:] for line in answer if len(line) == 4]
    assert [line for line in shown if line in forest] == forest


def _check_cpu(played: Played, export: Export) -> None:
    """The CPU time of each match that the page lists, and how it ended."""
    listed = re.findall(r'data-label="CPU time">\s*([\d.]+) (ms|s)\s*<', played.html)
    assert listed
    times = [float(rows[0]["cpu_s"]) for rows in export.matches.values()]
    for text, unit in listed:
        digits = len(text.partition(".")[2])
        scale = 1000 if unit == "ms" else 1
        assert any(f"{scale * time:.{digits}f}" == text for time in times), text


# ---- stats


def stats(kind: str, csv: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The answer of the command line to the export."""
    capsys.readouterr()
    assert not command.main(["stats", kind, str(csv), *arguments])
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def falters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the engine that fails at times known."""
    monkeypatch.setitem(engines.ENGINES, Falters.id, f"{__name__}:{Falters.__name__}")


def check_stats(page: Page, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rates and differences of the first sides, and a sequence, from the file as it was downloaded."""
    path.write_text(page.export.text)
    planned, arms = str(page.planned), range(page.arms)
    for on in ("win_rate", "margin"):
        value = won if on == "win_rate" else recomputed.of("margin")
        found = stats("rate", path, capsys, "--on", on, "--planned", planned)["arms"]
        for row, arm in zip(found, arms, strict=True):
            deals = page.export.deals(arm, 0, value)
            looked = (
                recomputed.every_look_rate(deals) if on == "win_rate" else recomputed.every_look(deals, page.planned)
            )
            assert (row["matches"], row["deals"]) == (sum(map(len, deals)), len(deals))
            assert row["mean"] == pytest.approx(recomputed.mean(deals))
            ends = recomputed.rate(deals) if on == "win_rate" else recomputed.student(deals)
            assert row["interval"] == pytest.approx(ends, abs=1e-6)
            assert row["always_valid"]["interval"] == pytest.approx(looked, abs=1e-6)
        if page.arms == 1:
            continue
        rows = stats("difference", path, capsys, "--on", on, "--planned", planned)["differences"]
        differences = page.differences("win" if on == "win_rate" else "points")
        adjusted = recomputed.holm([one.p for one in differences])
        for row, one, p in zip(rows, differences, adjusted, strict=True):
            assert one.ends
            assert (row["deals"], row["difference"]) == (one.deals, pytest.approx(one.mean))
            assert row["interval"] == pytest.approx(one.ends, abs=2e-6)
            assert row["holm_p"] == pytest.approx(p, abs=1e-5)
    others = ["--arm", "0", "--arm", "1", "--baseline", "0"] if page.arms > 1 else []
    looks = stats("sequence", path, capsys, "--on", "margin", "--planned", planned, *others)["looks"]
    margin = recomputed.of("margin")
    if page.arms > 1:
        first, second = page.export.pair(1, 0, margin)
        values = [float(np.mean(one) - np.mean(two)) for one, two in zip(first, second, strict=True)]
    else:
        values = [float(np.mean(deal)) for deal in page.export.deals(0, 0, margin)]
    expected = recomputed.sequence(values, page.planned)
    assert [look["deals"] for look in looks] == list(range(1, len(values) + 1))
    for look, ends in zip(looks, expected, strict=True):
        assert look["mean"] == pytest.approx(np.mean(values[: look["deals"]]))
        assert look["interval"] == (ends and pytest.approx(ends, rel=1e-6))


# ---- charts


def rates(page: Page) -> list[Line]:
    """Numbers of the win rates: matches, wins, rate and its interval."""
    lines = []
    for row in page.compared:
        deals = page.values(row, won)
        rate = [fixed(100 * recomputed.mean(deals)), *span(recomputed.rate(deals), 100)]
        lines.append([str(sum(map(len, deals))), f"{recomputed.total(deals):.0f}", *rate])
    return lines


def by_seat(page: Page) -> list[Line]:
    """Numbers of the win rate by seat: seat, matches, wins, rate and its interval."""
    lines = []
    for row in page.compared:
        for at in range(page.sides):
            deals = page.values(row, won, at)
            rate = [fixed(100 * recomputed.mean(deals)), *span(recomputed.rate(deals), 100)]
            lines.append([str(at), str(sum(map(len, deals))), f"{recomputed.total(deals):.0f}", *rate])
    return lines


def better(page: Page) -> list[Line]:
    """Numbers of the deals on which an arm does better than the first, by its margin."""
    lines = []
    for pair in page.pairs:
        ours, theirs = page.both(pair, recomputed.of("margin"))
        apart = np.array([np.mean(one) - np.mean(two) for one, two in zip(ours, theirs, strict=True)])
        shares: list[Deals] = [[[float(value)] for value in which] for which in (apart > 0, apart == 0, apart < 0)]
        more, even, less = (fixed(100 * recomputed.mean(share)) for share in shares)
        ends = [span(recomputed.rate(share), 100) for share in shares]
        lines.append([str(len(apart)), more, *ends[0], even, less, *ends[2]])
    return lines


def margins(page: Page) -> list[Line]:
    """Numbers of the distribution of margins: matches, mean, interval, deviation."""
    lines = []
    for row in page.compared:
        deals = page.values(row, recomputed.of("margin"))
        every = np.concatenate([np.array(deal) for deal in deals])
        lines.append(
            [
                str(len(every)),
                signed(float(every.mean())),
                *span(recomputed.student(deals)),
                fixed(float(every.std(ddof=1))),
                *(signed(float(np.quantile(every, q, method="inverted_cdf")), 0) for q in (0.1, 0.9)),
            ]
        )
    return lines


def places(page: Page) -> list[Line]:
    """Numbers of the places of each side: place, matches, share and its interval; and of its mean place."""
    lines = []
    for row in page.compared:
        ranks = page.values(row, recomputed.of("rank"))
        for place in range(1, page.sides + 1):
            came = [[float(rank == place) for rank in deal] for deal in ranks]
            share = [fixed(100 * recomputed.mean(came)), *span(recomputed.rate(came), 100)]
            lines.append([str(place), str(sum(map(len, came))), *share])
        ends = by_hand.place_bounds([[int(rank) for rank in deal] for deal in ranks], page.sides)
        lines.append([str(sum(map(len, ranks))), fixed(recomputed.mean(ranks), 2), *span(ends, digits=2)])
    return sorted(lines)


def points(page: Page, kinds: list[str]) -> list[Line]:
    """Numbers of the points of each kind that gave any: mean and interval."""
    lines = []
    for kind in kinds:
        found = [page.values(row, recomputed.of(f"points_{kind}")) for row in page.compared]
        lines += [[fixed(recomputed.mean(deals), 2), *span(recomputed.student(deals), digits=2)] for deals in found]
    return sorted(lines)


def check_leads(played: Played, page: Page) -> None:
    """The lead by ply at the plies that its table names, from the export of plies."""
    plies = played.export("plies")
    infos = [json.loads(row["info"] or "{}").get("after", {}).get("projected") for row in plies]
    seats = range(sum(name.startswith("score_") for name in plies[0]))
    so_far = [[int(row[f"score_{seat}"]) for seat in seats] for row in plies]
    scored = infos if all(infos) else so_far
    noted = {(row["match"], int(row["ply"])): scores for row, scores in zip(plies, scored, strict=True)}
    teams = page.export.teams
    shown = played.chart("lead-by-ply")
    drawn = page.compared[: 1 if len(page.compared) == 2 and page.arms == 1 else None]
    for line, row in zip(shown, np.repeat(np.array(drawn), len(shown) // len(drawn), axis=0).tolist(), strict=True):

        def lead(own: recomputed.Row, ply: int = int(line[0]) - 1) -> float:
            scores = noted.get((own["match"], ply))
            if scores is None:
                return float(own["margin"])
            me = int(own["seat"])
            return float(
                scores[me] - max(scores[k] for k in range(len(scores)) if k % 2 != me % 2 or (not teams and k != me))
            )

        deals = page.values((row[0], row[1]), lead)
        ends = recomputed.student(deals)
        assert line[1:] == [str(sum(map(len, deals))), signed(recomputed.mean(deals)), *span(ends)], (row, line)


SLOW = pytest.mark.slow


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_three_arms_of_kingdomino_with_failed_matches(
    alice: Any, falters: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arms = {"Chance": [RANDOM, SCRIPTED], "Searching": [FLAT, SCRIPTED], "Faltering": [seat("falters"), SCRIPTED]}
    played = play(alice, spec("kingdomino", 12, arms))
    page = Page(Export(played.csv), arms=3, sides=2, planned=12, on="win")
    export, best = page.export, page.judged_words(page.judged[0])
    left_out = max(len(export.whole[0]) - len(export.common(arm, 0)) for arm in (1, 2))
    partial = export.finished - len(export.counted)
    assert export.failed
    assert left_out
    assert partial
    assert best[1].startswith("\u2212"), "the best is not shown to be better"
    answer = [
        [best[0].lstrip("+"), "95", *best[1:], best[2].lstrip("+")],  # and what gap could still hide
        [str(12 - left_out), "12", "95"],
        *page.forest([(0, 1, 1), (1, 1, 2)], (0, 0)),
    ]
    note = ["95", *([str(partial)] if partial else [])]
    check_page(played, page, answer, page.arms_section(note, left_out), [])
    check_stats(page, tmp_path / "matches.csv", capsys)
    assert played.chart("win-rate") == rates(page)
    assert played.chart("by-seat") == by_seat(page)
    assert played.chart("better-deals") == better(page)
    assert played.chart("margin-distribution") == margins(page)
    terrains = ["wheat", "forest", "lake", "pasture", "swamp", "mine", "middle", "harmony"]
    assert sorted(played.chart("points")) == points(page, terrains)
    check_leads(played, page)


@SLOW
@pytest.mark.django_db(transaction=True)
def test_three_sides_of_carcassonne(alice: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = play(alice, spec("carcassonne", 10, {"Table": [SCRIPTED, RANDOM, FLAT]}))
    page = Page(Export(played.csv), arms=1, sides=3, planned=10, on="place")
    best = page.judged_words(page.judged[1])
    answer = [
        ["3", best[0].lstrip("+"), "95", *best[1:]],
        ["10", "95"],
        *page.forest([(0, -1, 1), (1, -1, 2)], (0, 0)),
    ]
    check_page(played, page, answer, page.arms_section(["95"]), [])
    check_stats(page, tmp_path / "matches.csv", capsys)
    assert sorted(played.chart("places")) == places(page)
    assert played.chart("by-seat") == by_seat(page)
    assert played.chart("margin-distribution") == margins(page)
    check_leads(played, page)


@SLOW
@pytest.mark.django_db(transaction=True)
def test_a_precision_in_dominion(alice: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arms = {"Chance": [RANDOM, SCRIPTED], "Script": [SCRIPTED, RANDOM]}
    rule = {"rule": "precision", "on": "margin", "half_width": 6.3}
    played = play(alice, spec("dominion", 40, arms, stop=rule))
    every = Export(played.csv)
    ours, theirs = every.pair(1, 0, recomputed.of("margin"))
    apart = [float(np.mean(one) - np.mean(two)) for one, two in zip(ours, theirs, strict=True)]
    ended, widths = recomputed.precise_after(apart, 6.3)
    assert ended is not None
    page = Page(Export(played.csv, last=ended), arms=2, sides=2, planned=40, on="margin")
    found = page.judged_words(page.judged[0])
    beyond = every.finished - len(page.export.counted)
    answer = [
        [found[0].lstrip("+"), "95", *found[1:], "±6.30"],
        [str(ended)],
        *page.forest([(0, 1, 1)], (0, 0)),
    ]
    stop = [["±6.30", str(ended), "±6.30"], [str(ended), "40"], [f"±{fixed(widths[ended - 1], 2)}"]]
    check_page(played, page, answer, page.arms_section(["95", *([str(beyond)] if beyond else [])]), stop)
    check_stats(page, tmp_path / "matches.csv", capsys)
    assert played.chart("by-seat") == by_seat(page)
    assert played.chart("better-deals") == better(page)
    assert played.chart("margin-distribution") == margins(page)


@SLOW
@pytest.mark.django_db(transaction=True)
def test_teams_of_dominoes(alice: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arms = {"Chance": [RANDOM, SCRIPTED] * 2, "Searching": [FLAT, SCRIPTED] * 2}
    played = play(alice, spec("dominoes", 12, arms))
    page = Page(Export(played.csv, teams=True), arms=2, sides=2, planned=12, on="win")
    found = page.judged_words(page.judged[0])
    gap = max(found[1:], key=lambda text: abs(read_page.value(text))).lstrip("+\u2212")
    answer = [
        [found[0].lstrip("+"), "95", *found[1:], gap],
        ["2", "12"],
        *page.forest([(0, 1, 1)], (0, 0)),
    ]
    check_page(played, page, answer, [["2"], *page.arms_section(["95"])], [])
    check_stats(page, tmp_path / "matches.csv", capsys)
    assert played.chart("better-deals") == better(page)
    assert played.chart("margin-distribution") == margins(page)
