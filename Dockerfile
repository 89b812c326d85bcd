# The bot, for a host. `docker build -t tetsudo .`, then see "Hosting it" in README.md.
# What is installed is locked with its hashes in requirements.lock (`make lock`). The base image is pinned by its digest,
# that of all platforms; `make pin-base` asks the registry for today's.

ARG BASE=python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b

FROM ${BASE} AS build
WORKDIR /src
RUN python3 -m venv /opt/tetsudo
COPY requirements.lock ./
# Pictures need fonts for letters beyond Western Europe; they come as dependencies.
RUN /opt/tetsudo/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY opponents opponents
COPY programs programs
COPY records records
COPY renderer renderer
COPY storage storage
COPY bot bot
COPY board board
COPY playground playground
COPY cli cli
RUN /opt/tetsudo/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM ${BASE}
# Both are given by whoever builds (`.ci/image`), as the build itself sees no repository.
ARG VERSION=""
ARG COMMIT=""
LABEL org.opencontainers.image.title="Tetsudo" \
      org.opencontainers.image.description="18xx railway games by chat: a Discord bot" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}"
RUN useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin tetsudo \
 && install --directory --owner tetsudo --group tetsudo --mode 0750 /data
COPY --from=build /opt/tetsudo /opt/tetsudo
ENV PATH=/opt/tetsudo/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TETSUDO_COMMIT="${COMMIT}" \
    TETSUDO_DB=/data/tetsudo.sqlite3
USER tetsudo
WORKDIR /data
# All games are in here, in one file; beside it are parts of pictures, which may be lost.
VOLUME /data
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["tetsudo", "health"]
CMD ["tetsudo", "bot"]
