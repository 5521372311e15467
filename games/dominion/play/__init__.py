"""What people see of Dominion in play: how an action is spelt, what is asked, what stands beside the table."""
