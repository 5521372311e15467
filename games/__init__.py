"""What is legal and what it scores: rules of the games, without search, web or clocks."""
