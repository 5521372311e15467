"""A small lab of each release, as its backup: what upgrades are tried on.

`first` is the lab before the wings (records up to 0007), made by its own code (b42cb0ad); those since then by
``python -m tests.releases NAME``.
"""
