import { describe, expect, it } from '@jest/globals';
import { effectiveConfig } from '../../src/suites/config/suite-config.ts';
import { requireSeen, settingsVersion, type StoredSettings } from '../../src/suites/settings-version.ts';

const SEEN: StoredSettings = { name: 'Docs', baseUrl: 'http://a.test', description: null, config: { maxPages: 50 } };
const versionOf = (settings: StoredSettings) =>
  settingsVersion({ ...settings, config: effectiveConfig(settings.config) });
const save = (stored: StoredSettings, change: Partial<StoredSettings>) => () =>
  requireSeen(versionOf(SEEN), stored, change);

describe('the version of settings', () => {
  it.each<[string, Partial<StoredSettings>]>([
    ['name', { name: 'Other' }],
    ['base URL', { baseUrl: 'http://b.test' }],
    ['description', { description: '' }],
    ['config', { config: { maxPages: 50, maxDepth: 7 } }],
  ])('is another one with another %s', (_field, changed) => {
    expect(versionOf({ ...SEEN, ...changed })).not.toBe(versionOf(SEEN));
  });

  it('is the same whether a value is stored or a default', () => {
    expect(versionOf({ ...SEEN, config: { maxPages: 50, maxDepth: 5 } })).toBe(versionOf(SEEN));
  });
});

describe('saving settings that somebody else changed meanwhile', () => {
  const stored = { ...SEEN, name: 'Theirs', config: { maxPages: 80 } };

  it('is refused with both values of each setting that would be overwritten', () => {
    expect(save(stored, { name: 'Mine', description: null, config: { maxPages: 50, maxDepth: 7 } })).toThrow(
      expect.objectContaining({
        kind: 'conflict',
        details: expect.objectContaining({
          code: 'changed_meanwhile',
          settingsVersion: versionOf(stored),
          settings: [
            { path: 'name', now: 'Theirs', wanted: 'Mine' },
            { path: 'config.maxPages', now: 80, wanted: 50 },
            { path: 'config.maxDepth', now: 5, wanted: 7 },
          ],
        }),
      }),
    );
  });

  it('is no change where it saves what is stored', () => {
    expect(save(stored, { name: 'Theirs', config: { maxPages: 80 } })).not.toThrow();
  });

  it('goes by the version that was seen, or by none', () => {
    expect(() => requireSeen(versionOf(stored), stored, { name: 'Mine' })).not.toThrow();
    expect(() => requireSeen(undefined, stored, { name: 'Mine' })).not.toThrow();
  });
});
