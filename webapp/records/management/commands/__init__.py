"""`verify`, `rebuild_summaries`."""
