"""Carries out a spec and reports what happened."""
