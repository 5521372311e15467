"""Games: what is legal and what it scores, without search, web or clocks."""
