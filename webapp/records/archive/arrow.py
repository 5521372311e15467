"""Arrow, imported when a file of plies or an export is first written or read: 40 MB that most processes never need.

It takes its memory from malloc, which gives back what is free (`webapp.common.memory`); its own allocator keeps most.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, parquet
else:
    from worker.lazy_modules import LazyModule

    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # read when Arrow is imported
    pa, pc = LazyModule("pyarrow"), LazyModule("pyarrow.compute")
    csv, parquet = LazyModule("pyarrow.csv"), LazyModule("pyarrow.parquet")

__all__ = ["csv", "pa", "parquet", "pc"]
