import type { Context } from '../../context.ts';
import type { ListPart } from '../../db/list-part.ts';
import type { RunFor } from '../read-run.ts';
import {
  countResults,
  findCovers,
  findEndOfPart,
  findLastSettled,
  findListedResults,
  findRunShots,
  findSettledAfter,
  type Shot,
} from './result-list-store.ts';
import type { ListedResult } from './result-sql.ts';
import { countByStatus, type Cause, type ResultCounts, type ResultPlace, type SettledResult } from './result.ts';

/** How many results are read at once, so that a long list neither fills the memory nor blocks other work. */
const BATCH = 500;

type ResultPart = ListPart<ResultPlace> & { cause?: Cause | undefined };

const readBatch = async ({ db }: Pick<Context, 'db'>, run: Pick<RunFor, 'id'>, { cause, limit, after }: ResultPart) =>
  findListedResults(db, run.id, cause, { limit: Math.min(BATCH, limit), after });

/** A batch, followed by the other batches of the part, each read on request. */
async function* readAfter(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: ResultPart,
  first: ListedResult[],
): AsyncGenerator<ListedResult[]> {
  let [batch, limit] = [first, part.limit];
  for (;;) {
    yield batch;
    const last = batch.at(-1);
    limit -= batch.length;
    if (last === undefined || limit === 0 || batch.length < BATCH) return;
    batch = await readBatch(ctx, run, { ...part, limit, after: [last.path, last.position] });
  }
}

/** A part of a run's results in their order, in batches that are read on request. */
export async function* readResults(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: ResultPart,
): AsyncGenerator<ListedResult[]> {
  yield* readAfter(ctx, run, part, await readBatch(ctx, run, part));
}

/** The same by page. A page is listed once and completely, unless the part begins or ends within it. */
export async function* groupByPath(batches: AsyncIterable<ListedResult[]>): AsyncGenerator<[string, ListedResult[]][]> {
  let open: [string, ListedResult[]] | null = null;
  for await (const batch of batches) {
    const groups: [string, ListedResult[]][] = open === null ? [] : [open];
    for (const result of batch) {
      const group = groups.at(-1);
      if (group?.[0] === result.path) group[1].push(result);
      else groups.push([result.path, [result]]);
    }
    open = groups.pop() ?? null;
    yield groups;
  }
  if (open !== null) yield [open];
}

export type ResultList = {
  /** Counts for all of the run's results, or for those with the cause. */
  counts: ResultCounts;
  /** The place after which the next part begins; null at the end. */
  next: ResultPlace | null;
  batches: AsyncIterable<ListedResult[]>;
};

/** @param part.cause only results with this cause; they are those that are counted, too. */
export async function listResults(
  ctx: Pick<Context, 'db'>,
  run: Pick<RunFor, 'id'>,
  part: ResultPart,
): Promise<ResultList> {
  const first = await readBatch(ctx, run, part);
  const batches = readAfter(ctx, run, part, first);
  if (part.after === null && first.length < Math.min(BATCH, part.limit)) {
    return { counts: countByStatus(first), next: null, batches };
  }
  const [counts, next] = await Promise.all([
    countResults(ctx.db, run.id, part.cause),
    findEndOfPart(ctx.db, run.id, part.cause, part),
  ]);
  return { counts, next, batches };
}

/**
 * How many results one call returns: first the latest ones, then those that followed; the next call returns the rest.
 */
const AT_FIRST = 30;
const AT_ONCE = 100;

/**
 * Results of a run in flight in the order in which they settled. Calling again with the number of the last one returns
 * each result once, and misses none.
 */
export async function listSettledResults(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  after: number | undefined,
): Promise<SettledResult[]> {
  return after === undefined ? findLastSettled(db, run.id, AT_FIRST) : findSettledAfter(db, run.id, after, AT_ONCE);
}

/** By the ids of runs. */
export type Shots = ReadonlyMap<string, Shot[]>;

/** How many fit into a row of a very wide window. */
const SHOTS_OF_A_RUN = 8;

/** What each of the runs found first, in one query. The caller may read them. */
export async function readShots({ db }: Pick<Context, 'db'>, runs: readonly { id: string }[]): Promise<Shots> {
  if (runs.length === 0) return new Map();
  const shots = await findRunShots(
    db,
    runs.map(({ id }) => id),
    SHOTS_OF_A_RUN,
  );
  return new Map(runs.map(({ id }) => [id, shots.filter(({ testRunId }) => testRunId === id)]));
}

/** The file of one representative screenshot for each suite, in one query. The caller may read them. */
export async function readCovers(
  { db }: Pick<Context, 'db'>,
  suites: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (suites.length === 0) return new Map();
  const covers = await findCovers(
    db,
    suites.map(({ id }) => id),
  );
  return new Map(covers.map(({ testSuiteId, filePath }) => [testSuiteId, filePath]));
}
