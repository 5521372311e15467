"""Kingdomino: the base game for 2 to 4 seats, and the Mighty Duel."""
