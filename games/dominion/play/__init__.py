"""Dominion for people at the table: spelling of actions, questions, panels beside the table."""
