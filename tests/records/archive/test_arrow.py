"""Arrow, when it is needed."""

import subprocess
import sys

PROGRAM = """
import sys
from webapp.records.archive import arrow
print("pyarrow" in sys.modules)
print(arrow.pa.default_memory_pool().backend_name)
"""


def test_it_is_imported_late_and_takes_memory_that_is_given_back():
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "system"]
