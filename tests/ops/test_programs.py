"""What the supervisor tells its children."""

from webapp.ops import programs
from webapp.ops.data_folder import DataFolder
from webapp.ops.programs import Options


def test_all_children_know_how_many_processes_play(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_WORKERS", "7")
    environment = programs.environment(DataFolder(tmp_path), Options(workers=3), 8000)
    assert environment["LAB_WORKERS"] == "3"
    command = programs.worker("batch", 3).command()
    assert command[command.index("--concurrency") + 1] == "3"
