import { describe, expect, it } from '@jest/globals';
import { createConnectionTurns } from '../../src/db/connection-turns.ts';

describe('turns for connections', () => {
  it('go to the oldest work, and among the statements of one work to the first', async () => {
    const turns = createConnectionTurns(1, 60_000);
    const had: string[] = [];
    const take = async (name: string, order: number) => {
      await turns.wait(order);
      had.push(name);
    };
    await take('first', 9);
    const waiting = [
      take('new', 8),
      take('old, first', 3),
      take('old, second', 3),
      take('newer', 7),
      take('oldest', 1),
    ];
    for (const _ of waiting) {
      turns.end();
      await new Promise(setImmediate);
    }
    expect(had).toEqual(['first', 'oldest', 'old, first', 'old, second', 'newer', 'new']);
    await Promise.all(waiting);
  });

  it('are as many at once as there are connections, and come back', async () => {
    const turns = createConnectionTurns(2, 60_000);
    await Promise.all([turns.wait(1), turns.wait(2)]);
    let isThird = false;
    const third = turns.wait(3).then(() => (isThird = true));
    await new Promise(setImmediate);
    expect(isThird).toBe(false);
    turns.end();
    await third;
    turns.end();
    turns.end();
    await Promise.all([turns.wait(4), turns.wait(5)]);
  });

  it('are given up when none comes in time, and the others keep theirs', async () => {
    const turns = createConnectionTurns(1, 20);
    await turns.wait(1);
    await expect(turns.wait(2)).rejects.toThrow('Unable to acquire a connection');
    const next = turns.wait(3);
    turns.end();
    await next;
  });
});
