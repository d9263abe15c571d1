import { expect, it } from '@jest/globals';
import { CaptureError } from '../../../src/capture/browser/browser.ts';
import { describeNavigationFailure, describeNoAnswer, describeStatus } from '../../../src/capture/describe-failure.ts';
import { causeOfError } from '../../../src/runs/page-jobs/cause-of-error.ts';

const URL = 'https://site.example/page';
const failed = (code: string) => describeNavigationFailure(`page.goto: net::ERR_${code} at ${URL}`, URL);

it.each([
  [describeStatus(404), 'status'],
  [describeStatus(503), 'status'],
  ['The page did not respond within 30 seconds', 'timeout'],
  ['The page could not be captured within 2 minutes', 'timeout'],
  [failed('CONNECTION_TIMED_OUT'), 'timeout'],
  [failed('NAME_NOT_RESOLVED'), 'network'],
  [failed('SOMETHING_NEW'), 'network'],
  ...[593, 594, 595, 599].map((status) => [describeNoAnswer(status, URL), 'network'] as const),
  ['The browser crashed twice while capturing this page', 'crash'],
  ['The page keeps opening dialogs', 'other'],
] as const)('%s: %s', (message, cause) => {
  expect(causeOfError(new CaptureError(message))).toBe(cause);
});

it('a wall is the cause of whatever it answers', () => {
  expect(causeOfError(new CaptureError(describeStatus(401), { wall: 'login' }))).toBe('wall');
});
