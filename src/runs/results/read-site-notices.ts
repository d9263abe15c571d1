import type { Context } from '../../context.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { countWarnedPages } from './site-notice-store.ts';

/** What a setting of the suite would add to its screenshots, according to its newest run. Null: nothing. */
export type CaptureNotices = {
  /** Pages that change after the limit, and the `settle.timeout` that would be enough, ms. */
  late: { pages: number; timeout: number } | null;
  /** Pages whose service worker is blocked. */
  workers: { pages: number } | null;
};

/** The warnings of the newest run of the suite's own site, unless the settings have been changed accordingly. */
export async function readCaptureNotices(
  { db }: Pick<Context, 'db'>,
  suite: Pick<SuiteFor, 'id' | 'config'>,
): Promise<CaptureNotices> {
  const counts = await countWarnedPages(db, suite.id);
  const { settle, serviceWorkers } = suite.config;
  const late = counts.get('late_timer');
  const workers = counts.get('service_worker_blocked');
  const timeout = late?.timeout ?? null;
  return {
    late: late === undefined || timeout === null || timeout <= settle.timeout ? null : { pages: late.pages, timeout },
    workers: workers === undefined || serviceWorkers === 'allow' ? null : { pages: workers.pages },
  };
}
