"""The `lab` script, on a copy with a made-up PATH: what it says when something is missing."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from webapp.ops.data_folder import CHECKOUT

TOOLS = ("bash", "env", "dirname", "grep", "awk", "df", "mkdir", "rm", "cat", "tail", "sleep")
BASH = shutil.which("bash")


@pytest.fixture
def clone(tmp_path):
    """A checkout without a .venv, in a folder with spaces."""
    root = tmp_path / "my own lab"
    (root / "requirements").mkdir(parents=True)
    shutil.copy(CHECKOUT / "lab", root / "lab")
    for name in ("run", "dev"):
        (root / "requirements" / f"{name}.txt").write_text("# nothing is needed\n")
    (root / "manage.py").write_text("import sys\nprint('manage', sys.argv[1:])\n")
    return root


@pytest.fixture
def path(tmp_path):
    """A folder with the tools that the script may use, and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        (folder / name).symlink_to(shutil.which(name))
    return folder


def run(clone, path, *arguments, **environment):
    return subprocess.run(
        [BASH, str(clone / "lab"), *arguments],
        env={"PATH": str(path), "HOME": str(clone), **environment},
        cwd="/",
        capture_output=True,
        text=True,
    )


def add_program(path: Path, name: str, text: str) -> None:
    (path / name).write_text(f"#!{BASH}\n{text}\n")
    (path / name).chmod(0o755)


@pytest.fixture(scope="session")
def virtual_environment(tmp_path_factory):
    """A fresh one, made once and copied. It borrows our pip: installing one takes seconds, in a copy byte code, too."""
    folder = tmp_path_factory.mktemp("venv")
    pip = find_spec("pip")
    options = ["--without-pip"] if pip else []
    subprocess.run([os.path.realpath(sys.executable), "-m", "venv", *options, folder], check=True)
    if pip:
        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "pip").symlink_to(Path(pip.origin).parent)
    return folder


@pytest.fixture
def add_python(path, virtual_environment):
    """Put a Python onto the path, which makes virtual environments by copying."""
    (path / "cp").symlink_to(shutil.which("cp"))
    real = os.path.realpath(sys.executable)
    copies = f'if [ "$1 $2" = "-m venv" ]; then exec cp -Rp "{virtual_environment}" "$3"; fi'
    add_program(path, "python3", f'{copies}\nexec "{real}" "$@"')


def test_help_needs_nothing(clone, path):
    result = run(clone, path, "help")
    assert result.returncode == 0
    for command in ("setup", "demo", "up", "backup", "restore", "test", "bench", "lint", "shell"):
        assert f"./lab {command}" in result.stdout


def test_an_unknown_command_is_an_error(clone, path):
    result = run(clone, path, "play")
    assert result.returncode == 1
    assert "Unknown command: play" in result.stderr


def test_no_python(clone, path):
    result = run(clone, path, "up")
    assert result.returncode == 1
    assert "No Python was found. Meeple Lab needs Python 3.11 to 3.14." in result.stderr


def test_a_python_that_does_not_run_is_no_python(clone, path):
    add_program(path, "python3.11", "echo 'python3.11: command not found' >&2; exit 127")
    assert "No Python was found" in run(clone, path, "up").stderr


def test_an_old_python(clone, path):
    add_program(path, "python3", '[ "$1" = -V ] && echo Python 3.9.2 || echo old')
    result = run(clone, path, "up")
    assert result.returncode == 1
    assert "needs Python 3.11 to 3.14; python3 is Python 3.9.2" in result.stderr
    assert "LAB_PYTHON=" in result.stderr


def test_no_venv_module(clone, path):
    add_program(path, "python3", "echo 'no venv'")
    result = run(clone, path, "up")
    assert result.returncode == 1
    assert "python3 has no venv module" in result.stderr
    assert "python3-venv" in result.stderr


def test_no_disk(clone, path):
    (path / "df").unlink()
    add_program(path, "df", "echo head; echo '/dev/x 1000 900 100 90% /'")
    result = run(clone, path, "up")
    assert result.returncode == 1
    assert "Only 100 MB are free" in result.stderr


def test_it_installs_once_and_again_when_the_lock_changes(clone, path, add_python):
    first = run(clone, path, "up", "--port", "9000")
    assert first.returncode == 0, first.stderr
    assert "made .venv with Python 3" in first.stdout
    assert "installed in" in first.stdout
    assert first.stdout.endswith("manage ['up', '--port', '9000']\n")
    second = run(clone, path, "up")
    assert second.stdout == "manage ['up']\n"
    restored = run(clone, path, "restore", "my lab.zip", "--force")
    assert restored.stdout == "manage ['restore', '/my lab.zip', '--force']\n", "as from where it was called"
    (clone / "manage.py").write_text("import os, sys\nprint(os.environ['DATABASE_URL'], sys.argv[1:])\n")
    (clone / "worker.env").write_text("DATABASE_URL=postgres://there\n")
    working = run(clone, path, "worker", str(clone / "worker.env")[1:], "--workers", "2")
    assert working.stdout == "postgres://there ['worker', '--workers', '2']\n", working.stderr
    assert "There is no file /worker.env" in run(clone, path, "worker", "worker.env").stderr
    (clone / "requirements" / "run.txt").write_text("# something else\n")
    third = run(clone, path, "up")
    assert "made .venv" not in third.stdout
    assert "installing requirements/run.txt" in third.stdout
    assert not (clone / ".venv-lock").exists()


