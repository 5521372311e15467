"""Template tags of notifications."""
