import { describe, expect, it } from '@jest/globals';
import { ANY_JOB, userFlag } from '../../src/queue/enqueue.ts';
import { createPlaces, type Places } from '../../src/queue/places.ts';

/** Looks for a job of these users, of whom the first that may is taken. @returns who got a place; null: nobody. */
async function lookFor(places: Places, users: string[], jobId = String(Math.random())): Promise<string | null> {
  for (;;) {
    const flags = await places.look();
    const next = flags.includes(ANY_JOB) ? undefined : users.find((user) => !flags.includes(userFlag(user)));
    if (next !== undefined) {
      places.found(jobId, next);
      return next;
    }
    if (!places.foundNone()) return null;
  }
}

async function lookOften(places: Places, users: string[], times: number): Promise<string> {
  const taken: (string | null)[] = [];
  for (let time = 0; time < times; time += 1) taken.push(await lookFor(places, users));
  return taken.map((user) => user ?? '-').join('');
}

describe('the places of a lane', () => {
  it('are three quarters for one user, and the rest is for whoever has none', async () => {
    const places = createPlaces(8);
    expect(await lookOften(places, ['a'], 8)).toBe('aaaaaa--');
    expect(await lookOften(places, ['a', 'b', 'c'], 3)).toBe('bc-');
  });

  it('go to whoever has the fewest, however many jobs of others came before', async () => {
    const places = createPlaces(8);
    expect(await lookOften(places, ['a', 'b', 'c'], 8)).toBe('abcabc--');
  });

  it('count what a job takes beside its own place, which is given back once', async () => {
    let told = 0;
    const places = createPlaces(4, () => (told += 1));
    expect(await lookFor(places, ['a'])).toBe('a');
    const [one, two] = [places.take('a'), places.take('a')];
    expect(places.take('a')).toBeNull();
    expect(await lookOften(places, ['a', 'b', 'c'], 2)).toBe('b-');
    expect(places.take('c')).toBeNull();
    two?.();
    two?.();
    expect(told).toBe(1);
    expect(await lookOften(places, ['a', 'b', 'c'], 2)).toBe('c-');
    one?.();
  });

  it('hold back nobody whose job has no user', async () => {
    const places = createPlaces(2);
    const flags = await places.look();
    places.found('1', null);
    expect([flags, await places.look()]).toEqual([[], []]);
    places.found('2', null);
    expect(await places.look()).toEqual([ANY_JOB]);
  });

  it('are looked for by one at a time, and by nobody once they are closed', async () => {
    const places = createPlaces(4);
    const order: string[] = [];
    await places.look();
    const second = places.look().then((flags) => order.push(`second ${flags.join()}`));
    order.push('first');
    places.found('1', 'a');
    await second;
    expect(order).toEqual(['first', `second ${userFlag('a')}`]);
    places.close();
    places.foundNone();
    expect(await places.look()).toEqual([ANY_JOB]);
    expect([places.isOpen(), places.take('b')]).toEqual([false, null]);
  });
});
