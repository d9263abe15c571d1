import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { awaitParts, type Part } from '../../src/queue/await-part.ts';
import { createJobRunner, type JobMetric } from '../../src/queue/job-runner.ts';
import { gate, log, runBy } from './fixture.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const MINUTE = 60_000;

const TAKEN = {
  id: '1',
  attempt: 1,
  takePlace: () => null,
  isClosing: () => false,
};

describe('createJobRunner', () => {
  it('aborts a job that takes longer than its kind may, as a failed attempt', async () => {
    const obedient = (_payload: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const onStuck = jest.fn();
    const jobs = createJobRunner({ runJob: runBy({ 'send-reset-link': obedient }), onStuck });
    const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN);
    const outcome = ran.catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await outcome).toBe('The job took longer than 5 minutes');
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('tells of a job that does not heed its signal', async () => {
    const held = gate();
    const onStuck = jest.fn();
    const runJob = runBy({ 'send-reset-link': () => held.opened });
    const jobs = createJobRunner({ runJob, onStuck });
    const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(6 * MINUTE);
    expect(onStuck).toHaveBeenCalledTimes(1);
    held.open();
    expect(await ran).toBe('The job took longer than 5 minutes');
  });

  it('has only the job fail that does not heed its signal, when the worker stops because of it', async () => {
    const held = gate();
    const runJob = runBy({
      'send-reset-link': () => held.opened,
      'finish-run': async (_payload, { signal }) => {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        throw new Error('cut short');
      },
    });
    const outcomes: string[] = [];
    const onMetric = ({ job, outcome }: JobMetric) => void outcomes.push(`${job} ${outcome}`);
    const jobs = createJobRunner({ runJob, onMetric, onStuck: () => void jobs.abort(1000) });
    const order: string[] = [];
    const deaf = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN).catch(() => order.push('deaf'));
    const other = jobs.run('finish-run', { runId: 'r1' }, TAKEN).catch(() => order.push('other'));
    await jest.advanceTimersByTimeAsync(6 * MINUTE);
    order.push('given back');
    jobs.release();
    await Promise.all([deaf, other]);
    held.open();
    expect(order).toEqual(['deaf', 'given back', 'other']);
    expect(outcomes).toEqual(['send-reset-link failed', 'finish-run returned']);
  });

  it('limits a part of a job by itself, and goes on with the rest', async () => {
    const seen: unknown[] = [];
    const runJob = runBy({
      'capture-suite': async (_slot, { part, signal }) => {
        const page = { runId: 'r1', path: '/' };
        await part(
          { page, maxMinutes: 1 },
          (ended) =>
            new Promise((_resolve, reject) => {
              ended.addEventListener('abort', () => reject(ended.reason));
            }),
        ).catch((error: Error) => seen.push(error.message));
        seen.push(signal.aborted);
      },
    });
    const jobs = createJobRunner({ runJob, onStuck: jest.fn() });
    const ran = jobs.run('capture-suite', { suiteId: 's', slot: 0 }, TAKEN);
    await jest.advanceTimersByTimeAsync(MINUTE);
    await ran;
    expect(seen).toEqual(['The page took longer than 1 minutes', false]);
  });

  describe('while a part is away', () => {
    const away = new Error('away');
    const outage = (checks: number): Part & { asked: number } => ({
      name: 'storage',
      asked: 0,
      isCauseOf: (error) => error === away,
      async check() {
        this.asked += 1;
        if (this.asked <= checks) throw new Error('still away');
      },
    });

    it('waits for it within one attempt, however long, and runs the job again', async () => {
      const part = outage(200);
      let runs = 0;
      const needing = async () => {
        runs += 1;
        if (part.asked <= 200) throw away;
      };
      const onStuck = jest.fn();
      const runJob = runBy({ 'send-reset-link': needing });
      const jobs = createJobRunner({ runJob, onStuck, awaitPart: awaitParts([part], log) });
      const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN);
      await jest.advanceTimersByTimeAsync(60 * MINUTE);
      await ran;
      expect([runs, part.asked]).toEqual([2, 201]);
      expect(onStuck).not.toHaveBeenCalled();
    });

    it('asks after longer pauses when it says that it is back and is not', async () => {
      const part = outage(0);
      let runs = 0;
      const failing = async () => {
        runs += 1;
        throw away;
      };
      const runJob = runBy({ 'send-reset-link': failing });
      const jobs = createJobRunner({ runJob, onStuck: jest.fn(), awaitPart: awaitParts([part], log) });
      const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN).catch((error: Error) => error.message);
      await jest.advanceTimersByTimeAsync(10 * MINUTE);
      expect(runs).toBeLessThan(50);
      const aborted = jobs.abort(1000);
      jobs.release();
      await aborted;
      expect(await ran).toBe('The worker is stopping');
    });

    it('fails in the end when it always says that it is back and is not', async () => {
      const runJob = runBy({ 'send-reset-link': () => Promise.reject(away) });
      const jobs = createJobRunner({ runJob, onStuck: jest.fn(), awaitPart: awaitParts([outage(0)], log) });
      const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN).catch((error: Error) => error.message);
      await jest.advanceTimersByTimeAsync(20 * MINUTE);
      expect(await Promise.race([ran, Promise.resolve('still waits')])).toBe('away');
    });

    it('gives the job back when the worker stops while it asks for the part', async () => {
      const answer = gate();
      const check = async () => {
        await answer.opened;
        throw new Error('still away');
      };
      const part = { name: 'storage', isCauseOf: () => true, check };
      const runJob = runBy({ 'send-reset-link': () => Promise.reject(away) });
      const jobs = createJobRunner({ runJob, onStuck: jest.fn(), awaitPart: awaitParts([part], log) });
      const ran = jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN).catch((error: Error) => error.message);
      await jest.advanceTimersByTimeAsync(5_000);
      const aborted = jobs.abort(1000);
      answer.open();
      await aborted;
      jobs.release();
      expect(await ran).toBe('The worker is stopping');
    });

    it('tells once that a part is away, and once that nobody waits for it any more', async () => {
      const part = outage(3);
      const told: unknown[] = [];
      const awaitPart = awaitParts([part], log, (name, isAway) => void told.push([name, isAway]));
      const needing = async () => {
        if (part.asked <= 3) throw away;
      };
      const jobs = createJobRunner({
        runJob: runBy({ 'send-reset-link': needing }),
        onStuck: jest.fn(),
        awaitPart,
      });
      const ran = [1, 2].map((number) => jobs.run('send-reset-link', { email: `${number}@b.co` }, TAKEN));
      await jest.advanceTimersByTimeAsync(1);
      expect(told).toEqual([['storage', true]]);
      await jest.advanceTimersByTimeAsync(10 * MINUTE);
      await Promise.all(ran);
      expect(told).toEqual([
        ['storage', true],
        ['storage', false],
      ]);
    });

    it('fails for any other reason at once', async () => {
      const failing = async () => {
        throw new Error('broken');
      };
      const runJob = runBy({ 'send-reset-link': failing });
      const jobs = createJobRunner({ runJob, onStuck: jest.fn(), awaitPart: awaitParts([outage(0)], log) });
      await expect(jobs.run('send-reset-link', { email: 'a@b.co' }, TAKEN)).rejects.toThrow('broken');
    });
  });

  it('holds the failure of an aborted job back until the job was given back', async () => {
    const failing = async (_payload: unknown, { signal }: { signal: AbortSignal }) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      throw new Error('cut short');
    };
    const jobs = createJobRunner({ runJob: runBy({ 'finish-run': failing }), onStuck: jest.fn() });
    const order: string[] = [];
    const ran = jobs.run('finish-run', { runId: 'r1' }, TAKEN).catch(() => order.push('failed'));
    await jobs.abort(1000);
    order.push('given back');
    jobs.release();
    await ran;
    expect(order).toEqual(['given back', 'failed']);
  });
});
