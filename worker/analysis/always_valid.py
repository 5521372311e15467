"""Intervals that hold at every look: confidence sequences from sums over deals.

The chance that such an interval ever leaves out the truth, at whichever of all looks, is at most
1 - confidence. So one may look while an experiment runs, and stop when one likes.

Means have the mixture boundary of Robbins (1970) in the asymptotic form of Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas (2024, Annals of Statistics 52, theorem 2.2), narrowest near the planned
number of deals. Each bound is taken as far out as Student's distribution puts what the normal one
would call as rare, so that it holds from few deals on, and farther for values that are skewed. (`sequences` has one
for rules that read deal by deal and know how skewed; sums do not.) Rates, differences of rates and other means between
two bounds have the beta mixture (Robbins 1970, example 2; Jeffreys' prior) over as many independent trials as their
blocks are worth: near a bound few values tell, which no normal law is like.
"""

from __future__ import annotations

import math

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import optimize, special
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share, effective_trials

LEAST_DEALS = 5
"""Of fewer deals the spread is known too badly: whole-number margins are often all equal."""
SKEWNESS = 0.75
"""Skewness that is allowed for on both sides, by the first term of Cornish and Fisher's expansion (Johnson 1978).

With it at most 4.1 % of all runs ever leave out the mean of exponential values, whose skewness is 2; without it 8.3 %.
"""
PRIOR = 0.5
_EDGE = 1e-12


def mean_interval(
    mean: float, error: float, blocks: int, planned: int, confidence: float = CONFIDENCE
) -> Interval | None:
    """Interval of a mean whose standard error is of `blocks` deals; None for fewer than LEAST_DEALS.

    planned: the number of deals at which it is to be narrowest.
    """
    if blocks < LEAST_DEALS:
        return None
    half = _boundary(blocks, planned, 1 - confidence) * error
    return Interval(mean - half, mean + half)


def _boundary(n: int, planned: int, alpha: float) -> float:
    """The boundary after n deals, in standard errors of the mean."""
    log = -2 * math.log(alpha)
    square = (math.log1p(log) + log) / max(planned, LEAST_DEALS)
    normal = math.sqrt(2 * (n * square + 1) / (n * square) * math.log(math.sqrt(n * square + 1) / alpha))
    limit = -float(special.stdtrit(n - 1, math.exp(special.log_ndtr(-normal))))
    return limit + SKEWNESS * (2 * limit**2 + 1) / (6 * math.sqrt(n))


def of_blocks(blocks: BlockMoments, planned: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a mean over all values, with blocks as units."""
    if blocks.blocks < LEAST_DEALS:
        return None
    error = math.sqrt(blocks.blocks / (blocks.blocks - 1) * blocks.spread) / blocks.n
    return mean_interval(blocks.total / blocks.n, error, blocks.blocks, planned, confidence)


def of_moments(values: Moments, planned: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a mean of single values, such as differences deal by deal."""
    if values.mean is None or values.deviation is None:
        return None
    return mean_interval(values.mean, values.deviation / math.sqrt(values.n), values.n, planned, confidence)


def of_rate(blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rate with blocks as units; None without trials."""
    return of_bounded(blocks, 0, 1, 1, confidence)


def of_share(share: Share, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rate whose trials are worth as many independent ones as it says; None without trials."""
    if not share.trials:
        return None
    weight = share.weight(_at_boundary(confidence))
    won, lost = share.successes * weight, (share.trials - share.successes) * weight
    return Interval(*_rate_bounds(won, lost, -math.log1p(-confidence)))


def of_bounded(
    blocks: BlockMoments, lowest: float, highest: float, step: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """Interval of the mean of values between two bounds; None without values. step: the least by which two differ.

    It is that of a rate, the highest value being 1.
    """
    if not blocks.n:
        return None
    won, trials = effective_trials(blocks, lowest, highest, step, _at_boundary(confidence))
    low, high = _rate_bounds(won, trials - won, -math.log1p(-confidence))
    return Interval(lowest + (highest - lowest) * low, lowest + (highest - lowest) * high)


def _rate_bounds(won: float, lost: float, bound: float) -> tuple[float, float]:
    """The rates against which the logarithm of the evidence is at most `bound`, after so many trials."""
    rate = won / (won + lost)
    prior = float(special.betaln(won + PRIOR, lost + PRIOR) - special.betaln(PRIOR, PRIOR))

    def evidence(p: float) -> float:
        """Logarithm of the mixture's evidence against a rate p, less the bound."""
        return prior - float(special.xlogy(won, p) + special.xlog1py(lost, -p)) - bound

    low = 0.0 if evidence(_EDGE) <= 0 else float(optimize.brentq(evidence, _EDGE, rate))
    high = 1.0 if evidence(1 - _EDGE) <= 0 else float(optimize.brentq(evidence, rate, 1 - _EDGE))
    return low, high


def _at_boundary(confidence: float) -> float:
    """The confidence of an ordinary interval about as wide, by which Student's correction goes."""
    return 2 * float(special.ndtr(math.sqrt(3 - 2 * math.log1p(-confidence)))) - 1
