import { describe, expect, it } from '@jest/globals';
import { isWithinScopes, may, SUITE_ROLES, type Permission } from '../../src/access/role.ts';

/** Written by hand: V, R, E, A. */
const MATRIX: [Permission, boolean[]][] = [
  ['suite.read', [true, true, true, true]],
  ['suite.approve', [false, true, true, true]],
  ['suite.run', [false, false, true, true]],
  ['suite.edit', [false, false, true, true]],
  ['suite.share', [false, false, false, true]],
  ['suite.link', [false, false, false, true]],
  ['suite.access', [false, false, false, true]],
  ['suite.activate', [false, false, false, true]],
  ['suite.delete', [false, false, false, true]],
];

describe('a role', () => {
  it.each(MATRIX)('%s is allowed to VIEWER, REVIEWER, EDITOR, ADMIN: %j', (permission, allowed) => {
    expect(SUITE_ROLES.map((role) => may(role, permission))).toEqual(allowed);
  });
});

describe('the scopes of a token', () => {
  it.each(['upload', 'run', 'read'] as const)('%s permits what it says, and nothing else', (scope) => {
    const permitted = (['suite.upload', 'suite.run', 'suite.read', 'suite.approve', 'suite.edit'] as const).filter(
      (permission) => isWithinScopes([scope], permission),
    );
    expect(permitted).toEqual([`suite.${scope}`]);
  });

  it('add up, and none permits nothing', () => {
    expect(isWithinScopes(['upload', 'read'], 'suite.read')).toBe(true);
    expect(isWithinScopes([], 'suite.read')).toBe(false);
  });
});
