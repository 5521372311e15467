"""Pictures of a dominoes table, in our own art."""
