# The compiled merchant, without sandbox, embedded PostgreSQL and development tools (`optional` is omitted, which includes the
# dependencies of tsx). Before a new version starts, migrate the database:
#   docker run --rm --env-file live.env <image> src/merchant/cli/migrate.js
# The other commands run in the same way (docs/04-going-live.md). With `--target sandbox` it is the sandbox instead, which is
# never deployed (src/sandbox/README.md). Node 24 is the LTS release; the packages run
# on 20 (20.19 or newer), 22 (22.12 or newer), and 24 and newer.
#
# The base image is pinned by digest, because a tag can be moved. A digest gets no later fixes, so check the tag once a week, and at
# every security release of Node, and update digest and version below:
#   docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=peer --omit=optional --ignore-scripts

FROM build AS sandbox-build
RUN node scripts/build.mjs --sandbox sandbox-dist

# The state is in memory unless SANDBOX_DATA_DIR names a volume. The controls have no password: publish the port on loopback.
FROM ${NODE_IMAGE} AS sandbox
ENV SANDBOX_IN_CONTAINER=true
ENV SANDBOX_HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=sandbox-build /app/sandbox-dist ./
USER node
EXPOSE 4010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SANDBOX_PORT ?? 4010}/_sandbox/clock`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["src/sandbox/server.js"]

FROM ${NODE_IMAGE} AS merchant
ENV NODE_ENV=production
# Also with NODE_ENV=development, because the loopback of a container cannot be reached from outside. Access is decided by how the
# port is published.
ENV HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist ./
USER node
EXPOSE 3000
# After this signal the merchant accepts requests for 5 s, then ends when no request is open, and after 25 s at the latest. Allow
# 30 s: Kubernetes does by default; `docker run` and `docker stop` kill after 10 s unless --stop-timeout is set, which an image
# cannot do. A kill loses nothing that was acknowledged, but aborts open requests.
STOPSIGNAL SIGTERM
# Liveness only: a container engine must not restart the merchant because the database is down.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A core dump could contain card data.
ENTRYPOINT ["sh", "-c", "ulimit -c 0 && exec node \"$@\"", "node"]
CMD ["src/merchant/server.js"]
