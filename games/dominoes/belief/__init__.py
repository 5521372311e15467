"""Beliefs of a seat of dominoes about hidden hands, and their quality."""
