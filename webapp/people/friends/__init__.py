"""Friends: who is whose, requests by name, blocks, and when somebody was here last."""
