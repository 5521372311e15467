"""Settings of the web application; what a deployment changes comes from the environment: docs/operating.md lists it."""

import logging
import os
from ipaddress import ip_network
from urllib.parse import urlsplit

import environ
from whitenoise.compress import Compressor

from webapp.ops import data_folder

env = environ.Env()

BASE_DIR = data_folder.CHECKOUT
DATA_FOLDER = data_folder.locate()

DEBUG = env.bool("DEBUG", default=False)
PUBLIC_URL = env.str("PUBLIC_URL", default=DATA_FOLDER.address() or "http://127.0.0.1:8000").rstrip("/")
IS_HTTPS = PUBLIC_URL.startswith("https://")
SECRET_KEY = env.str("SECRET_KEY", default="") or DATA_FOLDER.secret_key()
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.list("ALLOWED_HOSTS", default=[])]
if (public_host := urlsplit(PUBLIC_URL).hostname) and public_host not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(public_host)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "webapp.site.errors.csrf_failure"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "django_htmx",
    "csp",
    "ninja",
    "webapp.common",
    "webapp.people.accounts",
    "webapp.people.agents",
    "webapp.people.friends",
    "webapp.people.audit",
    "webapp.table.strategies",
    "webapp.table.hooks",
    "webapp.records",
    "webapp.table.live",
    "webapp.lab.quotas",
    "webapp.lab.watch",
    "webapp.lab.results",
    "webapp.matches",
    "webapp.lab.checks",
    "webapp.lab.experiments",
    "webapp.matches.positions",
    "webapp.matches.reviews",
    "webapp.lab.studies",
    "webapp.lab.presets",
    "webapp.lab.notifications",
    "webapp.lab.projects",
    "webapp.sharing",
    "webapp.play.ratings",
    "webapp.play.duplicates",
    "webapp.play",
    "webapp.api",
    "webapp.site",
    "webapp.ops",
]

MIDDLEWARE = [
    "webapp.lab.watch.requests.RequestMiddleware",
    "webapp.common.streaming.StreamingMiddleware",
    "webapp.common.inline.SecurityMiddleware",
    "webapp.common.static_files.StaticFilesMiddleware",
    "webapp.common.compressing.CompressingMiddleware",
    "webapp.api.middleware.ApiMiddleware",
    "webapp.common.inline.SessionMiddleware",
    "webapp.common.inline.CommonMiddleware",
    "webapp.common.inline.CsrfViewMiddleware",
    "webapp.common.inline.AuthenticationMiddleware",
    "webapp.common.private_pages.PrivatePagesMiddleware",
    "webapp.common.inline.MessageMiddleware",
    "webapp.common.inline.XFrameOptionsMiddleware",
    "webapp.common.inline.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "webapp.common.addresses.no_nul",
    "webapp.site.middleware.WordsMiddleware",
]

ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"
WSGI_APPLICATION = "webapp.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [data_folder.PAGES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database. Under ASGI every request has a thread of its own; a web process has a pool (webapp.common.database_pool),
# and every other program opens a connection and keeps it.

EMBEDDED_DATABASE = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": "lab",
    "USER": "lab",
    "HOST": str(DATA_FOLDER.postgres_socket_folder),
}
DATABASES = {"default": env.db("DATABASE_URL") if env.str("DATABASE_URL", default="") else EMBEDDED_DATABASE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Cache: numbers of pages that are counted now and then, and counts of limits while the queue's server,
# which has those of all processes, is away (webapp.common.counts). By default it would hold 300.

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}}

# Queue. Celery only wakes workers: the truth is in Postgres, so no result backend is needed.

REDIS_URL = env.str("REDIS_URL", default="") or DATA_FOLDER.queue_url()
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
LAB_QUEUE_S = 0.3  # a queue that hangs holds up a request for two of these at most: it only wakes workers
CELERY_BROKER_TRANSPORT_OPTIONS = {  # see worker.celery_app
    "ack_emulation": False,
    "socket_connect_timeout": LAB_QUEUE_S,
    "socket_timeout": LAB_QUEUE_S,
}
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True  # a busy process takes no second message, which an idle one could act on
CELERY_TASK_DEFAULT_QUEUE = "batch"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 300.0  # on a busy machine the usual 4 s kill every new child, one after another
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"

USABLE_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
LAB_WORKERS: int = max(1, env.int("LAB_WORKERS", default=USABLE_CORES))
LAB_WEB_PROCESSES: int = max(1, int(env.str("LAB_WEB_PROCESSES", default="") or USABLE_CORES))
MATCH_RECORDER = "webapp.table.live.work_source.LabWorkSource"
LAB_MATCH_S = max(1.0, env.float("LAB_MATCH_S", default=600.0))
LAB_DISK = env.str("LAB_DISK", default="" if env.str("DATABASE_URL", default="") else str(DATA_FOLDER.postgres))
LAB_DISK_RESERVE_MB: int | None = env.int("LAB_DISK_RESERVE_MB", default=None)
LAB_SERVE_WORKERS = env.str("LAB_SERVE_WORKERS", default="")
LAB_OTHER_CODE: str = env.str("LAB_OTHER_CODE", default="refuse")
LAB_SPEED_FACTOR = max(1.0, env.float("LAB_SPEED_FACTOR", default=1.25))
LAB_AGENT_MATCHES = max(1, env.int("LAB_AGENT_MATCHES", default=4))
LAB_NIGHTLY_MATCHES = max(0, env.int("LAB_NIGHTLY_MATCHES", default=200))
LAB_NIGHTLY_HOUR = min(23, max(0, env.int("LAB_NIGHTLY_HOUR", default=3)))
LAB_KEEP_PLIES_DAYS = max(0, env.int("LAB_KEEP_PLIES_DAYS", default=0))
LAB_ARCHIVE_DAYS = max(0, env.int("LAB_ARCHIVE_DAYS", default=0))
ARCHIVE_FOLDER = DATA_FOLDER.archive
LAB_SNAPSHOT_MB = max(1, env.int("LAB_SNAPSHOT_MB", default=2000))
SNAPSHOT_FOLDER = DATA_FOLDER.snapshots
LOOPBACK = ["localhost", "127.0.0.1", "::1"]
IS_LOCAL = all(host.strip("[]") in LOOPBACK for host in ALLOWED_HOSTS)


