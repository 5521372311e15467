"""Projects: jobs of one person, with a written report between their results."""
