import { openArchiveReader, READ_HERE } from './archives/read-apart.ts';
import { resolveJwtSecret } from './auth/jwt-secret.ts';
import { openBrowser } from './capture/browser/open-browser.ts';
import { openImageComparer } from './compare/compare-apart.ts';
import { compareImages } from './compare/compare-images.ts';
import type { Config } from './config.ts';
import type { Context, WorkerContext } from './context.ts';
import { connect } from './db/connect.ts';
import { startDatabaseClock } from './db/database-clock.ts';
import { readMergeBase } from './github/app/read-merge-base.ts';
import type { Logger } from './logger.ts';
import { createMailer } from './mailer.ts';
import { createNetwork } from './net/create-network.ts';
import type { Measure } from './queue/metric.ts';
import { createStorage } from './storage/create-storage.ts';

/**
 * Sizes of the database pools. One event loop keeps no more than two or three connections busy, and further ones slow
 * it down: with 200 clients on two cores, five connections serve a tenth more reads than ten.
 */
const PROCESS_CONNECTIONS = 5;
const THREAD_CONNECTIONS = 4;
const WEBHOOK_CONNECTIONS = 3;

export type Composed<C> = { ctx: C; close: () => Promise<void> };

/** The context of a process. Only the functions of this file create pools, clients and stores from the config. */
export async function composeContext(
  config: Config,
  databaseUrl: string,
  log: Logger,
  maxConnections = PROCESS_CONNECTIONS,
): Promise<Composed<Context>> {
  const db = connect(databaseUrl, { maxConnections, log, pooled: config.databaseDirectUrl !== null });
  const clock = await startDatabaseClock(db, log);
  const network = createNetwork({ allowPrivateTargets: config.allowPrivateTargets, log });
  const ctx: Context = {
    config: Object.freeze({ ...config, jwtSecret: await resolveJwtSecret(config) }),
    db,
    storage: await createStorage(config),
    network,
    mailer: createMailer({ smtpUrl: config.smtpUrl, mailFrom: config.mailFrom, log }),
    log,
    clock,
    compareImages,
    archives: READ_HERE,
    tokens: new Map(),
    issuerKeys: new Map(),
    discovered: new Map(),
  };
  const close = async () => {
    clock.stop();
    await network.close();
    await db.destroy();
  };
  return { ctx, close };
}

/** In a process that answers requests. */
const MOST_COMPARISONS_WAITING = 20;

/** For a process that answers requests: it compares screenshots and reads archives in other threads. */
export function composeWeb(ctx: Context): Composed<Context> {
  const comparer = openImageComparer({ mostWaiting: MOST_COMPARISONS_WAITING });
  const archives = openArchiveReader();
  const close = async () => {
    await Promise.all([comparer.close(), archives.close()]);
  };
  return { ctx: { ...ctx, compareImages: comparer.compareImages, archives }, close };
}

/** A pool for receiving webhooks: they need a connection at once, whatever else the process does. */
export function composeWebhooks(ctx: Context, databaseUrl: string): Composed<Context> {
  const pooled = ctx.config.databaseDirectUrl !== null;
  const db = connect(databaseUrl, { maxConnections: WEBHOOK_CONNECTIONS, log: ctx.log, pooled });
  return { ctx: { ...ctx, db }, close: async () => db.destroy() };
}

/** The context of a worker thread. It has its own browser, which is launched on first use. */
export async function composeWorkerContext(
  config: Config,
  databaseUrl: string,
  log: Logger,
  measure: Measure,
): Promise<Composed<WorkerContext>> {
  const { ctx, close } = await composeContext(config, databaseUrl, log, THREAD_CONNECTIONS);
  const browser = openBrowser({
    chromiumPath: config.chromiumPath,
    browserWsEndpoint: config.browserWsEndpoint,
    proxyUrl: () => ctx.network.proxyUrl(),
    openProxy: () => ctx.network.openProxy(),
    whyUnreachable: (url) => ctx.network.whyUnreachable(url),
    addresses: (hostname) => ctx.network.addresses(hostname),
    log,
  });
  const comparer = openImageComparer();
  return {
    ctx: {
      ...ctx,
      compareImages: comparer.compareImages,
      browser,
      measure,
      siteSessions: new Map(),
      codeHost: { readMergeBase: async (at) => readMergeBase(ctx, at) },
    },
    close: async () => {
      await comparer.close();
      await browser.close();
      await close();
    },
  };
}
