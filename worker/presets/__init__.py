"""Published tables and figures as experiments and studies: one module per paper, a line each in `registry`."""
