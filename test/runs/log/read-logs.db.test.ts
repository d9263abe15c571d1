import { afterAll, describe, expect, it } from '@jest/globals';
import { appendLogs } from '../../../src/runs/log/log-store.ts';
import { LOG_TYPES, type RunLog } from '../../../src/runs/log/run-log.ts';
import { createTestDatabase } from '../../support/database.ts';
import { countLogLines, readLogPart, startRun } from '../../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';

/** A run whose log has only the lines 0 to 9: every third is PROGRESS, the others are INFO. */
async function runWithLog(): Promise<string> {
  const suite = await newSuite(world, viewer, ['/']);
  const { id } = await startRun(world.ctx, viewer, suite, {});
  await world.db('test_run_logs').where({ test_run_id: id }).delete();
  const lines = Array.from(
    { length: 10 },
    (_, n) => ({ type: n % 3 === 0 ? 'PROGRESS' : 'INFO', message: `${n}` }) as const,
  );
  await appendLogs(world.db, id, lines);
  return id;
}

const database = await createTestDatabase();
const world = worldOn(database.db);
const viewer = await newViewer(world);
const runId = await runWithLog();
afterAll(() => database.drop());

const ALL = { types: LOG_TYPES, limit: 4 };
const messages = ({ lines }: { lines: RunLog[] }) => lines.map((line) => line.message).join('');

describe('a part of a log', () => {
  it('is its end, and what comes before that', async () => {
    const end = await readLogPart(world.ctx, viewer, runId, ALL);
    expect([messages(end), end.hasMore]).toEqual(['6789', true]);
    const middle = await readLogPart(world.ctx, viewer, runId, { ...ALL, before: end.lines[0]?.id });
    expect([messages(middle), middle.hasMore]).toEqual(['2345', true]);
    const start = await readLogPart(world.ctx, viewer, runId, { ...ALL, before: middle.lines[0]?.id });
    expect([messages(start), start.hasMore]).toEqual(['01', false]);
  });

  it('is what was written since a line, the oldest of it first', async () => {
    const { lines } = await readLogPart(world.ctx, viewer, runId, { types: LOG_TYPES, limit: 10 });
    const since = await readLogPart(world.ctx, viewer, runId, { ...ALL, after: lines[2]?.id });
    expect([messages(since), since.hasMore]).toEqual(['3456', true]);
    const none = await readLogPart(world.ctx, viewer, runId, { ...ALL, after: lines.at(-1)?.id });
    expect([messages(none), none.hasMore]).toEqual(['', false]);
  });

  it('holds only the types that are asked for, which are counted', async () => {
    expect(messages(await readLogPart(world.ctx, viewer, runId, { types: ['PROGRESS'], limit: 10 }))).toBe('0369');
    expect(await countLogLines(world.ctx, viewer, runId)).toMatchObject({ PROGRESS: 4, INFO: 6, ERROR: 0 });
  });

  it('is empty behind a line of another run, and is not there for strangers', async () => {
    const other = await readLogPart(world.ctx, viewer, await runWithLog(), ALL);
    expect(messages(await readLogPart(world.ctx, viewer, runId, { ...ALL, after: other.lines[0]?.id }))).toBe('');
    const stranger = await newViewer(world);
    await expect(readLogPart(world.ctx, stranger, runId, ALL)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(countLogLines(world.ctx, stranger, runId)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
