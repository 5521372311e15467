"""`deliver`."""
