"""Template filters of the lab's pages."""
