"""Kingdomino boards as SVG, drawn from plain data in our own art."""
