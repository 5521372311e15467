"""One match: board, replay, trace."""
