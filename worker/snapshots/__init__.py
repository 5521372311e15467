"""Frozen snapshots of results: what is in one, and whether it is what it says, without a server."""
