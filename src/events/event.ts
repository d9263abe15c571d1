import { capitalize } from '../text/format.ts';
import type { AccountEvents, AdministrationDetails, NamedAccount, TargetEvents } from './administration-event.ts';

/**
 * `person`: by hand. `token`: a program, for the account that made its token. `agent`: the same, with a name that it gave
 * itself. `github`: a button on the code host. `webhook`: a delivery of the code host. `clock`: Pixelgate.
 */
export const ACTOR_KINDS = ['person', 'token', 'agent', 'github', 'webhook', 'clock'] as const;

/** Who did something. */
export type Actor = {
  kind: (typeof ACTOR_KINDS)[number];
  /** The account. */
  id: string | null;
  /** What the account is called. The record keeps it as it was. */
  name: string | null;
  /** The token's name, the agent's claim, or the account on the code host. */
  via: string | null;
  /** The client's address. */
  address: string | null;
};

const nobody = { id: null, name: null, via: null, address: null };

/** What Pixelgate does by itself. */
export const CLOCK: Actor = { kind: 'clock', ...nobody };

/** Caused by something that happened on the code host. */
export const WEBHOOK: Actor = { kind: 'webhook', ...nobody };

/** A screenshot, for a list of some of them. */
export type NamedPage = { path: string; viewport: string };

/** How many pages or screenshots an event names at most. Its counts are of all. */
export const NAMED_MAX = 20;

/** What a run is called. `title`: of its pull request. */
export type RunDetails = {
  /** Its number in the suite. */
  run: number;
  type: 'MANUAL' | 'PR' | 'BRANCH';
  /** What started it. */
  trigger: 'USER' | 'TOKEN' | 'WORKFLOW' | 'PUSH' | 'MERGE' | 'CRAWL' | 'SCHEDULE' | null;
  pullRequest: number | null;
  title: string | null;
  branch: string | null;
};

type RunEvents = {
  /**
   * All screenshots are there and compared. `changed`: results that need an approval, or have one. `drifted`: results that
   * differ just as the site itself does. `reviewState`: NOT_REQUIRED, PENDING or APPROVED. `reason`: why nothing was captured.
   * A run whose errors are captured again is completed again.
   */
  'run.completed': RunDetails & {
    pages: number;
    screenshots: number;
    passed: number;
    changed: number;
    drifted: number;
    errors: number;
    reviewState: string;
    reason: string | null;
  };
  /** `error`: a sentence without a full stop. `reason`: as in `metadata.reason` of the run. */
  'run.failed': RunDetails & { error: string; reason: string | null };
  /** `reason`: as in `metadata.reason` of the run. */
  'run.cancelled': RunDetails & { reason: string | null };
  /**
   * The gate of a run closed: PENDING, and not PENDING before. `changed`: how many results wait for an approval. `settings`:
   * what the pull request loosens waits, too.
   */
  'review.required': RunDetails & { changed: number; settings: boolean };
  /** `assigned`: who was asked to review. `removed`: who no longer is. Somebody is in one of them. */
  'review.assigned': RunDetails & { assigned: NamedAccount[]; removed: NamedAccount[] };
  /**
   * `results`: how many were approved. `changes`: how many changes of results that may also have others. `versions`: how many
   * baseline versions were added at once. `settings`: what the pull request loosens was approved. `reviewState`: of the run
   * afterwards; APPROVED when nothing is left.
   */
  'review.approved': RunDetails & {
    results: number;
    changes: number;
    versions: number;
    settings: boolean;
    note: string | null;
    reviewState: string;
  };
  /** Approvals of earlier pushes count for this run as well. `settings`: for what the pull request loosens. */
  'review.carried_over': RunDetails & { results: number; settings: boolean };
  /** `results`: to how many; null: to the run itself. `pages`: the first of these. `settings`: about what the pull request loosens. */
  'review.changes_requested': RunDetails & {
    results: number | null;
    pages: NamedPage[];
    note: string;
    settings: boolean;
  };
  /** `approvals` and `requests`: how many were taken back. `versions`: how many baseline versions were added for that. */
  'review.undone': RunDetails & { approvals: number; requests: number; versions: number };
  /** A difference that did not hold the gate does now. `page`: of the result. */
  'review.counted': RunDetails & { page: NamedPage };
  /**
   * `result`, `page`: of what; null: of the run itself. `text`: the beginning of what it says now, at most 300 characters;
   * null: it is deleted.
   */
  'comment.created': RunDetails & {
    comment: string;
    result: string | null;
    page: NamedPage | null;
    text: string | null;
  };
  'comment.deleted': RunDetails & { comment: string };
  /**
   * Screenshots became the next versions of their baselines. `pages`: the first of `versions`. `source`: MANUAL, BRANCH, PR_MERGE
   * (after the merge of `pullRequest`) or API.
   */
  'baseline.promoted': {
    source: string;
    versions: number;
    pages: (NamedPage & { version: number })[];
    pullRequest: number | null;
    note: string | null;
  };
  /** Earlier versions became current again. `undo`: because an approval was undone. */
  'baseline.restored': {
    versions: number;
    pages: (NamedPage & { version: number; restored: number })[];
    undo: boolean;
    note: string | null;
  };
  /**
   * Nobody decided it, and the site no longer looks like its baselines. `on` says where that was seen: `site`, by a scheduled
   * run; `preview`, by a run whose preview differs just as the site does. Once a run.
   */
  'drift.found': RunDetails & { results: number; pages: NamedPage[]; on: 'site' | 'preview' };
};

