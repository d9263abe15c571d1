import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { letIn, linkedSuite } from '../github/check-world.ts';
import { mayCommit, type Fate, type Statement } from '../support/database-proxy.ts';
import { sample } from '../support/sample.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { newViewer } from '../support/world.ts';
import { readState, startFaultWorld, type FaultWorld } from './fault-world.ts';
import { OPERATIONS, type Operation, type Trial } from './operations.ts';

/*
 * The connection to the database breaks in the middle of an operation: before the server has a statement, and, where that
 * commits something, before its answer arrives. Then the operation is asked for again, unless it said that it was done. What
 * is left must be what is left without a fault. With `npm run test:faults` that is done at every statement; else at the
 * answer of each commit, after which something is stored of which nobody was told.
 */

const EVERYWHERE = process.env['LONG_FAULTS'] === 'true';
const LONG_MS = 300_000;

/** Where the connection breaks, of the statements of an operation, counted from 0. */
type Break = { at: number; fate: Fate };
const NOWHERE: Break = { at: -1, fate: 'pass' };
type Outcome = { state: unknown; statements: Statement[] };

type Perform = Awaited<ReturnType<Operation['prepare']>>;

function fatesOf(statement: Statement): Fate[] {
  if (!mayCommit(statement)) return ['lost'];
  return EVERYWHERE ? ['lost', 'unanswered'] : ['unanswered'];
}

export const PARTS = sample(OPERATIONS, 4);

/** Tests that these operations come out the same wherever the connection breaks. */
export function testBreaks(operations: Operation[]): void {
  let world: FaultWorld;
  let viewer: Viewer;
  let trials = 0;

  stubHttp();
  beforeAll(async () => {
    world = await startFaultWorld();
    viewer = await newViewer(world.sound);
  });
  afterAll(() => world.end());
  beforeEach(() => {
    letIn();
    nock('http://github.test')
      .persist()
      .get(/\/contents\//)
      .reply(404, { message: 'Not Found' });
  });
  afterEach(() => nock.cleanAll());

  async function newTrial(): Promise<Trial> {
    trials += 1;
    const suite = await linkedSuite(world.sound, viewer, ['/', '/a']);
    return { world: world.sound, viewer, suite, number: 90_000 + trials };
  }

  /** @returns what is stored after `act` did the operation. */
  async function tryOut(operation: Operation, act: (perform: Perform) => Promise<unknown>): Promise<unknown> {
    const { sound } = world;
    const trial = await newTrial();
    const perform = await operation.prepare(trial);
    await sound.db.raw('delete from graphile_worker._private_jobs');
    await act(perform);
    await operation.later?.(trial);
    const state = await readState(sound, trial.suite.id, trial.number);
    expect(await world.faults()).toEqual([]);
    await sound.db('test_suites').where({ id: trial.suite.id }).delete();
    await sound.db('webhook_deliveries').delete();
    return state;
  }

  async function tryWithBreak(operation: Operation, { at, fate }: Break): Promise<Outcome> {
    const { sound, proxy } = world;
    const statements: Statement[] = [];
    const state = await tryOut(operation, async (perform) => {
      proxy.decide = (statement) => {
        statements.push(statement);
        return statements.length - 1 === at ? fate : 'pass';
      };
      const isDone = await perform(world.faulty()).then(
        () => true,
        () => false,
      );
      proxy.decide = () => 'pass';
      if (!isDone) await perform(sound.ctx);
    });
    return { state, statements };
  }

  it.each(operations)(
    '$name comes out the same wherever the connection breaks',
    async (operation) => {
      // The first also learns of the repository what is known to all others.
      await tryWithBreak(operation, NOWHERE);
      const whole = await tryWithBreak(operation, NOWHERE);
      expect(whole.statements.length).toBeGreaterThan(1);
      for (const [at, statement] of whole.statements.entries()) {
        if (!EVERYWHERE && !mayCommit(statement)) continue;
        for (const fate of fatesOf(statement)) {
          const { state } = await tryWithBreak(operation, { at, fate });
          const about = { at, fate, sql: statement.sql };
          expect({ ...about, state }).toEqual({ ...about, state: whole.state });
        }
      }
    },
    LONG_MS,
  );

  it.each(operations.filter(({ takesTurns }) => takesTurns !== true))(
    '$name comes out the same when several do it at the same moment',
    async (operation) => {
      const { ctx } = world.sound;
      const once = await tryOut(operation, (perform) => perform(ctx));
      const together = await tryOut(operation, (perform) => Promise.allSettled([1, 2, 3].map(() => perform(ctx))));
      expect(together).toEqual(once);
    },
    LONG_MS,
  );
}
