# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY migrations ./migrations
RUN npm run build

# What the service runs with. Types and source maps are read by compilers and debuggers only; the compiler itself comes
# along as the optional peer of a dependency; of Primer's design tokens the style sheets are used.
FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force \
  && rm -rf node_modules/typescript node_modules/@typescript \
  && find node_modules/@primer/primitives/dist -mindepth 1 -maxdepth 1 ! -name css -exec rm -rf {} + \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

# Node alone: its image also has npm, headers and another package manager.
FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# Browser and fonts decide the pixels, so rebuild the image only on purpose. tini reaps the processes that the browser
# leaves behind; Node as the first process would not. fontconfig's fc-list tells which fonts there are. A headless shell
# has its own strings, and paints without a graphics card: it needs neither the locales of a browser with windows, nor the
# drivers and their compiler, which come along with tools for X11.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    chromium-headless-shell \
    fontconfig \
    fonts-dejavu-core \
    fonts-liberation \
    fonts-noto-cjk \
    fonts-noto-color-emoji \
    fonts-noto-core \
    libatomic1 \
    libstdc++6 \
    tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /usr/share/man \
    /usr/lib/chromium/libVkLayer_khronos_validation.so* /usr/lib/chromium/libVkICD_mock_icd.so* \
    /usr/lib/*/libLLVM-* /usr/lib/*/libz3.so* /usr/lib/*/dri \
  && find /usr/share/doc -type f ! -name copyright -delete \
  && find /usr/lib/chromium/locales -type f ! -name 'en-US*' -delete \
  && groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --create-home --shell /bin/bash node
WORKDIR /app
COPY --from=modules /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE app.yml ./
COPY views ./views
COPY --from=build /app/dist ./dist

# Embedded database, images and generated secrets, unless DATABASE_URL and S3_BUCKET put them elsewhere.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data

# As `npm start` has it: the memory of large images goes back to the system as soon as they are done, and no thread
# keeps more than 4 MB of new objects.
ENV MALLOC_ARENA_MAX=2 \
  MALLOC_MMAP_THRESHOLD_=262144

ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data \
  CHROMIUM_PATH=/usr/bin/chromium-headless-shell
EXPOSE 3000

# Chromium has no sandbox as root. What else the sandbox needs is in docs/operating.md (Docker).
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=60", "dist/main.js"]
