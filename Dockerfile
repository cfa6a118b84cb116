# One server process of the app; compose.yaml runs two of them behind HAProxy (docs/deploy.md).
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
# every package at the version that the tests ran with
RUN python -m venv /app \
    && /app/bin/pip install --no-cache-dir -c constraints.txt setuptools \
    && /app/bin/pip install --no-cache-dir -c constraints.txt --no-build-isolation '.[engine]' \
    && /app/bin/python -m dpviz.ui.server.copies

FROM python:3.11-slim
COPY --from=build /app /app
RUN useradd --system --uid 10001 --create-home --home-dir /home/dpviz dpviz
USER 10001
WORKDIR /home/dpviz
ENV PATH=/app/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import sys; from dpviz.several import is_healthy; sys.exit(not is_healthy(8501))"]
CMD ["dpviz", "--host", "0.0.0.0", "--port", "8501"]
