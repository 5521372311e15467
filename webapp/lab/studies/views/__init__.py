"""Pages of studies: start one, watch it, steer it."""
