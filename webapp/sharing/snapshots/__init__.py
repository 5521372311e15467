"""Frozen snapshots of shared results: files that never change, each at an address named by its checksum."""
