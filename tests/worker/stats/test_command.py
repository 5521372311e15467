import json
import math

import numpy as np
import pytest

from engines import levels
from worker.__main__ import main
from worker.analysis import always_valid, sequences
from worker.analysis.intervals import wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rate_differences import paired_rates
from worker.analysis.rates import rate_interval
from worker.analysis.stop_rules.sprt import Sprt

RNG = np.random.default_rng(1)
MARGINS = RNG.normal([[0], [4]], 9, (2, 120)).round()


@pytest.fixture
def ask(capsys):
    """Return a function that gives the answer of a command line."""

    def answer(*arguments):
        assert main(["stats", *map(str, arguments)]) == 0
        return json.loads(capsys.readouterr().out)

    return answer


@pytest.fixture
def refuse(capsys):
    """Return a function that gives the error of a command line."""

    def error(*arguments):
        try:
            code = main(["stats", *map(str, arguments)])
        except SystemExit as end:
            code = end.code
        assert code == 2
        return capsys.readouterr().err

    return error


@pytest.fixture
def file(tmp_path):
    """File of two arms with a match a deal."""
    path = tmp_path / "matches.csv"
    rows = [
        f"{arm},{deal},{'win' if margin > 0 else 'loss'},{margin}"
        for arm, row in enumerate(MARGINS)
        for deal, margin in enumerate(row)
    ]
    path.write_text("arm,deal,result,margin\n" + "\n".join(rows))
    return path


def test_a_rate_of_counts(ask):
    assert ask("rate", "--wins", 20, "--of", 20) == {"rate": 1.0, "interval": list(wilson(20, 20))}


def test_rates_of_a_file_have_a_fixed_and_an_always_valid_interval(ask, file):
    answer = ask("rate", file, "--planned", 200)
    assert [arm["arm"] for arm in answer["arms"]] == [0, 1]
    wins = (MARGINS[1] > 0).astype(float)
    arm = answer["arms"][1]
    assert (arm["deals"], arm["matches"], arm["left_out"], arm["mean"]) == (120, 120, 0, pytest.approx(wins.mean()))
    assert arm["interval"] == pytest.approx(rate_interval(BlockMoments.of([Moments.of([won]) for won in wins])))
    always = always_valid.of_rate(BlockMoments.of([Moments.of([won]) for won in wins]))
    assert arm["always_valid"] == {"interval": pytest.approx(list(always)), "planned": 200}, "that of pages"


def test_differences_of_a_file_are_paired(ask, file):
    (row,) = ask("difference", file, "--on", "margin")["differences"]
    values = MARGINS[1] - MARGINS[0]
    assert (row["arm"], row["difference"]) == (1, pytest.approx(values.mean()))
    assert row["interval"] == pytest.approx(Moments.of(values).interval())
    assert row["p"] == row["holm_p"] < 0.05
    assert row["always_valid"]["interval"] == pytest.approx(list(always_valid.of_moments(Moments.of(values), 120)))
    (other,) = ask("difference", file, "--on", "margin", "--baseline", 1)["differences"]
    assert (other["arm"], other["difference"]) == (0, pytest.approx(-values.mean()))


def test_differences_of_rates_are_those_of_pages(ask, file):
    (row,) = ask("difference", file)["differences"]
    first, second = ({deal: Moments.of([float(margin > 0)]) for deal, margin in enumerate(arm)} for arm in MARGINS)
    expected = paired_rates(second, first)
    assert (row["difference"], row["p"]) == (pytest.approx(expected.mean), pytest.approx(expected.p))
    assert row["interval"] == pytest.approx(expected.interval)


def test_a_difference_of_counts(ask):
    # Newcombe 1998, table II, contrast (a), method 5 (Mee's score interval): 56/70 less 48/80.
    answer = ask("difference", "--first", "56/70", "--second", "48/80")
    assert answer["difference"] == pytest.approx(0.2)
    assert answer["interval"] == pytest.approx([0.0533, 0.3377], abs=5e-5)


