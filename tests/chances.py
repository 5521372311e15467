"""Chances that what was counted came about by chance alone (p-values).

They are SciPy's, which takes a second to load: it is left until a test asks for one.
"""

from __future__ import annotations

from typing import Any


def of_counts(counts: Any, expected: Any = None) -> float:
    """Chi-square test of counts against what was expected: the same of each, unless given."""
    from scipy import stats

    return float(stats.chisquare(counts, expected).pvalue)


def of_independence(rows: Any, columns: Any) -> float:
    """Chi-square test of two properties of the same things, given one by one."""
    from scipy import stats

    return float(stats.chi2_contingency(stats.contingency.crosstab(rows, columns).count).pvalue)


def of_uniform(drawn: Any) -> float:
    """Kolmogorov-Smirnov test of numbers against the uniform distribution from 0 to 1."""
    from scipy import stats

    return float(stats.kstest(drawn, "uniform").pvalue)
