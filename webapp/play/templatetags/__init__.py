"""Template tags of play."""
