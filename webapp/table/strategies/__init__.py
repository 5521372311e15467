"""Strategies that people write: kept, edited, tried out, exported; seats of other forms offer them."""
