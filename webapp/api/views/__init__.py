"""Pages for people who write agents."""
