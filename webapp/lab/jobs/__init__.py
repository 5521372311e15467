"""Jobs of any kind: how pages list, follow, steer, put away and delete them."""
