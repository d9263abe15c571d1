import { expect, it } from '@jest/globals';
import { CHANGES, testChanges } from './is-found.ts';
import { SEEDED_CHANGES } from './seeded-changes.ts';

it('is one of 45', () => {
  expect(SEEDED_CHANGES).toHaveLength(45);
  expect(new Set(SEEDED_CHANGES.map(({ name }) => name)).size).toBe(45);
});

testChanges(CHANGES.sampled);
