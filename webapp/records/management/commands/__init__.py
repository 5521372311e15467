"""`sweep`, `verify`, `rebuild_summaries`."""
