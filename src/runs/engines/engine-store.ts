import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';

/** A browser that captures for this installation: what decides its pixels, and on how many hosts it runs. */
export type SeenEngine = { engine: string; hosts: number; lastSeenAt: Date };

/** Written at most once a minute, as every page asks for it. */
export async function saveEngine(db: Db, engine: string, host: string): Promise<void> {
  await db('capture_engines')
    .insert({ engine, host })
    .onConflict(['engine', 'host'])
    .merge({ last_seen_at: db.fn.now() })
    .whereRaw("capture_engines.last_seen_at < now() - interval '1 minute'");
}

/** Those that captured in the last seconds, the most used first. */
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
