import io
import sys

import numpy as np
import pytest

from worker.stats import tables
from worker.stats.tables import InputError

EXPORT = """match,arm,arm_name,deal,rotation,seat,place,status,result,score,margin
1,0,old,0,0,0,0,finished,win,30,4
1,0,old,0,0,1,1,finished,loss,26,-4
2,0,old,0,1,1,0,finished,draw,20,0
2,0,old,0,1,0,1,finished,draw,20,0
3,0,old,1,0,0,0,finished,loss,20,-3
3,0,old,1,0,1,1,finished,win,23,3
4,0,old,1,1,1,0,failed,,,
4,0,old,1,1,0,1,failed,,,
5,1,new,0,0,0,0,finished,win,9,1
5,1,new,0,0,1,1,finished,loss,8,-1
6,1,new,0,1,1,0,finished,win,9,2
6,1,new,0,1,0,1,finished,loss,7,-2
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and gives its path."""

    def to_file(text):
        path = tmp_path / "matches.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return to_file


def test_exports_are_read_by_place_and_whole_deals_count(write):
    old, new = tables.arms(write(EXPORT), "margin", place=0)
    assert (old.number, old.name, dict(old.deals), old.left_out) == (0, "old", {0: (4.0, 0.0)}, 1)
    assert (new.name, dict(new.deals), new.left_out, new.matches) == ("new", {0: (1.0, 2.0)}, 0, 2)
    assert dict(tables.arms(write(EXPORT), "score", place=1)[1].deals) == {0: (8.0, 7.0)}


def test_a_deal_in_which_a_match_failed_is_passed_over_and_one_that_is_missing_ends_the_run(write):
    """Of deal 1 a match failed in an arm; deal 3 has not been played there: 4 is after a gap."""
    rows = [
        f"{arm},{deal},{turn},finished,{10 * deal + turn},1" for deal in range(5) for arm in (0, 1) for turn in (0, 1)
    ]
    rows = [row for row in rows if not row.startswith("1,3,1")]
    rows = ["1,1,0,failed,,0" if row.startswith("1,1,0") else row for row in rows]
    rows = [row.removesuffix("1") + "0" if row.startswith("1,1,1") else row for row in rows]
    chosen = tables.arms(write("\n".join(["arm,deal,rotation,status,margin,counts", *rows])), "margin", place=0)
    assert [arm.failed for arm in chosen] == [frozenset(), {1}]
    assert tables.prefix(chosen).tolist() == [[0.5, 20.5], [0.5, 20.5]]


@pytest.mark.parametrize(
    ("on", "values"),
    [("win_rate", (1, 0)), ("draw_rate", (0, 1)), ("loss_rate", (0, 0)), ("points", (1, 0.5))],
)
def test_results_make_rates_and_points(write, on, values):
    assert tables.arms(write(EXPORT), on, place=0)[0].deals[0] == values


def test_two_columns_are_enough(write):
    (arm,) = tables.arms(write("\ufeffresult, deal\n1,0\n0.5,1\nwin,2\n"), "points", place=0)
    assert (arm.number, arm.means().tolist()) == (0, [1, 0.5, 1])


def test_rows_that_do_not_count_are_left_out(write):
    (arm,) = tables.arms(write("deal,margin,counts\n0,1,1\n0,1,0\n1,2,1\n2,9,0\n"), "margin", place=0)
    assert (dict(arm.deals), arm.left_out) == ({0: (1.0,), 1: (2.0,)}, 2)


def test_a_prefix_ends_before_the_first_deal_that_is_not_whole(write):
    rows = [f"{arm},{deal},{arm + deal}" for arm in (0, 1) for deal in (3, 4, 5, 7) if (arm, deal) != (1, 5)]
    chosen = tables.arms(write("arm,deal,margin\n" + "\n".join(rows)), "margin", place=0)
    assert tables.prefix(chosen).tolist() == [[3, 4], [4, 5]]
    assert tables.prefix(chosen[:1]).tolist() == [[3, 4, 5]]
    assert tables.prefix(tables.arms(write("arm,deal,margin\n0,0,1\n1,1,1\n"), "margin", 0)).shape == (2, 0)


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"deal,margin\n0,2\n")))
    assert np.array_equal(tables.prefix(tables.arms(tables.Path("-"), "margin", 0)), [[2.0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column 'deal'; it has none"),
        ("deal,score\n0,1\n", "has no column 'margin'; it has deal, score"),
        ("deal,margin\n", "has no rows"),
        ("deal,margin\n0,1,2\n", "line 2: 3 cells under 2 columns"),
        ("deal,margin\n0,1\nx,1\n", "line 3: deal must be a whole number from 0 up, not 'x'"),
        ("deal,margin\n0,1\n-1,1\n", "line 3: deal must be a whole number"),
        ("deal,margin\n0,nan\n", "line 2: margin must be a number, not 'nan'"),
        ("deal,margin\n0,\n", "line 2: margin must be a number, not ''"),
        ("deal,margin,place\n0,1,1\n", "has no finished match with a place 0"),
        ("deal,margin,arm\n0,1,a\n", "line 2: arm must be"),
        (b"deal,margin\n0,\xff\n", "is not CSV in UTF-8"),
        ('deal,margin\n0,"1\n', "is not CSV"),
        ('{"deal": 0}\n{"deal": 1}\n', "holds JSON"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(write, text, message):
    with pytest.raises(InputError) as caught:
        tables.arms(write(text), "margin", place=0)
    assert message in str(caught.value)


def test_a_wrong_result_is_refused_with_its_line(write):
    with pytest.raises(InputError, match="line 3: result must be win, draw or loss"):
        tables.arms(write("deal,result\n0,win\n0,won\n"), "win_rate", place=0)


def test_matches_of_pairs_are_read(write):
    names, matches = tables.ranked_matches(write("a,b,result,deal\nx,y,win,0\ny,z,0.5,1\n"))
    assert names == ("x", "y", "z")
    assert [(m.players, m.ranks, m.deal) for m in matches] == [((0, 1), (1, 2), 0), ((1, 2), (1, 1), 1)]
    with pytest.raises(InputError, match="line 2: a and b must be two players, not 'x' and 'x'"):
        tables.ranked_matches(write("a,b,result,deal\nx,x,win,0\n"))


def test_equals_that_only_change_seats_are_one_side_and_of_partners_one_speaks(write):
    lines, engines = (
        ["match,arm,deal,rotation,place,status,result,margin,engine,options,budget"],
        ("aa", "abab", "aabb"),
    )
    for arm, line_up in enumerate(engines):
        for rotation in range(2 if "b" in line_up else 1):
            for place, engine in enumerate(line_up):
                result = "win" if place % 2 == rotation else "loss"
                lines.append(f"{arm}{rotation},{arm},0,{rotation},{place},finished,{result},0,{engine},,")
    alike, teams, neighbours = tables.arms(write("\n".join(lines)), "win_rate", place=1)
    assert alike.deals == {0: (1.0, 0.0)}, "an engine against itself: both of its places"
    assert teams.deals == {0: (0.0, 1.0)}, "two partners: one of them, in two matches"
    assert neighbours.deals == {0: (0.0, 1.0)}, "equals who are not exchanged with each other: one place"
    fixed = "\n".join(line for line in lines if line[3:5] != "1," and line.split(",")[3] != "1")
    assert tables.arms(write(fixed), "win_rate", place=1)[0].deals == {0: (0.0,)}, "no seats were exchanged"
