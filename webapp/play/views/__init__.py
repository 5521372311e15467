"""Views of play: one module per page."""
