import { expect, it } from '@jest/globals';
import { describeNavigationFailure, describeNoAnswer, describeStatus } from '../../src/capture/describe-failure.ts';
import { adviseOnEnd, adviseOnError } from '../../src/runs/results/error-advice.ts';
import { SUITE_CONFIG } from '../../src/suites/config/suite-config.ts';

const URL = 'https://docs.example.com/a';

it.each([
  [describeStatus(401), 'siteAccess'],
  [describeStatus(404), null],
  [describeStatus(429), 'config.screenshotConcurrency'],
  [describeStatus(502), 'config.screenshotConcurrency'],
  ['The page did not respond within 30 seconds', 'config.crawlOptions.timeout'],
  [describeNavigationFailure('net::ERR_NAME_NOT_RESOLVED', URL), 'baseUrl'],
  [describeNavigationFailure('net::ERR_BLOCKED_BY_CLIENT', URL), 'config.blockHosts'],
  [describeNavigationFailure('net::ERR_TUNNEL_CONNECTION_FAILED', URL), 'ALLOW_PRIVATE_TARGETS'],
  [describeNoAnswer(594, URL), 'baseUrl'],
  [
    'docs.example.com is behind a login. To pass it, set “Form login” in Access to the site: https://x/access',
    'siteAccess',
  ],
])('%j is mended by %s', (error, setting) => {
  expect(adviseOnError(error)?.setting).toBe(setting);
});

it('names settings that a suite has', () => {
  const known = SUITE_CONFIG.settings('config', null).map(({ path }) => path);
  const named = [
    adviseOnError('The page did not respond within 30 seconds'),
    adviseOnError(describeStatus(502)),
    adviseOnError('The page crashed'),
    adviseOnEnd('preview_timeout'),
    adviseOnEnd('no_tracked_pages'),
  ];
  for (const advice of named) expect(known.some((path) => path.startsWith(advice?.setting ?? '?'))).toBe(true);
  expect([adviseOnEnd('superseded'), adviseOnEnd(undefined), adviseOnError('Something else')]).toEqual([
    null,
    null,
    null,
  ]);
});