def test_a_test_of_pairs_is_that_of_fastchess(ask):
    answer = ask("sprt", "--pairs", "365,16618,36229,16974,390", "--elo0", 0, "--elo1", 2, "--normalised")
    assert answer["llr"] == pytest.approx(2.25, abs=0.005)
    assert (answer["accepted"], answer["matches"]) == (None, 141152)
    answer = ask("sprt", "--pairs", "223,9863,21279,10037,246", "--elo0", 0.5, "--elo1", 2.5)
    assert (answer["accepted"], answer["llr"]) == ("h0", pytest.approx(-3.07, abs=0.005))
    assert answer["bounds"] == pytest.approx([-2.944, 2.944], abs=5e-4)
    answer = ask("sprt", "--results", "57030,106593,57433", "--elo0", 0, "--elo1", 2, "--alpha", 0.1)
    assert answer["llr"] == pytest.approx(-2.59, abs=0.005)


def test_a_test_of_a_file_ends_where_the_rule_does(ask, file):
    answer = ask("sprt", file, "--on", "margin", "--h0", 0, "--h1", 5, "--baseline", 0)
    stop = Sprt("margin", 0.0, 5.0).first_stop(MARGINS, 10_000)
    assert (answer["ended_after"], answer["accepted"]) == (stop.deals, stop.reason)
    assert answer["llr"] >= answer["bounds"][1] or answer["llr"] <= answer["bounds"][0]
    answer = ask("sprt", file, "--arm", 0, "--h0", 0.5, "--h1", 0.51)
    assert (answer["ended_after"], answer["deals"]) == (None, 120)
    answer = ask("sprt", file, "--arm", 1, "--on", "points", "--normalised", "--h0", 0, "--h1", 0.3)
    assert answer["rule"]["on"] == "normalised"


def test_a_sequence_of_a_file(ask, file):
    answer = ask("sequence", file, "--on", "margin", "--arm", 1, "--baseline", 0)
    found = sequences.mean_sequence(MARGINS[1] - MARGINS[0], 120)
    assert len(answer["looks"]) == 120
    assert answer["looks"][4]["interval"] is None
    assert answer["looks"][119] == {
        "deals": 120,
        "mean": pytest.approx((MARGINS[1] - MARGINS[0]).mean()),
        "interval": pytest.approx(found.interval()),
    }
    rates = ask("sequence", file, "--arm", 1)["looks"]
    assert rates[-1]["interval"] == pytest.approx(sequences.rate_sequence(MARGINS[1] > 0.0, 120).interval())


def test_a_ladder_has_the_strongest_first(ask, tmp_path):
    path = tmp_path / "ladder.csv"
    rows = [f"{a},{b},{'loss' if deal % 4 else 'win'},{deal}" for a, b in ("xy", "yz", "xz") for deal in range(40)]
    path.write_text("a,b,result,deal\n" + "\n".join(rows))
    answer = ask("ladder", path, "--anchor", "x")
    assert [row["player"] for row in answer["players"]] == ["z", "y", "x"]
    assert answer["players"][2] == {
        "player": "x",
        "elo": 0,
        "interval": None,
        "ranks": [3, 3],
        "above_next": None,
        "matches": 80,
        "points": 20,
    }
    assert answer["covariance"][2] == [0, 0, 0]
    assert answer["players"][0]["above_next"] > 0.99
    assert answer["players"][0]["interval"][0] > 0
    assert (answer["deals"], answer["less"]) == (40, "x")


@pytest.fixture
def line_up(tmp_path):
    """Export of one arm of two sides: 40 deals of two matches, with wins of each of 0, 1, 2 by turns and a draw."""
    results = ("win", "win"), ("win", "loss"), ("loss", "draw"), ("win", "draw")
    rows = ["match,arm,deal,place,status,result,counts"]
    for deal in range(40):
        for rotation, result in enumerate(results[deal % 4]):
            for place, own in enumerate((result, {"win": "loss", "loss": "win"}.get(result, result))):
                rows.append(f"{2 * deal + rotation},0,{deal},{place},finished,{own},1")
    path = tmp_path / "line_up.csv"
    path.write_text("\n".join(rows))
    return path


