"""People: sign-up, sign-in, their own page."""
