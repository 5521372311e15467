"""What people see of Kingdomino in play: how an action is spelt, and what stands beside the board."""
