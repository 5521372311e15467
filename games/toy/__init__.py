"""Cards are drawn and handed out one by one: a whole game, as small as it can be (`RULES.md`)."""
