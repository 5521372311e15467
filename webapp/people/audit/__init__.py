"""What staff have done: who changed, stopped, deleted or raised what, and when."""
