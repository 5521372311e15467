"""`alarm`."""
