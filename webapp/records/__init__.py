"""Records: experiments, matches, plies; how work is claimed and results are written."""
