"""Agents over HTTP: ``/api/v1/``, its description, and the page that gets a newcomer started."""