def _quota(name: str, default: int) -> int:
    """A bound of one account; 0 where there is none."""
    return max(0, int(env.str(f"LAB_QUOTA_{name}", default="0" if IS_LOCAL else str(default)) or 0))


LAB_QUOTAS = {
    "running": _quota("RUNNING", 10),
    "cpu_hours": _quota("CPU_HOURS", 50),
    "rows": _quota("ROWS", 20_000_000),
    "bytes": _quota("BYTES", 5_000_000_000),
    "api_calls": _quota("API_CALLS", 20_000),
}
LAB_LATE_S = max(1.0, env.float("LAB_LATE_S", default=120.0))
LAB_BACKUP_HOURS = max(0.0, env.float("LAB_BACKUP_HOURS", default=0.0))
LAB_HOOK_HOSTS = env.list("LAB_HOOK_HOSTS", default=LOOPBACK if IS_LOCAL else [])

# Metrics, and alarms.

LAB_METRICS_TOKEN = env.str("LAB_METRICS_TOKEN", default="")
LAB_METRICS_FROM = [ip_network(given.strip()) for given in env.list("LAB_METRICS_FROM", default=[])]
LAB_METRICS = bool(LAB_METRICS_TOKEN or LAB_METRICS_FROM)
LAB_METRICS_FOLDER = DATA_FOLDER.root / "metrics"

LAB_OPERATOR_MAIL = env.list("LAB_OPERATOR_MAIL", default=[])
LAB_OPERATOR_HOOK = env.str("LAB_OPERATOR_HOOK", default="")
LAB_MAIL = bool(env.str("EMAIL_URL", default=""))
vars().update(env.email("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default=f"lab@{urlsplit(PUBLIC_URL).hostname or 'localhost'}")

# People.

AUTH_USER_MODEL = "accounts.User"
LAB_ACCOUNT = "lab"  # owns what the lab starts by itself
LOGIN_URL = "accounts:login"
LOGOUT_REDIRECT_URL = "site:start"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Security.

DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # the largest form: every arm and seat, each with its options

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "object-src": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "webapp.people.accounts.sessions"
AUTHENTICATION_BACKENDS = ["webapp.people.accounts.backends.AccountBackend"]
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"

# Static files: collected and compressed where LAB_STATIC_COLLECTED says so, else found in place.

IS_STATIC_COLLECTED = env.bool("LAB_STATIC_COLLECTED", default=False)
STATIC_URL = "static/"
STATIC_ROOT = env.str("LAB_STATIC", default="") or DATA_FOLDER.static
STATICFILES_DIRS = [data_folder.PAGES / "static"]
EXAMPLES = data_folder.PAGES / "examples"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if IS_STATIC_COLLECTED
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")  # only tools of developers ask
WHITENOISE_USE_FINDERS = not IS_STATIC_COLLECTED
WHITENOISE_AUTOREFRESH = not IS_STATIC_COLLECTED

# Language and time.

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# Logs.

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LAB_LOG = env.str("LAB_LOG", default="text")


def _leave_out_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.orjson.OrjsonFormatter",
            "format": "{levelname}{name}{process}{message}",
            "style": "{",
            "timestamp": "time",
            "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "exception"},
        },
    },
    "filters": {
        "ids": {"()": "worker.log_ids.WithIds"},
        "faults": {  # what is refused is counted, and its address may hold a token
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", 500) == 500,
        },
        "sentence": {  # without a traceback, which anybody could have written a thousand times
            "()": "django.utils.log.CallbackFilter",
            "callback": _leave_out_traceback,
        },
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LAB_LOG == "json" else "text",
            "filters": ["ids"],
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        **{
            name: {"handlers": ["stderr"], "level": LOG_LEVEL, "propagate": False}
            for name in ("django.server", "uvicorn")  # they have handlers of their own
        },
        "uvicorn.access": {"handlers": [], "propagate": False},  # its lines hold addresses, and so tokens
        "django.request": {"filters": ["faults"]},
        "django.security.DisallowedHost": {"filters": ["sentence"]},  # it names the setting that may be wrong
        "django.security.RequestDataTooBig": {"level": "CRITICAL"},  # a mistake of whoever sends it
        "lab.request": {"level": LOG_LEVEL if LAB_LOG == "json" else "WARNING"},
        "httpx": {"level": "WARNING"},  # it would log every webhook's address
    },
}
