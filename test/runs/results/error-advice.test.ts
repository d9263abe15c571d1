import { expect, it } from '@jest/globals';
import { FAILURE_CODES } from '../../../src/net/failure-code.ts';
import { adviseOnEnd, adviseOnError } from '../../../src/runs/results/error-advice.ts';
import { SUITE_CONFIG } from '../../../src/suites/config/suite-config.ts';

it('names settings that a suite has', () => {
  const known = SUITE_CONFIG.settings('config', null).map(({ path }) => path);
  const advice = [...FAILURE_CODES.map(adviseOnError), adviseOnEnd('preview_timeout'), adviseOnEnd('no_tracked_pages')];
  const named = advice.flatMap((each) => each?.setting ?? []).filter((setting) => setting.startsWith('config.'));
  expect(named.length).toBeGreaterThan(4);
  for (const setting of named) expect(known.some((path) => path.startsWith(setting))).toBe(true);
});

it('has none where nothing is known, or nothing is wrong', () => {
  expect([adviseOnError(null), adviseOnError('other'), adviseOnEnd('superseded'), adviseOnEnd(undefined)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