LEADS = np.tile([1.0, 0.0, -0.5, 0.5], 10)
"""Of its first side over the second, in each deal."""


def test_the_sides_of_one_line_up_differ_by_their_wins_on_the_same_deals(ask, line_up):
    (row,) = ask("difference", line_up)["differences"]
    assert (row["name"], row["deals"], row["difference"]) == ("place 0", 40, pytest.approx(LEADS.mean()))
    (back,) = ask("difference", line_up, "--place", 1)["differences"]
    assert back["interval"] == pytest.approx([-row["interval"][1], -row["interval"][0]])
    looks = ask("sequence", line_up, "--versus", 1)["looks"]
    assert [look["mean"] for look in looks[:4]] == pytest.approx(LEADS[:4].cumsum() / np.arange(1, 5))


def test_a_line_up_is_tested_against_its_opponents(ask, line_up):
    by_rate = ask("sprt", line_up, "--versus", 1, "--h0", 0, "--h1", 0.1)
    both = np.stack([np.tile([0, 0.5, 0.5, 0], 10), np.tile([1, 0.5, 0, 0.5], 10)])  # wins of the second, of the first
    assert by_rate["llr"] == pytest.approx(Sprt("win_rate", 0, 0.1).course(both, 41).curves[0].values[-1])
    assert by_rate["estimate"]["value"] == pytest.approx(LEADS[: by_rate["ended_after"] or 40].mean())
    by_elo = ask("sprt", line_up, "--versus", 1, "--normalised", "--elo0", 0, "--elo1", 50)
    assert by_elo["rule"]["h1"] == pytest.approx(50 * math.log(10) / 800 * math.sqrt(2)), "two matches a deal"


def test_the_export_of_a_ladder_has_its_strengths(ask, tmp_path):
    pairs, rows = (("Ada", "Bo"), ("Bo", "Cy")), ["match,arm,arm_name,deal,place,status,rank,counts"]
    plain = ["a,b,result,deal"]
    for arm, (a, b) in enumerate(pairs):
        for deal in range(20):
            won = deal % 4 > 0
            plain.append(f"{a},{b},{'win' if won else 'loss'},{deal}")
            for place, rank in enumerate((1, 2) if won else (2, 1)):
                rows.append(f"{20 * arm + deal},{arm},{a} v {b},{deal},{place},finished,{rank},1")
    rows += [f"99,1,Bo v Cy,20,{place},failed,," for place in range(2)]
    rows.append("100,1,Bo v Cy,21,0,finished,1,1")  # a file that ends in the middle of a match
    players = ["player", *(pairs[int(row.split(",")[1])][int(row.split(",")[4])] for row in rows[1:])]
    named = [f"{row},{who}".replace("Bo", "Bo v Al") for row, who in zip(rows, players, strict=True)]
    for name, lines in (("export.csv", rows), ("plain.csv", plain), ("named.csv", named)):
        (tmp_path / name).write_text("\n".join(lines))
    found = ask("ladder", tmp_path / "export.csv")
    assert found == ask("ladder", tmp_path / "plain.csv")
    by_column = ask("ladder", tmp_path / "named.csv")
    assert json.loads(json.dumps(by_column).replace("Bo v Al", "Bo")) == found
    lead = 400 * math.log10(15.375 / 5.375)  # a deal more for each, half of it won
    assert [row["elo"] for row in found["players"]] == pytest.approx([lead, 0, -lead], abs=1e-6)
    assert ask("ladder", tmp_path / "export.csv", "--seed", 7)["players"][0]["interval"] != pytest.approx(
        found["players"][0]["interval"]
    )


