"""What each account may have: running jobs, CPU hours, rows, bytes, API requests; what is used and left of it."""
