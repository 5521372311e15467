"""What the addresses of play answer: one module per page."""
