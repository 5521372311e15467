"""What lies in `examples/`, run as people run it."""
