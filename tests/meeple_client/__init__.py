"""The client, against a lab behind a real server, and against one that fails as networks do."""
