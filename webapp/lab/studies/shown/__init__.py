"""How each kind of study shows its result: one module a kind, a line each in `registry`."""
