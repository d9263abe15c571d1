import type { Capture } from '../../capture/browser/browser.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { imageName } from '../../storage/object-name.ts';
import { appendLogs } from '../log/log-store.ts';
import { countSameScreenshots } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { claimLoginWarning } from '../run-store.ts';
import type { Run } from '../run.ts';

/** With fewer, the site may just have two addresses for its login page. */
const OTHER_PAGES = 2;

/** Warns once in the run's log if several pages show exactly the same screen and it asks for a password. */
export async function warnOfLogin(
  ctx: Pick<Context, 'db'>,
  run: Run,
  result: PageResult,
  { landing, sha256 }: Capture,
): Promise<void> {
  if (landing?.asksForPassword !== true) return;
  const others = await countSameScreenshots(ctx.db, result, imageName(run.testSuiteId, sha256));
  if (others < OTHER_PAGES) return;
  const message =
    'Several pages show the same screen, which asks for a password. They may have been replaced by a login page. Set a form login or a storage state in “Access to the site”';
  await inTransaction(ctx.db, async (trx) => {
    if (await claimLoginWarning(trx, run.id)) await appendLogs(trx, run.id, [{ type: 'WARNING', message }]);
  });
}
