"""Pages of experiments: build one, watch it, steer it."""
