"""Commands of the lab for `manage.py`."""
