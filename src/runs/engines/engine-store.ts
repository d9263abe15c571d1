import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';

/** A browser that captures for this installation: what decides its pixels, and on how many hosts it runs. */
export type SeenEngine = { engine: string; hosts: number; lastSeenAt: Date };

/** When this process last recorded an engine, ms. */
const written = new WeakMap<Db, Map<string, number>>();
const WRITE_MS = 60_000;

/** Recorded at most once a minute, because this is called for every page. */
export async function saveEngine(db: Db, engine: string, host: string): Promise<void> {
  const known = written.get(db) ?? new Map<string, number>();
  const now = performance.now();
  if (now - (known.get(engine) ?? -Infinity) < WRITE_MS) return;
  await db('capture_engines')
    .insert({ engine, host })
    .onConflict(['engine', 'host'])
    .merge({ last_seen_at: db.fn.now() })
    .whereRaw("capture_engines.last_seen_at < now() - interval '1 minute'");
  written.set(db, known.set(engine, now));
}

/** Engines that captured in the last `seconds`, the most used first. */
export async function findEngines(db: Db, seconds: number): Promise<SeenEngine[]> {
  return db('capture_engines')
    .whereRaw('last_seen_at > now() - make_interval(secs => ?)', [seconds])
    .groupBy('engine')
    .select(
      'engine',
      computed(db, 'hosts', 'bigint', 'count(*)'),
      computed(db, 'last_seen_at', 'timestamptz', 'max(last_seen_at)'),
    )
    .orderBy('hosts', 'desc')
    .orderBy('engine')
    .limit(20);
}
