"""Ladders of engines: how one is made and added to, its page and its charts."""
