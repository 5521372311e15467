"""Published tables rebuilt by a click: what ran, and how it compares."""
