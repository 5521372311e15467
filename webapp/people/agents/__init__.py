"""Agents: programs of people that play over HTTP, and the tokens they show."""
