"""A small lab of each release, as its backup: what upgrades are tried on."""
