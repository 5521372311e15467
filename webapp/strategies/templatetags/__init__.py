"""Template tags of strategies."""
