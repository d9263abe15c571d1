import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { group, list, part, setting } from '../../../src/suites/config/config-field.ts';
import { choice, decimal, line, wholeNumber, type Kind } from '../../../src/suites/config/config-kind.ts';

const words = { section: 'capture', label: 'Label', help: 'Help.' } as const;

type Clock = { mode: 'fixed' | 'running'; at: string } | null;

/** A kind that a table may define itself. */
const clock: Kind<Clock> = {
  value: z.strictObject({ mode: z.enum(['fixed', 'running']), at: z.string() }).nullable(),
  input: z.strictObject({ mode: z.enum(['fixed', 'running']), at: z.string() }).nullable(),
  complete: (set) => set,
  control: { kind: 'editor', editor: 'viewports' },
  bounds: '',
  show: (value) => value?.at ?? 'none',
};

const window = group(
  {
    name: part(line('a-z', 8, 'small letters'), 'Name'),
    scale: setting(decimal([0.5, 4]), { ...words, default: 1 }),
  },
  false,
);

const table = group({
  limit: setting(wholeNumber([1, 2000], 'pages'), { ...words, default: 100 }),
  scheme: setting(
    choice([
      ['light', 'Light'],
      ['dark', 'Dark'],
    ]),
    { ...words, default: 'light' },
  ),
  clock: setting(clock, { ...words, default: null }),
  settle: group({
    quiet: setting(wholeNumber([0, 10_000], 'ms'), { ...words, default: 1000 }),
    timeout: setting(wholeNumber([0, 30_000], 'ms'), { ...words, default: 5000 }),
  }),
  windows: setting(
    list(window, { range: [1, 2], noun: 'window', key: 'name', show: ({ name }) => name, editor: 'viewports' }),
    { ...words, default: [{ name: 'wide', scale: 1 }] },
  ),
});

const DEFAULTS = {
  limit: 100,
  scheme: 'light',
  clock: null,
  settle: { quiet: 1000, timeout: 5000 },
  windows: [{ name: 'wide', scale: 1 }],
};

const refused = (set: unknown) => table.schema.safeParse(set).error?.issues.map(({ path }) => path.join('.'));

describe('a table of fields', () => {
  it('takes any part of itself, and null for a default', () => {
    expect(refused({})).toBeUndefined();
    expect(refused({ limit: null, settle: null, windows: null, clock: null })).toBeUndefined();
    expect(refused({ settle: { quiet: 5 }, windows: [{ name: 'a' }] })).toBeUndefined();
  });

  it('refuses what is out of bounds, or unknown, at its path', () => {
    expect(refused({ limit: 0, settle: { quiet: 10_001 } })).toEqual(['limit', 'settle.quiet']);
    expect(refused({ windows: [{ scale: 1 }, { name: 'a', scale: 5 }] })).toEqual([
      'windows.0.name',
      'windows.1.scale',
    ]);
    expect(refused({ windows: [] })).toEqual(['windows']);
    expect(refused({ windows: [{ name: 'a' }, { name: 'a', scale: 2 }] })).toEqual(['windows']);
    expect(refused({ settle: { slow: 1 } })).toEqual(['settle']);
  });

  it('completes what was set with the defaults, inside groups and lists too', () => {
    expect(table.complete({})).toEqual(DEFAULTS);
    expect(table.complete({ settle: { quiet: 5 }, windows: [{ name: 'a' }], limit: null })).toEqual({
      ...DEFAULTS,
      settle: { quiet: 5, timeout: 5000 },
      windows: [{ name: 'a', scale: 1 }],
    });
  });

  it('merges an update field by field', () => {
    const stored = { limit: 7, settle: { quiet: 5, timeout: 6 } };
    expect(table.merge(stored, { settle: { quiet: null } })).toEqual({ limit: 7, settle: { quiet: null, timeout: 6 } });
    expect(table.merge(stored, { limit: undefined, settle: null })).toEqual({ limit: 7, settle: null });
  });

  it('does not keep what equals its default', () => {
    const set = { limit: 100, settle: { quiet: 5, timeout: 5000 }, windows: [{ scale: 1, name: 'wide' }] };
    expect(table.withoutDefaults(set)).toEqual({
      limit: null,
      scheme: null,
      clock: null,
      settle: { quiet: 5, timeout: null },
      windows: null,
    });
  });

  it('lists its settings with paths, words and values, and collects a value by the same paths', () => {
    const settings = table.settings('config', table.complete({}));
    expect(settings.map(({ path, description, value }) => [path, description, value])).toEqual([
      ['config.limit', 'Help. 1 to 2,000 pages. Default: 100.', 100],
      ['config.scheme', 'Help. Default: Light.', 'light'],
      ['config.clock', 'Help. Default: none.', null],
      ['config.settle.quiet', 'Help. 0 to 10,000 ms. Default: 1,000.', 1000],
      ['config.settle.timeout', 'Help. 0 to 30,000 ms. Default: 5,000.', 5000],
      ['config.windows', 'Help. 1 to 2 windows with unique names. Default: wide.', DEFAULTS.windows],
    ]);
    const values = new Map(settings.map(({ path, value }) => [path, value]));
    expect(table.collect('config', ({ path }) => values.get(path))).toEqual(DEFAULTS);
  });
});
