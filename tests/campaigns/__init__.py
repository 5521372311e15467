"""Campaigns against a whole lab, bounded in time: ``python -m tests.campaigns {people,kills,secrets,calls}``."""
