"""Values of actions in points: matches played out from them on the same luck, for hints and analyses."""
