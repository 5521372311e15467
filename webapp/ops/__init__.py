"""Runs the lab: its data folder, embedded Postgres and Valkey, supervisor, warm-up and demo."""
