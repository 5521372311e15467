"""Public addresses of results."""
