"""Start page, games, engines, error pages, health."""
