"""Presentations of results: one module for each kind of study, found by `registry`."""
