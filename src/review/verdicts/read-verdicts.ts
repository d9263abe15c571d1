import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { findChangeRequests } from './change-request-store.ts';
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
