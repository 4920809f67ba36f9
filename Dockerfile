# The merchant alone, compiled: no sandbox, no embedded PostgreSQL, no development tools (that is why `optional` is left
# out, and with it what tsx needs). Before a new version starts, bring the database up to it:
#   docker run --rm --env-file live.env <image> src/merchant/cli/migrate.js
# The other commands run in the same way (docs/04-going-live.md). With `--target sandbox` it is the sandbox instead, which is
# never deployed (src/sandbox/README.md). Node 24 is the LTS release; the packages run on 20.19 and
# newer.
#
# The digest says which base image it is: a tag can be moved, a digest cannot. It has no fix that came later, so look once a
# week, and at every security release of Node, what the tag stands for now, and write it below with the version that it has:
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

# Memory alone unless SANDBOX_DATA_DIR names a volume. Its controls have no password: publish its port on loopback.
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
# Also with NODE_ENV=development: loopback of a container is reached by nobody, and whoever publishes its port decides who gets in.
ENV HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist ./
USER node
EXPOSE 3000
# It goes on for 5 s after this signal, then ends as soon as no request is under way, and within 25 s in any case. Give it 30 s:
# Kubernetes does; `docker run` and `docker stop` kill after 10 s unless --stop-timeout says otherwise, and an image cannot.
# A kill loses nothing that was acknowledged, and cuts off the requests that took longer.
STOPSIGNAL SIGTERM
# Liveness alone: an engine that restarts on it must not do so because the database is away.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A core dump would hold whatever card was on its way.
ENTRYPOINT ["sh", "-c", "ulimit -c 0 && exec node \"$@\"", "node"]
CMD ["src/merchant/server.js"]
