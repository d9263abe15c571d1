import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../src/suites/merge-settings.ts';
import { mergeSettings, rebase, requireNoConflict } from '../../src/suites/merge-settings.ts';

const BASE: Settings = { name: 'Docs', baseUrl: 'http://a.test', description: null, config: { maxPages: 50 } };
const stored = (changed: Partial<Settings>): Settings => ({ ...BASE, ...changed });
const merge = (theirs: Partial<Settings>, mine: Partial<Settings>) =>
  mergeSettings(stored(theirs), BASE, { ...BASE, ...mine });

describe('settings that somebody else changed meanwhile', () => {
  it('stay where the form leaves them as they were', () => {
    const { change, kept, conflicts } = merge(
      { description: 'Theirs', config: { maxPages: 80, threshold: 0.2 } },
      { name: 'Mine', config: { maxPages: 50, waitTime: 9, threshold: null } },
    );
    expect(conflicts).toEqual([]);
    expect(kept).toEqual([
      { path: 'description', now: 'Theirs' },
      { path: 'config.maxPages', now: 80 },
    ]);
    expect(change).toMatchObject({ name: 'Mine', config: { waitTime: 9 } });
    expect(change).not.toHaveProperty('description');
    expect(change.config.maxPages).toBeUndefined();
  });

  it('are in conflict where both changed them to different values, and nowhere else', () => {
    const theirs = { name: 'Theirs', baseUrl: 'http://b.test', config: { maxPages: 80 } };
    const { conflicts } = merge(theirs, { name: 'Mine', baseUrl: 'http://b.test', config: { maxPages: 90 } });
    expect(conflicts).toEqual([
      { path: 'name', now: 'Theirs' },
      { path: 'config.maxPages', now: 80 },
    ]);
    expect(() => requireNoConflict(conflicts)).toThrow('2 settings you changed have also changed in the meantime');
    expect(() => requireNoConflict([])).not.toThrow();
  });

  it('are taken for a conflict by their values, whether these are stored or defaults', () => {
    const { conflicts, kept } = mergeSettings(
      stored({ config: { maxPages: 50, maxDepth: null } }),
      { ...BASE, config: { maxPages: 50, maxDepth: 5 } },
      { ...BASE, config: { maxPages: 50, maxDepth: 7 } },
    );
    expect({ conflicts, kept }).toEqual({ conflicts: [], kept: [] });
  });

  it('are not compared where the base does not mention them', () => {
    const theirs = stored({ name: 'Theirs', config: { maxPages: 80 } });
    expect(mergeSettings(theirs, {}, { name: 'Mine', config: { maxPages: 90 } })).toEqual({
      change: { name: 'Mine', config: { maxPages: 90 } },
      kept: [],
      conflicts: [],
    });
  });

  it('are overwritten by who saves again after having seen them, and the others still stay', () => {
    const theirs = stored({ name: 'Theirs', config: { maxPages: 80, waitTime: 7 } });
    const mine = { ...BASE, name: 'Mine', config: { maxPages: 90, waitTime: null } };
    const base = { ...BASE, config: { maxPages: 50, waitTime: null } };
    const first = mergeSettings(theirs, base, mine);
    const again = rebase(theirs, base, new Set(first.conflicts.map(({ path }) => path)));
    const { change, kept, conflicts } = mergeSettings(theirs, again, mine);
    expect(conflicts).toEqual([]);
    expect(change).toMatchObject({ name: 'Mine', config: { maxPages: 90 } });
    expect(kept).toEqual([{ path: 'config.waitTime', now: 7 }]);
  });
});
