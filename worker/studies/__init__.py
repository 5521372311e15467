"""Studies: jobs that are not matches. One module per kind, a line each in `registry`."""
