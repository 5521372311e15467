"""Kingdomino for people at the board: spelling of actions, and panels beside the board."""
