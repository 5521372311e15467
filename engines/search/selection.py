"""Selection formulas of a multi-armed bandit (a template): how far a search prefers what it has tried less.

n visits of the child, N of its parent, v variance of the child's utilities in [0, 1]; added to its mean:

    UCB1 (Auer, Cesa-Bianchi, Fischer 2002)    C sqrt(ln N / n)
    UCB1-tuned (same)    C sqrt(ln N / n * min(1/4, v + sqrt(2 ln N / n)))
    modified (Jansen, Tollisen 2014, section 3.4.1)    C sqrt(ln(N / n))
    draws from normal beliefs    C z sqrt((n v + 1/4) / (n + 1) / n), z drawn

The last one is Thompson sampling (Thompson 1933) with other beliefs: his are beta distributions of wins, and have
no C. Its belief begins with one utility of the greatest variance that [0, 1] allows.
C may change with the child (Kozelek 2009; Jansen, Tollisen, equations 3 and 4): c / sqrt(n), or c times
the variance, within bounds.
"""

import math

UCB1, TUNED, MODIFIED, NORMAL = range(4)
CONSTANT, TIME, VARIANCE = range(3)


@kernel
def constant(f, n, variance):
    """C for a child; variance: of its utilities, on the unit scale."""
    if f.dynamic == CONSTANT:
        return f.c
    c = f.c / math.sqrt(n) if f.dynamic == TIME else f.c * variance
    return max(f.least, min(f.most, c))


@kernel
def normal(r):
    """A standard normal number (Box, Muller 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - rng.uniform(r))) * math.cos(2.0 * math.pi * rng.uniform(r))


@kernel
def exploration(f, n, variance, log_visits, r):
    """Bonus that exploration adds to the mean of a child.

    variance: of its utilities, as they are; log_visits: ln N; r: generator, drawn from by normal beliefs.
    """
    spread = log_visits / n
    if f.kind == UCB1 and f.dynamic == CONSTANT:
        return f.c * math.sqrt(spread)
    v = variance * f.unit_scale * f.unit_scale
    c = constant(f, n, v)
    if f.kind == NORMAL:
        return c * normal(r) * math.sqrt((n * v + 0.25) / (n + 1.0) / n) / f.unit_scale
    if f.kind == MODIFIED:
        spread = max(0.0, log_visits - math.log(n))
    elif f.kind == TUNED:
        spread *= min(0.25, v + math.sqrt(2.0 * spread))
    return c * math.sqrt(spread)


@kernel
def is_better(f, value, best):
    """Whether a child's worth replaces the best one before it."""
    return value > best or (f.last and value == best)


@kernel
def needs_variance(f):
    """Whether the formula reads variances."""
    return f.kind == TUNED or f.kind == NORMAL or f.dynamic == VARIANCE
