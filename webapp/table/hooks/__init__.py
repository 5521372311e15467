"""Webhooks: what agents are told without asking, signed, queued and tried again."""
