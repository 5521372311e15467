"""Template tags of quotas."""
