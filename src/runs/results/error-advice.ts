import type { EndReason } from '../end-reason.ts';

/** What can be done about a failure. `setting`: the one that helps; null if none does. */
export type Advice = { setting: string | null; advice: string };

const FILE = '.github/pixelgate.yml';
const ACCESS = 'siteAccess';

const SLOW = 'If the page is only slow, raise the page timeout.';
const WALL = 'Set what passes the login or the wall on the page “Access to the site”.';
const GONE = 'If the page is gone for good, untrack it. In a preview, check that the page was deployed.';
const OVERLOADED = 'The site failed. If it does so only under load, lower the capture concurrency.';
const BUSY = 'The site limits how often it is asked: lower the capture concurrency.';
const BLOCKED = 'Remove the host from the blocked hosts.';
const PRIVATE = 'Private addresses are captured only if the operator allows them.';
const HEAVY = 'The page is too heavy for the browser. Capture the viewport only, or fewer pages at a time.';
const WORKER = 'The log of the service says why. Repeat the page; if it fails again, tell the operator.';
const UNREACHED = 'Check the address of the site, and that it can be reached from where Pixelgate runs.';

/** By the messages that people read. The first match counts. */
const BY_ERROR: readonly (readonly [sentence: RegExp, setting: string | null, advice: string])[] = [
  [/login failed|asks for a password| is behind |\/access\b/i, ACCESS, WALL],
  [/returned 40[137]\b/, ACCESS, WALL],
  [/returned 4(?:04|10)\b/, null, GONE],
  [/returned 429\b/, 'config.screenshotConcurrency', BUSY],
  [/returned 5\d\d\b/, 'config.screenshotConcurrency', OVERLOADED],
  [/is not allowed/, 'ALLOW_PRIVATE_TARGETS', PRIVATE],
  [/did not respond/, 'config.crawlOptions.timeout', SLOW],
  [/that the suite blocks/, 'config.blockHosts', BLOCKED],
  [/crashed/, 'config.fullPage', HEAVY],
  [/worker failed/, null, WORKER],
  [/\(ERR_|resolved|refused|reset|reached|timed out/, 'baseUrl', UNREACHED],
];

/** Null: nothing is known about it. */
export function adviseOnError(error: string): Advice | null {
  const found = BY_ERROR.find(([sentence]) => sentence.test(error));
  return found === undefined ? null : { setting: found[1], advice: found[2] };
}

const BY_REASON: Partial<Record<EndReason, Advice>> = {
  suite_inactive: { setting: 'isActive', advice: 'Activate the suite.' },
  preview_timeout: {
    setting: 'config.preview',
    advice:
      'Say which deployment is the preview. If there is none, upload a build. The operator sets how long to wait.',
  },
  preview_ambiguous: { setting: 'config.preview', advice: 'Say which of the deployments is the preview.' },
  preview_unusable: { setting: ACCESS, advice: WALL },
  preview_failed: { setting: null, advice: 'Mend the deployment at its host, and deploy again.' },
  preview_skipped: { setting: null, advice: 'The host skipped the deployment. Deploy again to have a run.' },
  config_file: { setting: FILE, advice: 'Mend the file in the pull request.' },
  no_tracked_pages: { setting: 'config.autoTrack', advice: 'Track pages, or let crawls track what they find.' },
  draft_ignored: { setting: `${FILE}: ignoreDrafts`, advice: 'Mark the pull request as ready for review.' },
  paths_unchanged: { setting: `${FILE}: paths`, advice: 'Name the paths whose changes matter.' },
};

/** Null: nothing can be done, or the run was ended on purpose. */
export function adviseOnEnd(reason: EndReason | undefined): Advice | null {
  return reason === undefined ? null : (BY_REASON[reason] ?? null);
}
