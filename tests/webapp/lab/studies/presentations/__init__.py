"""Tests of how kinds of study show their results."""
