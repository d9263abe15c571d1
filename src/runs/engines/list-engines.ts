import type { Context } from '../../context.ts';
import { findEngines, type SeenEngine } from './engine-store.ts';

const DAY = 24 * 3600;

/** The browsers that captured pages in the last day. More than one: differences may come from them. */
export async function listEngines({ db }: Pick<Context, 'db'>): Promise<SeenEngine[]> {
  return findEngines(db, DAY);
}
