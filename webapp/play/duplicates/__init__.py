"""Duplicate matches: two people meet the strongest level on one deal, each from another side; all are counted."""
