"""Frozen snapshots of shared results: asked for, taken back, found; `webapp.sharing.snapshots` makes their files."""
