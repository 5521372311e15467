"""Matches between policies, played from deal to end by one call of a kernel: the same records as ply by ply."""
