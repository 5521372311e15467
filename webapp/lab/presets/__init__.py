"""Presets: published tables rebuilt by a click, and the comparison with our runs."""
