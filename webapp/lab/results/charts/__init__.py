"""One module per chart, each with ``CHART``; `registry` lists them."""
