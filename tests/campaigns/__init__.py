"""Campaigns against a whole lab, bounded in time: ``python -m tests.campaigns {people,kills}``, or with ``--slow``.

Two more are tests with ``--slow`` where the same is done in small: 20,000 generated requests
(`tests/webapp/api/test_fuzz.py`), and 400 matches searched for secrets (`tests/webapp/play/test_secrecy.py`).
"""