def test_development_holds_all_of_run_time(clone, path, add_python):
    assert "installing requirements/dev.txt" in run(clone, path, "setup").stdout
    assert run(clone, path, "demo", "--once").stdout == "manage ['demo', '--once']\n"


def test_a_broken_environment_is_made_anew(clone, path, add_python):
    run(clone, path, "up")
    python = clone / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/no/such/python")
    result = run(clone, path, "up")
    assert "made .venv" in result.stdout
    assert result.returncode == 0


def test_a_failed_installation_shows_why_and_is_tried_again(clone, path, add_python):
    (clone / "requirements" / "run.txt").write_text(f"no-such-package==1.0 --hash=sha256:{'0' * 64}\n")
    offline = {"PIP_NO_INDEX": "1"}
    result = run(clone, path, "up", **offline)
    assert result.returncode == 1
    assert "no-such-package" in result.stderr
    assert not (clone / ".venv-lock").exists()
    (clone / "requirements" / "run.txt").write_text("# mended\n")
    assert run(clone, path, "up", **offline).returncode == 0


def test_a_lock_of_a_killed_installer_is_taken_over(clone, path, add_python):
    gone = subprocess.Popen(["true"])
    gone.wait()
    (clone / ".venv-lock").mkdir()
    (clone / ".venv-lock" / "pid").write_text(f"{gone.pid}\n")
    assert run(clone, path, "up").returncode == 0


def test_uv_is_preferred_and_pip_is_the_way_out(clone, path, add_python):
    add_program(path, "uv", 'echo "$@" >"$HOME/uv-was-called"; exit 1')
    result = run(clone, path, "up")
    assert result.returncode == 0
    assert "--require-hashes" in (clone / "uv-was-called").read_text()
    assert "trying pip" in result.stdout


def test_bench_shows_the_table_of_goals_or_runs_the_modules_named(clone, path, add_python):
    folder = clone / "tests" / "bench"
    folder.mkdir(parents=True)
    for name, code in (("slow", 0), ("swift", 3)):
        (folder / f"bench_{name}.py").write_text(f"print('{name} was measured')\nraise SystemExit({code})\n")
    (folder / "__main__.py").write_text("print('before, goal, now')\n")
    assert "before, goal, now" in run(clone, path, "bench").stdout
    both = run(clone, path, "bench", "slow", "swift")
    assert both.returncode == 1  # one of them found something too slow; the other ran all the same
    assert "slow was measured" in both.stdout
    assert "swift was measured" in both.stdout
    one = run(clone, path, "bench", "slow")
    assert one.returncode == 0
    assert "swift" not in one.stdout
    none = run(clone, path, "bench", "fast")
    assert none.returncode == 1
    assert "bench_slow.py bench_swift.py" in none.stderr


def test_the_whole_suite_is_compiled_for_and_shared_out_and_a_part_is_not(clone, path, add_python):
    (clone / "tests").mkdir()
    (clone / "tests" / "warming.py").write_text("print('compiled')\n")
    (clone / "pytest.py").write_text("import sys\nprint(sys.argv[1:], sys.dont_write_bytecode)\n")
    whole = run(clone, path, "test", "--slow", PYTHONDONTWRITEBYTECODE="1").stdout
    assert "compiled\n" in whole
    assert whole.endswith("['-n', 'logical', '--slow'] False\n")
    quick = run(clone, path, "test", "--quick").stdout
    assert "compiled\n" not in quick
    assert quick.endswith("['-n', 'logical', '--quick'] False\n")
    part = run(clone, path, "test", "-k", "meeples").stdout
    assert "compiled\n" not in part
    assert part.endswith("['-k', 'meeples'] False\n")


def test_ci_runs_the_readme_s_test_command_with_a_browser(tmp_path):
    text = (CHECKOUT / ".ci" / "run").read_text()
    assert text.rstrip().endswith("LAB_REQUIRE_BROWSER=1 exec ./lab test")
    assert os.access(CHECKOUT / ".ci" / "run", os.X_OK)
    assert os.access(CHECKOUT / "lab", os.X_OK)


def test_pre_commit_hooks_are_local():
    import yaml

    config = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text())
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    assert {hook["language"] for hook in config["repos"][0]["hooks"]} == {"system"}
