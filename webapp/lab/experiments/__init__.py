"""Experiments: build one, watch it, steer it, list them."""
