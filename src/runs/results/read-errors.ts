import type { Context } from '../../context.ts';
import { adviseOnError, type Advice } from './error-advice.ts';
import { findErrors, type ErrorGroup } from './error-store.ts';

/** How many different errors are listed. */
const MOST = 10;

export type Errors = { total: number; groups: (ErrorGroup & { advice: Advice | null })[] };

/** Why results of a run are errors, the most frequent reasons first, and what can be done about each. */
export async function readErrors({ db }: Pick<Context, 'db'>, run: { id: string }): Promise<Errors> {
  const groups = await findErrors(db, run.id, MOST);
  return {
    total: groups[0]?.total ?? 0,
    groups: groups.map((group) => ({ ...group, advice: adviseOnError(group.code) })),
  };
}
