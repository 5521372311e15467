import pytest

from worker import schedule
from worker import spec as specs
from worker.recorder import MemoryRecorder, load
from worker.runner import play_match


def test_memory_keeps_what_was_written_in_order(dice):
    records = [play_match(match) for match in schedule.expand(specs.from_json(dice()))]
    recorder = MemoryRecorder()
    recorder.write(records[:3])
    recorder.write(iter(records[3:]))
    assert recorder.records == records


def test_a_work_source_is_made_from_its_dotted_path():
    assert isinstance(load("worker.recorder.MemoryRecorder"), MemoryRecorder)


@pytest.mark.parametrize(
    ("path", "error"), [("worker.recorder.Nobody", AttributeError), ("worker.nowhere.Source", ModuleNotFoundError)]
)
def test_a_wrong_path_says_so(path, error):
    with pytest.raises(error, match=path.split(".")[-1] if error is AttributeError else "worker.nowhere"):
        load(path)
