import pytest

from games.carcassonne.board.picture import Picture, Tile


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Z", 0, 0), "no tile type 'Z'"),
        (("D", 0, 0, 4), "rotation must be"),
        (("D", 0, 0, 0, ("city1", 0)), "tile D has no segment 'city1'; it has city0, road0, field0, field1"),
        (("D", 0, 0, 0, ("city0", 5)), "seat must be between 0 and 4, not 5"),
    ],
)
def test_a_tile_that_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Tile(*arguments)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ({"tiles": []}, "at least one tile"),
        ({"tiles": [Tile("D", 1, 2), Tile("E", 1, 2)]}, "two tiles at 1, 2"),
        ({"tiles": [Tile("D", 1, 2)], "last": 1}, "last must be the index of a tile, not 1"),
        ({"tiles": [Tile("D", 1, 2)], "seat": 9}, "seat must be between"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(picture, message):
    with pytest.raises(ValueError, match=message):
        Picture(**picture)


def test_descriptions_leave_out_remarks_in_brackets():
    assert Tile("K", 0, 0).description == "City on one edge, road curve joining the next two edges anticlockwise"
