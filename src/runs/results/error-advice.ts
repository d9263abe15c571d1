import type { Context } from '../../context.ts';
import type { FailureCode } from '../../net/failure-code.ts';
import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import type { EndReason } from '../run.ts';
import { findErrors, type ErrorGroup } from './result-list-store.ts';

/** What can be done about a failure. `setting`: the one that helps; null if none does. */
export type Advice = { setting: string | null; advice: string };

const ACCESS = 'siteAccess';

const SLOW = 'If the page is only slow, raise the page timeout.';
const WALL = 'Set what passes the login or the wall on the page “Access to the site”.';
const GONE = 'If the page is gone for good, untrack it. In a preview, check that the page was deployed.';
const OVERLOADED = 'The site failed. If it does so only under load, lower the capture concurrency.';
const LIMITED = 'The site limits its request rate. Lower the capture concurrency.';
const BLOCKED = 'Remove the host from the blocked hosts.';
const PRIVATE = 'Private addresses are captured only if the operator allows them.';
const HEAVY = 'The page is too heavy for the browser. Capture the viewport only, or fewer pages at a time.';
const WORKER = 'The log of the service says why. Repeat the page; if it fails again, tell the operator.';
const UNREACHED = 'Check the address of the site, and that it can be reached from where Pixelgate runs.';

const BY_CODE: Record<FailureCode, Advice | null> = {
  wall: { setting: ACCESS, advice: WALL },
  gone: { setting: null, advice: GONE },
  limited: { setting: 'config.screenshotConcurrency', advice: LIMITED },
  broken: { setting: 'config.screenshotConcurrency', advice: OVERLOADED },
  private: { setting: 'ALLOW_PRIVATE_TARGETS', advice: PRIVATE },
  timeout: { setting: 'config.crawlOptions.timeout', advice: SLOW },
  blocked: { setting: 'config.blockHosts', advice: BLOCKED },
  crash: { setting: 'config.fullPage', advice: HEAVY },
  worker: { setting: null, advice: WORKER },
  network: { setting: 'baseUrl', advice: UNREACHED },
  status: null,
  other: null,
};

/** Null: nothing is known about it. */
export const adviseOnError = (code: FailureCode | null): Advice | null => (code === null ? null : BY_CODE[code]);

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
  config_file: { setting: CONFIG_FILE, advice: 'Mend the file in the pull request.' },
  no_tracked_pages: { setting: 'config.autoTrack', advice: 'Track pages, or let crawls track what they find.' },
  tracked_pages_removed: {
    setting: null,
    advice: 'Crawl again if the site has these pages. Otherwise track the pages that took their place.',
  },
  draft_ignored: { setting: `${CONFIG_FILE}: ignoreDrafts`, advice: 'Mark the pull request as ready for review.' },
  paths_unchanged: { setting: `${CONFIG_FILE}: paths`, advice: 'Name the paths whose changes matter.' },
};

/** Null: nothing can be done, or the run was ended on purpose. */
export function adviseOnEnd(reason: EndReason | undefined): Advice | null {
  return reason === undefined ? null : (BY_REASON[reason] ?? null);
}

/** How many different errors are listed. */
const MOST = 10;

export type RunErrors = { total: number; groups: (ErrorGroup & { advice: Advice | null })[] };

/** Why results of a run are errors, the most frequent reasons first, and what can be done about each. */
export async function readErrors({ db }: Pick<Context, 'db'>, run: { id: string }): Promise<RunErrors> {
  const groups = await findErrors(db, run.id, MOST);
  return {
    total: groups[0]?.total ?? 0,
    groups: groups.map((group) => ({ ...group, advice: adviseOnError(group.code) })),
  };
}
