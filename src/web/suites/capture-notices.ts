import type { Context } from '../../context.ts';
import { readCaptureNotices } from '../../runs/results/read-capture-notices.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatSeconds } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';

/** What the screenshots of a suite leave out, and the settings that would include it. */
export async function captureNotices(ctx: Context, suite: SuiteFor) {
  const { late, workers } = await readCaptureNotices(ctx, suite);
  return {
    settings: listPermissions(suite.access).edit ? `/suites/${suite.id}/settings#capture` : null,
    late:
      late === null
        ? null
        : { ...late, isOne: late.pages === 1, limit: formatSeconds(suite.config.settle.timeout / 1000) },
    workers: workers === null ? null : { ...workers, isOne: workers.pages === 1 },
  };
}
