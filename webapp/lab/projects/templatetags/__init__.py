"""Template tags of presets."""
