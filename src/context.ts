import type { KeyObject } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { ArchiveReader } from './archives/read-apart.ts';
import type { Browser } from './capture/browser/browser.ts';
import type { compareImages } from './compare/compare-images.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { Logger } from './logger.ts';
import type { Mailer } from './mailer.ts';
import type { Network } from './net/network.ts';
import type { SentAccess } from './net/sent-access.ts';
import type { Measure } from './queue/metric.ts';
import type { Storage } from './storage/storage.ts';

/**
 * The time, passed in so that a test can change it. In the service it is the database's: several hosts store times that
 * are compared, and a host with a wrong clock must not end runs before they began.
 */
type Clock = { now(): Date };

/** A token of the code host, and when it was issued. */
type KeptToken = { token: string; issuedAt: Date };

/** The keys of an issuer of identity tokens, by their `kid`. */
export type IssuerKeys = {
  keys: ReadonlyMap<string, KeyObject>;
  readAt: Date;
};

/** `failure`: why a login failed. It is not tried again for a while, because the account could be locked. */
export type SiteSession = {
  sent: SentAccess;
  failure: string | null;
  at: Date;
  /** How many renewals in a row did not help. */
  renewals: number;
};

/** What code may use. Composed once per process (or worker thread) in `compose.ts`. */
export type Context = {
  config: Config;
  db: Db;
  storage: Storage;
  network: Network;
  mailer: Mailer;
  log: Logger;
  clock: Clock;
  /** In a service it runs in threads of its own (`compare/compare-apart.ts`). */
  compareImages: typeof compareImages;
  /** Of the client, in a request. */
  address?: string;
  /** In a process that answers requests it runs in threads of its own (`archives/read-apart.ts`). */
  archives: ArchiveReader;
  /** By App and installation. Each is valid for an hour. */
  tokens: Map<string, KeptToken>;
  /** The keys last read from each issuer, and when it was last asked. */
  issuerKeys: Map<string, { last: IssuerKeys | null; asking: Promise<IssuerKeys>; askedAt: Date }>;
  /** What the issuer of sign-ins (`OIDC_ISSUER`) last said about itself, and when. */
  discovered: Map<string, { asking: Promise<Configuration>; askedAt: Date }>;
};

/** The newest commit that two have in common, and when it was committed (ISO 8601). */
export type MergeBase = { sha: string; committedAt: string };

/** What rooms that don't know the code host may ask it. */
type CodeHost = {
  /**
   * The merge base of a head with a commit or a branch. Null if it can no longer be determined.
   * @throws when the code host does not answer.
   */
  readMergeBase(at: {
    owner: string;
    repo: string;
    installationId: number;
    of: string;
    head: string;
  }): Promise<MergeBase | null>;
};

/**
 * What a job may also use: the worker thread's own browser, the function that reports metrics to the process, and the code
 * host.
 */
export type WorkerContext = Context & {
  browser: Browser;
  measure: Measure;
  /** What logins to sites have returned, by suite, origin and run. */
  siteSessions: Map<string, Promise<SiteSession>>;
  codeHost: CodeHost;
};
