"""Matches in play: people, agents and engines at one table, ply by ply, until the match is a record."""