type SiteEvents = {
  /** `error`: why, without a full stop. */
  'crawl.failed': { error: string };
  /** `pages`: how many. `paths`: the first of these. `tracked`: how many are captured from now on. `first`: by the first crawl. */
  'pages.found': { pages: number; paths: string[]; tracked: number; first: boolean };
  'pages.removed': { pages: number; paths: string[] };
  /** Old runs were removed with their `results`, or a day later the `objects` (`bytes` in all) that only they named. */
  'retention.swept': { runs: number; results: number; objects: number; bytes: number };
  /**
   * A time of the schedule passed without a run of its own. `dueAt`: the first such time, `nextAt`: the next time, both ISO 8601.
   * `reason`: nothing was running then (`not_running`, one run is started now), `no_tracked_pages`, `run_in_progress`, or
   * `suite_inactive`.
   */
  'schedule.missed': {
    dueAt: string;
    nextAt: string;
    reason: 'not_running' | 'no_tracked_pages' | 'run_in_progress' | 'suite_inactive';
  };
};

/** The details of each kind of event, besides its suite and its run. */
export type EventDetails = RunEvents & SiteEvents & AdministrationDetails & AccountEvents & TargetEvents;

export type EventKind = keyof EventDetails;

/** An event that is about to be recorded. */
export type NewEvent<K extends EventKind = EventKind> = {
  [Kind in K]: { kind: Kind; suiteId?: string | null; runId?: string | null; details: EventDetails[Kind] };
}[K];

/** An event as it was recorded, maybe by an earlier version. */
export type RecordedEvent = {
  id: number;
  at: Date;
  kind: string;
  actor: Actor;
  suiteId: string | null;
  runId: string | null;
  details: EventDetails[EventKind];
};

declare module '../db/json.ts' {
  interface JsonColumns {
    'events.details': EventDetails[EventKind];
  }
}

/** Which events are wanted. `from` is included, `to` is not. */
export type EventFilter = {
  suiteId?: string | undefined;
  runId?: string | undefined;
  kind?: string | undefined;
  actorId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The number of an event, which is its place in lists. */
export type EventPlace = [id: number];

/** The kinds of events that people and programs can be told of. The others are only recorded. */
export const TOLD_KINDS = [
  'run.completed',
  'run.failed',
  'review.required',
  'review.assigned',
  'review.approved',
  'review.changes_requested',
  'comment.created',
  'baseline.promoted',
  'crawl.failed',
  'pages.found',
  'pages.removed',
  'drift.found',
  'schedule.missed',
] as const;

const TOLD: ReadonlySet<string> = new Set(TOLD_KINDS);

export const isTold = (kind: string): boolean => TOLD.has(kind);

/** A kind of event as people read it: `Review changes requested`. */
export const nameKind = (kind: string): string =>
  capitalize(kind.replaceAll('.', ' ').replaceAll('_', ' ')).replace('Github', 'GitHub');
