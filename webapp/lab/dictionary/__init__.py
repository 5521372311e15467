"""Data dictionary: what every column of every table means, as a page, as JSON, and as descriptors of data sets."""
