"""Searches over hidden hands of dominoes; `hands` is what engines see of them."""
