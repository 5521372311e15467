"""Experiments that ask the same question: their answers on one axis, together, and whether they agree."""
