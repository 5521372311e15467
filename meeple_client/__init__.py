"""A lab elsewhere, from a program of one's own: start experiments, follow them, read what came out.

    from meeple_client import Lab

    lab = Lab("https://lab.example.org", token)
    job = lab.submit(spec).wait()
    print(job.result().sentence)
    matches = job.matches().to_pandas()

It needs httpx alone, and nothing of the lab; tables need pyarrow. Guide: docs/scripting.md.
"""

from meeple_client.chart import Chart
from meeple_client.errors import LabError, ProblemError, UnreachableError, WaitTimeoutError
from meeple_client.job import Job
from meeple_client.lab import Lab
from meeple_client.preset_run import PresetRun
from meeple_client.progress import ProgressBar
from meeple_client.values import Plan, Result, Share

__all__ = [
    "Chart",
    "Job",
    "Lab",
    "LabError",
    "Plan",
    "PresetRun",
    "ProblemError",
    "ProgressBar",
    "Result",
    "Share",
    "UnreachableError",
    "WaitTimeoutError",
]
