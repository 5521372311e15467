"""Engines of one's own."""
