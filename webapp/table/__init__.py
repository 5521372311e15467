"""The table: matches in play, the strategies that people write, webhooks that tell of turns."""
