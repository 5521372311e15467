"""Template tags of ratings."""
