import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Run } from '../../runs/run.ts';
import { formatCount, formatList } from '../../text/format.ts';
import { findAskers, findChangeRequests } from './change-request-store.ts';
import { findReviewSpan, findVerdicts, findVerdictsOfOthers } from './verdict-store.ts';
import type { ChangeRequest, Verdict } from './verdict.ts';

/** What was decided about a run, newest first. */
export async function listVerdicts(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { limit, after }: ListPart<[number]>,
): Promise<Listed<Verdict, [number]>> {
  const found = await findVerdicts(db, run.id, { limit: limit + 1, before: after?.[0] ?? null });
  return cutList(found, limit, ({ number }) => [number]);
}

/** Open requests for changes, oldest first. `resultId`: only of this result, and of the run itself. */
export async function listChangeRequests(
  { db }: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id' | 'changeRequests'>,
  { limit, resultId = null }: { limit: number; resultId?: string | null },
): Promise<ChangeRequest[]> {
  if (run.changeRequests === 0) return [];
  return findChangeRequests(db, run.id, { limit, resultId });
}

/** What others decided after verdict number `seen`, newest first. */
export async function listNews(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { seen, limit }: { seen: number; limit: number },
): Promise<Verdict[]> {
  if (run.verdictNumber <= seen) return [];
  return findVerdictsOfOthers(db, run.id, { seen, limit, viewerId: run.suite.viewer.id });
}

/** When the review of a run began, and when the last decision was made. Null before the first one. */
export async function readReviewSpan(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
): Promise<{ startedAt: Date; endedAt: Date } | null> {
  if (run.verdictNumber === 0) return null;
  const { startedAt, endedAt } = await findReviewSpan(db, run.id);
  return startedAt === null || endedAt === null ? null : { startedAt, endedAt };
}

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