def test_levels_have_the_ratings_that_their_measurements_make(ask):
    answer = ask("levels", "kingdomino")
    rows = {row["player"]: row for row in answer["players"]}
    assert [row["player"] for row in answer["players"]][-1] == "Beginner"
    novice, beginner = (levels.get("kingdomino", level).against_next for level in ("novice", "beginner"))
    # Of a chain every lead is that of its pair: Novice's is the odds of its matches against Beginner. Beginner has one
    # deal more for itself and half of Novice's, so 3/4 of a deal of two matches, half won.
    odds = (beginner.losses + beginner.draws / 2 + 0.75) / (beginner.wins + beginner.draws / 2 + 0.75)
    assert rows["Novice"]["elo"] - rows["Beginner"]["elo"] == pytest.approx(400 * math.log10(odds))
    assert rows["Beginner"]["matches"] == beginner.matches
    assert rows["Novice"]["matches"] == beginner.matches + novice.matches


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rate"], "--wins is missing"),
        (["rate", "--wins", "3", "--of", "2"], "--wins: 3 of 2 matches"),
        (["rate", "--wins", "x", "--of", "2"], "argument --wins: 'x' is not a whole number"),
        (
            ["rate", "--wins", "1", "--of", "2", "--confidence", "1"],
            "argument --confidence: '1' is not between 0 and 1",
        ),
        (["difference", "--first", "3-4"], "argument --first: '3-4' is not WINS/OF"),
        (["difference", "--first", "3/4"], "--second is missing"),
        (["sprt", "--pairs", "1,2,3", "--elo0", "0", "--elo1", "5"], "argument --pairs: '1,2,3' is not 5 counts"),
        (["sprt", "--elo0", "0", "--elo1", "5"], "--pairs, --results or a file is needed"),
        (["sprt", "--pairs", "1,2,3,4,5", "--elo0", "0"], "--elo1 is missing"),
        (["sprt", "--pairs", "1,2,3,4,5", "--elo0", "5", "--elo1", "0"], "--elo1: must be above elo0"),
        (["sprt", "--pairs", "1,2,3,4,5", "--elo0", "0", "--elo1", "900", "--normalised"], "--elo1: must lie between"),
        (["sprt", "--pairs", "1,2,3,4,5", "--elo0", "0", "--elo1", "5", "--alpha", "2"], "--alpha: must be above 0"),
        (["sequence"], "FILE.csv is missing"),
        (["sequence", "FILE"], "--arm: the file has arms 0, 1; name one, or a --baseline"),
        (["sequence", "FILE", "--arm", "7"], "--arm: no arm 7; there are 0, 1"),
        (["sequence", "FILE", "--arm", "0", "--planned", "0"], "argument --planned: 0 is too few"),
        (["difference", "FILE", "--baseline", "5"], "--baseline: 5 and another arm are needed; there are 0, 1"),
        (["sprt", "FILE", "--h0", "0", "--h1", "1"], "--arm: choose one of arms 0, 1, or two and a --baseline"),
        (["sprt", "FILE", "--arm", "0", "--h0", "0", "--h1", "1"], "--h1: a win rate"),
        (["sprt", "FILE", "--arm", "0", "--elo0", "0", "--elo1", "5"], "--elo0: of a file only with --normalised"),
        (["difference", "FILE", "--arm", "0", "--versus", "0"], "--versus: another place than --place"),
        (["difference", "FILE", "--versus", "1"], "--arm: choose one of arms 0, 1"),
        (["ladder", "FILE"], "neither the columns a, b, result nor that of an export of a ladder, 'match'"),
        (["rate", "NOWHERE"], "No such file"),
    ],
)
def test_an_error_names_the_argument(refuse, file, tmp_path, arguments, message):
    names = {"FILE": str(file), "NOWHERE": str(tmp_path / "nowhere.csv")}
    assert message in refuse(*[names.get(argument, argument) for argument in arguments])
