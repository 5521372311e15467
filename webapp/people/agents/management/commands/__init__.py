"""Commands of agents and tokens for `manage.py`."""
