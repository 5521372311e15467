"""Studies: jobs that are not matches. Start one, watch it, read its result."""
