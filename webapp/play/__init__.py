"""Pages of play: new match, lobby, the board, my matches."""
