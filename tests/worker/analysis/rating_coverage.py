"""Coverage of ratings by simulation: how often an interval holds the truth, and probabilities their word.

    python -m tests.worker.analysis.rating_coverage [--runs 300]

Worlds: "plain", no common luck; "seat", a deal favours who begins; "engine", a deal favours one engine against
another. Pools of 2, 6 and 12 engines in round robins, of 6 at tables of 4, and a chain, as levels are measured.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from worker.analysis import plackett_luce
from worker.analysis.plackett_luce import Counts
from worker.analysis.ratings import ELO, Ratings, rate_counts

LUCK = 1.0
WORLDS = ("plain", "seat", "engine")
NODES = np.linspace(-6, 6, 241)


def pool(players, spread=200.0):
    """True ratings: evenly spread."""
    return np.linspace(-spread, spread, players) if players > 1 else np.zeros(1)


def expected(lead, world):
    """Probability to win by so much more strength, over the luck of deals and both seats."""
    weight = np.exp(-(NODES**2) / 2)
    luck = {"plain": 0.0, "seat": LUCK, "engine": LUCK}[world] * NODES
    chance = 1 / (1 + np.exp(-(lead + luck)))
    return float((chance * weight).sum() / weight.sum())


def pair_counts(players, pairs, ahead, met):
    """Counts of matches of pairs: ahead, met: float64[deals, pairs]."""
    chosen = np.zeros((len(ahead), players))
    for i, (a, b) in enumerate(pairs):
        chosen[:, a] += ahead[:, i]
        chosen[:, b] += met[:, i] - ahead[:, i]
    return Counts(
        players,
        np.arange(len(ahead)),
        tuple(pairs),
        chosen,
        met.copy(),
        tuple(pairs),
        ahead,
        met,
        (met > 0).sum(axis=0).astype(float),
    )


def played(rng, truth, pairs, deals, world, draws=0.0):
    """Two matches, one in each seating, of every pair on every deal."""
    lead = np.array([truth[a] - truth[b] for a, b in pairs]) / ELO
    seat = rng.normal(0, LUCK, (deals, 1)) if world == "seat" else np.zeros((deals, 1))
    favour = rng.normal(0, LUCK, (deals, len(pairs))) if world == "engine" else np.zeros((deals, len(pairs)))
    won = sum(
        (rng.random((deals, len(pairs))) < 1 / (1 + np.exp(-(lead + sign * seat + favour)))).astype(float)
        for sign in (1, -1)
    )
    return pair_counts(len(truth), pairs, won, np.full((deals, len(pairs)), 2.0))


def likeliest(truth, pairs, world):
    """Ratings that fit the expected shares of all pairs: what endless deals would show."""
    share = np.array([[2 * expected((truth[a] - truth[b]) / ELO, world) for a, b in pairs]])
    counted = pair_counts(len(truth), pairs, share, np.full((1, len(pairs)), 2.0))
    none = np.zeros((1, len(pairs)))
    return ELO * plackett_luce.fit(counted, np.ones((1, 1)), none, none)[0]


def table_matches(rng, truth, deals, seats):
    """Every table of so many players once a deal in each rotation, ranked by Plackett and Luce's model."""
    found = []
    for table in itertools.combinations(range(len(truth)), seats):
        noise = rng.gumbel(size=(deals, seats, seats)) + np.array([truth[i] for i in table]) / ELO
        ranks = (-noise).argsort(axis=2).argsort(axis=2) + 1
        found += [
            plackett_luce.Ranking(d, table, tuple(map(int, ranks[d, r]))) for d in range(deals) for r in range(seats)
        ]
    return plackett_luce.counts(found, len(truth))


def hits(found: Ratings, truth):
    """Which intervals of ratings, and of leads over the next, hold the truth."""
    truth = truth - truth.mean()
    own = [found.interval(i).low <= truth[i] <= found.interval(i).high for i in range(len(truth))]
    leads = [
        found.lead_interval(i + 1, i).low <= truth[i + 1] - truth[i] <= found.lead_interval(i + 1, i).high
        for i in range(len(truth) - 1)
    ]
    ranks = [found.ranks(i)[0] <= len(truth) - i <= found.ranks(i)[1] for i in range(len(truth))]
    return np.mean(own), np.mean(leads), np.mean(ranks)


def coverage(players, deals, world, runs, shape="all", spread=200.0, seed=1):
    """Mean coverage of ratings, of leads over the next and of rank sets, over so many ladders."""
    truth = pool(players, spread)
    pairs = (
        list(itertools.pairwise(range(players)))
        if shape == "chain"
        else list(itertools.combinations(range(players), 2))
    )
    rng = np.random.default_rng(seed)
    target = truth if shape == "tables" else likeliest(truth, pairs, world)
    rows = []
    for run in range(runs):
        counted = table_matches(rng, truth, deals, 4) if shape == "tables" else played(rng, truth, pairs, deals, world)
        rows.append(hits(rate_counts(counted, seed=run, resamples=500), target))
    return np.mean(rows, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    runs = parser.parse_args().runs
    print("players shape  spread deals world    ratings leads ranks, % held")
    for players, shape, spread in (
        (2, "all", 100),
        (2, "all", 400),
        (6, "all", 200),
        (6, "chain", 300),
        (5, "tables", 200),
    ):
        for deals in (10, 50, 200):
            for world in WORLDS if shape != "tables" else ("plain",):
                if players > 2 and deals == 200 and world == "engine":
                    continue
                found = 100 * coverage(players, deals, world, runs, shape, spread)
                print(
                    f"{players:7} {shape:6} {spread:6} {deals:5} {world:8} " + " ".join(f"{x:5.1f}" for x in found),
                    flush=True,
                )


if __name__ == "__main__":
    main()
