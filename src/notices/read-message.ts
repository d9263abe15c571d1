import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { RecordedEvent } from '../events/event.ts';
import { listChanges } from '../review/changes/list-changes.ts';
import { nameRun } from '../runs/run-name.ts';
import { findRun } from '../runs/run-store.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { Message } from './message.ts';

type Addresses = Pick<Config, 'publicUrl'>;

/** How many causes a message names. */
const CAUSES = 10;

/** Events about what a run found. */
const OF_FINDINGS = new Set(['run.completed', 'review.required', 'drift.found']);

async function readSuite(db: Db, { publicUrl }: Addresses, id: string | null): Promise<Message['data']['suite']> {
  const suite = id === null ? null : await findSuite(db, id);
  return suite === null ? null : { id: suite.id, name: suite.name, url: `${publicUrl}/suites/${suite.id}` };
}

async function readRun(db: Db, { publicUrl }: Addresses, id: string | null): Promise<Message['data']['run']> {
  const run = id === null ? null : await findRun(db, id);
  return run === null
    ? null
    : { id: run.id, number: run.number, name: nameRun(run), url: `${publicUrl}/runs/${run.id}` };
}

async function readCauses(db: Db, runId: string): Promise<Message['data']['causes']> {
  const { groups } = await listChanges({ db }, { id: runId }, { limit: CAUSES }, 0);
  return groups.map(({ summary, element, count }) => ({ summary, element, results: count }));
}

/** What to tell of an event. What was deleted since is null. */
export async function readMessage(db: Db, config: Addresses, event: RecordedEvent): Promise<Message> {
  const { kind, at, actor, suiteId, runId, details } = event;
  const run = await readRun(db, config, runId);
  return {
    type: kind,
    timestamp: at.toISOString(),
    data: {
      suite: await readSuite(db, config, suiteId),
      run,
      actor: { kind: actor.kind, name: actor.name, via: actor.via },
      causes: run !== null && OF_FINDINGS.has(kind) ? await readCauses(db, run.id) : [],
      details: { ...details },
    },
  };
}
