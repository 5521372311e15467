"""Tags of pages of experiments."""
