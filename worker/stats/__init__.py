"""``python -m worker stats``: the statistics of pages, from counts or from a file with a row for every match."""
