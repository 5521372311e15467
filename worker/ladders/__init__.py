"""Ladders: what their matches say of engines, and what is played next."""
