"""The laboratory: experiments, studies, presets and their results."""
