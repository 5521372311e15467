"""People: accounts and the agents that they run."""
