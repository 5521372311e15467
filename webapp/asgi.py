"""The web application for ASGI servers; `manage.py up` serves it with uvicorn."""

import os

from django.core.asgi import get_asgi_application

from games import readiness

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
readiness.leave_compiling()

application = get_asgi_application()
