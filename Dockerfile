# One image, three uses: docs/container.md. Build one by its name: docker build --target ehr-server .

# The package as npm gives it to everybody. Nothing in it depends on the architecture, so it is made on that of
# the machine that builds.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS package
WORKDIR /source
COPY . .
RUN npm pack
WORKDIR /app
RUN npm install --omit=dev --ignore-scripts /source/embedded-ehr-harness-*.tgz
RUN mkdir /data

# What the three share. Only /data and /tmp are written to. The user is "node", by number so that Kubernetes can
# tell that it is not root.
FROM node:24-bookworm-slim AS base
COPY --from=package /app /app
COPY --from=package --chown=1000:1000 /data /data
ENV NODE_ENV=production PATH=/app/node_modules/.bin:$PATH
WORKDIR /data
VOLUME /data
USER 1000:1000
STOPSIGNAL SIGTERM

# The EHR server, whose internal methods have a port of their own.
FROM base AS ehr-server
ENV EHR_HOST=0.0.0.0 EHR_PORT=4100 EHR_INTERNAL_PORT=4102 EHR_DATABASE=/data/ehr.sqlite
EXPOSE 4100 4102
# Over TLS as well; its own certificate need not be trusted here.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; fetch(`http${process.env.EHR_TLS_CERT ? 's' : ''}://127.0.0.1:${process.env.EHR_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["ehr-server"]

# The conformance kit. It judges and ends, so there is no health to check.
FROM base AS kit
HEALTHCHECK NONE
ENTRYPOINT ["ehr-conformance"]

# All parties and the console. They stay on loopback; --published passes on what comes through a published port.
FROM base AS demo
ENV DEMO_DATA=/data DEMO_PUBLISHED=on
EXPOSE 4100 4200 4300 4400
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CONSOLE_PORT ?? 4400}/watching`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["embedded-ehr-harness", "demo"]
