"""Dominion's table as SVG, drawn from plain data in our own card design."""
