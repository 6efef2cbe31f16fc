# One image, several commands: gridmill is the entry point, so `docker run gridmill work`, `… submit`, `… collect`.
# docker-compose.yml joins them. The Python is the one that the tests run on.

FROM python:3.11-slim-bookworm AS build

# -y and no recommended packages: the compiler alone, for this stage only. CMake and Ninja come as wheels.
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /src
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY native native
COPY gridmill gridmill
COPY producer producer
COPY worker worker
COPY collector collector

# An image without the kernel would be slow and say so only in a log line: here it must build.
ENV GRIDMILL_REQUIRE_NATIVE=1
RUN python -m venv /opt/gridmill && /opt/gridmill/bin/pip install --no-cache-dir .


FROM python:3.11-slim-bookworm

# State is kept in /tmp, since a container is gone when its command ends; what must last is the journal, which lies
# beside the output.
ENV PATH=/opt/gridmill/bin:$PATH \
    GRIDMILL_REQUIRE_NATIVE=1 \
    GRIDMILL_STATE_DIR=/tmp/gridmill

RUN useradd --uid 1000 --create-home gridmill && install -d -o 1000 -g 1000 /data
COPY --from=build /opt/gridmill /opt/gridmill
RUN python -c "from gridmill import kernel; kernel.require()"

# In numbers, so that an orchestrator sees that it is not root.
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["gridmill"]
CMD ["--help"]
