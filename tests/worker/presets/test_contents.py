"""What the papers hold: every preset is the rebuilding of something, and what differs says how."""

from worker.presets import contents, registry


def test_every_preset_rebuilds_something_of_its_own_paper():
    named = [(item.paper.id, preset) for item in contents.items() for preset in item.presets]
    assert {preset for _, preset in named} == set(registry.presets())
    assert all(registry.get(preset).paper.id == paper for paper, preset in named)


def test_every_item_has_a_known_kind_and_state_and_what_is_not_there_says_why():
    for item in contents.items():
        assert item.kind in contents.KINDS
        assert item.state in contents.STATES
        assert item.words or item.state == contents.THERE, item
        assert not (item.state == contents.ABSENT and item.presets), item
    assert {item.paper.id for item in contents.items()} == set(registry.PAPERS)


def test_items_are_counted_by_state():
    for paper in registry.PAPERS:
        found = contents.of_paper(paper)
        assert sum(contents.counts(found).values()) == len(found) > 10
    assert [item.place for item in contents.of_paper("gedda-2018") if item.kind == "table"] == [
        "Table I",
        "Table II",
        "Table III",
    ]
