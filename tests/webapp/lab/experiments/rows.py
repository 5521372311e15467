"""Rows of played matches, written by SQL: a page's test needs their shape, not their making."""

from __future__ import annotations

from typing import Any

from django.db import connection

from worker.spec.seatings import num_seatings

MATCHES = """
INSERT INTO records_match (experiment_id, arm_index, deal, rotation, seed, deal_seed, status, num_plies, digest,
                           versions, failure, elapsed_s, cpu_s, finished_at, worker)
SELECT %(experiment)s, arm, deal, rotation, 1, 1, CASE WHEN deal = %(failed)s THEN 'failed' ELSE 'finished' END, 71, 1,
       '{"carcassonne": "1", "random": "1"}',
       CASE WHEN deal = %(failed)s THEN '{"seat": 0, "kind": "exception", "message": "ValueError: no move"}'::jsonb END,
       0.1, 0.001 * (deal %% 100), now() - (deal * interval '1 millisecond'), 'w'
FROM generate_series(0, %(arms)s - 1) arm, generate_series(0, %(deals)s - 1) deal,
     generate_series(0, (%(turns)s::int[])[arm + 1] - 1) rotation
"""
SEATS = """
INSERT INTO records_seat (match_id, experiment_id, arm_index, deal, seat, lineup_index, configuration_id,
                          score, margin, rank, result, metrics)
SELECT m.id, m.experiment_id, m.arm_index, m.deal, (place + m.rotation) %% 2, place, e.configuration_id,
       CASE WHEN m.status = 'finished' THEN 60 + (m.deal * 7 + place * 3) %% 40 END,
       CASE WHEN m.status = 'finished' THEN (1 - 2 * place) * ((m.deal * 13) %% 41 - 20) END,
       CASE WHEN m.status = 'finished' THEN 1 + place END,
       CASE WHEN m.status <> 'finished' THEN NULL
            WHEN (m.deal * 13) %% 41 = 20 THEN 'draw'
            WHEN ((m.deal * 13) %% 41 > 20) = (place = 0) THEN 'win' ELSE 'loss' END,
       '{}'
FROM records_match m
JOIN records_arm a ON a.experiment_id = m.experiment_id AND a.index = m.arm_index
JOIN records_lineupentry e ON e.arm_id = a.id
CROSS JOIN LATERAL (SELECT e.lineup_index AS place) p
WHERE m.experiment_id = %(experiment)s
"""
PLIES = """
INSERT INTO records_ply (match_id, ply, seat, action, notation, legal_count, scores, playouts, nodes, depth,
                         elapsed_s, cpu_s, digest)
SELECT id, 0, 0, 1, 'a', 9, '{0,0}', 0, 0, 0, 0, 0, 1 FROM records_match WHERE experiment_id = %(experiment)s
"""
SUMMARIES = """
INSERT INTO records_summary (experiment_id, metric, arm_index, lineup_index, seat, ply, shard, n, total, total_squares)
SELECT s.experiment_id, v.metric, s.arm_index, s.lineup_index, s.seat, -1, 0, count(*), sum(v.value),
       sum(v.value * v.value)
FROM records_seat s
JOIN records_match m ON m.id = s.match_id
CROSS JOIN LATERAL (VALUES ('score', s.score), ('margin', s.margin), ('num_plies', m.num_plies),
    ('win', (s.result = 'win')::int), ('draw', (s.result = 'draw')::int), ('loss', (s.result = 'loss')::int)
) v (metric, value)
WHERE s.experiment_id = %(experiment)s AND s.result IS NOT NULL
GROUP BY s.experiment_id, v.metric, s.arm_index, s.lineup_index, s.seat
"""


def fill(experiment: Any, failed: int = -1, plies: bool = True) -> None:
    """Give an experiment all its matches; those of deal `failed` have no result."""
    values = {
        "experiment": experiment.pk,
        "arms": len(experiment.spec["arms"]),
        "deals": experiment.spec["deals"],
        "turns": [num_seatings(experiment.spec["rotation"], arm["seats"]) for arm in experiment.spec["arms"]],
        "failed": failed,
    }
    with connection.cursor() as cursor:
        for statement in (MATCHES, SEATS, SUMMARIES, *([PLIES] if plies else [])):
            cursor.execute(statement, values)
        cursor.execute(
            "UPDATE records_chunk SET written = size, status = 'done' WHERE experiment_id = %(experiment)s", values
        )
        cursor.execute("UPDATE records_experiment SET started_at = now() WHERE id = %(experiment)s", values)
