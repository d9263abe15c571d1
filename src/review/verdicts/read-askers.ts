import type { Context } from '../../context.ts';
import type { Run } from '../../runs/run.ts';
import { formatCount, formatList } from '../../text/format.ts';
import { findAskers } from './change-request-store.ts';

/** By the ids of runs: who requests changes to what, such as `Ada asked for changes to 2 screenshots`. */
export type Asked = ReadonlyMap<string, string>;

/** In one query, or in none if there are no requests. The caller may read the runs. */
export async function readAskers(
  { db }: Pick<Context, 'db'>,
  runs: readonly Pick<Run, 'id' | 'changeRequests'>[],
): Promise<Asked> {
  const ids = runs.filter(({ changeRequests }) => changeRequests > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  return new Map(
    (await findAskers(db, ids)).map(({ testRunId, names, results }) => {
      const what = results === 0 ? '' : ` to ${formatCount(results, 'screenshot')}`;
      return [testRunId, `${formatList(names)} asked for changes${what}`];
    }),
  );
}
