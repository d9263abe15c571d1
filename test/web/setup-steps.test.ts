import { describe, expect, it } from '@jest/globals';
import { buildSteps } from '../../src/web/setup/first-check.ts';

const stored = {
  kind: 'stored',
  name: 'App',
  htmlUrl: 'https://github.test/apps/app',
  installUrl: 'https://github.test/apps/app/installations/new',
} as const;
const statesOf = (...args: Parameters<typeof buildSteps>) => buildSteps(...args).map(({ state }) => state);

describe('the way to GitHub', () => {
  it('begins with an address that GitHub can reach', () => {
    expect(statesOf({ kind: 'none' }, 'http://localhost:3000', null)).toEqual(['now', 'later', 'later', 'later']);
    expect(statesOf({ kind: 'none' }, null, null)).toEqual(['done', 'now', 'later', 'later']);
    expect(statesOf({ kind: 'lost', name: 'App' }, null, null)).toEqual(['done', 'now', 'later', 'later']);
  });

  it('goes on to the installation once there is an App, then to the suites', () => {
    expect(statesOf(stored, null, 0)).toEqual(['done', 'done', 'now', 'later']);
    expect(statesOf(stored, null, 2)).toEqual(['done', 'done', 'done', 'now']);
    expect(statesOf({ kind: 'environment', appId: '1' }, null, 2)).toEqual(['done', 'done', 'done', 'now']);
    expect(buildSteps(stored, null, 0)[2]?.link?.href).toBe(stored.installUrl);
  });
});
