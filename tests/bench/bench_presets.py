"""CPU time of presets' matches, measured and estimated: ``python -m tests.bench.bench_presets [PRESET ...]``.

A few deals of every quick scale, of all of its arms, as many as are estimated to take SECONDS, at least one; of studies
pieces, evenly apart. Prints a JSON row for each: CPU seconds of one deal of all arms (or piece), what the estimate says
they are, and what the whole quick scale takes. Scales that are alike are measured once.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from worker import batch, estimate
from worker import spec as specs
from worker.presets import registry
from worker.presets.model import Preset
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs
from worker.studies.pieces import carry_out

SECONDS = 5.0


def measure(preset: Preset) -> dict[str, Any]:
    """Carry out a part of the quick scale and set its CPU time beside the estimate."""
    sampled, one, estimated, size = (_pieces if preset.scales["quick"].is_study else _deals)(preset)
    return {
        "preset": preset.id,
        "sampled": sampled,
        "one_s": round(one, 4),
        "estimated_s": round(estimated, 4),
        "ratio": round(one / estimated, 2),
        "quick_s": round(one * size, 1),
    }


def _deals(preset: Preset) -> tuple[int, float, float, int]:
    spec = specs.from_json(preset.scales["quick"].spec)
    one = estimate.estimate(replace(spec, deals=1)).seconds
    deals = max(1, min(spec.deals, int(SECONDS / one)))
    records = [record for chunk in batch.play(replace(spec, deals=deals)) for record in chunk]
    return len(records), sum(record.cpu_s for record in records) / deals, one, spec.deals


def _pieces(preset: Preset) -> tuple[int, float, float, int]:
    spec = study_specs.from_json(preset.scales["quick"].spec)
    kind = study_registry.get(spec.study)
    size = kind.num_pieces(spec)
    one = kind.seconds(spec) / size
    number = max(1, min(size, int(SECONDS / max(one, 1e-3))))
    carry_out(spec, 0)  # loads the kernels
    spent = [carry_out(spec, index * size // number).cpu_s for index in range(number)]
    return number, sum(spent) / number, one, size


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the presets that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", choices=[[], *registry.presets()], metavar="PRESET")
    known: set[str] = set()
    for name in parser.parse_args(arguments).presets or registry.presets():
        preset = registry.get(name)
        key = json.dumps(preset.scales["quick"].spec, sort_keys=True)
        if key not in known:
            known.add(key)
            print(json.dumps(measure(preset)), flush=True)


if __name__ == "__main__":
    main()
