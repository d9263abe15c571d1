# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY migrations ./migrations
RUN npm run build

FROM node:24-bookworm-slim
# Browser and fonts decide the pixels, so rebuild the image only on purpose. tini reaps the processes that the browser
# leaves behind; Node as the first process would not. fontconfig's fc-list tells which fonts there are.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    chromium-headless-shell \
    fontconfig \
    fonts-dejavu-core \
    fonts-liberation \
    fonts-noto-cjk \
    fonts-noto-color-emoji \
    fonts-noto-core \
    tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY LICENSE app.yml ./
COPY views ./views
COPY --from=build /app/dist ./dist

# Embedded database, images and generated secrets, unless DATABASE_URL and S3_BUCKET put them elsewhere.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data

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
CMD ["node", "dist/main.js"]
