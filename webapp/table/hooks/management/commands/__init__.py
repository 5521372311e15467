"""`deliver`, `webhooks_role`."""
