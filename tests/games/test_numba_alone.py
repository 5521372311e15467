"""numba without SciPy."""

import importlib
import subprocess
import sys
import threading

import pytest

from games import numba_alone

PROGRAM = """
import sys
from games import loader
loader.rules(loader.FRAME / "toy")
from numba.core import registry
registry.cpu_target.target_context.refresh()
print(any(name.partition(".")[0] == "scipy" for name in sys.modules))
import scipy.special
print(scipy.special.ndtr(0.0))
"""


def test_kernels_load_no_scipy_which_others_still_find():
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "0.5"]


def test_what_is_left_out_is_refused_to_one_thread_alone(monkeypatch):
    found = []
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    other = threading.Thread(target=lambda: found.append(importlib.import_module("colorsys")))
    with numba_alone.without("colorsys"):
        with pytest.raises(ModuleNotFoundError, match="colorsys is left out"):
            importlib.import_module("colorsys")
        other.start()
        other.join()
    assert found == [importlib.import_module("colorsys")]
