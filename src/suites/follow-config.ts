import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { completeMatcher } from './config/preview-matcher.ts';
import type { SuiteConfigInput } from './config/suite-config.ts';
import { toRepositoryKey, type Suite } from './suite.ts';

const namesAnother = (stored: SuiteConfigInput, { preview }: SuiteConfigInput): boolean =>
  !isDeepStrictEqual(completeMatcher(preview ?? null), completeMatcher(stored.preview ?? null));

/** What decides which pull requests are gated, and what they show. */
const TOLD_BY = ['baseBranches', 'pullRequestComment', 'summaryCheck'] as const;

/** Queues the jobs that a change of a suite's configuration needs, in the transaction that stores it. */
export async function followConfig(
  trx: Db,
  { id, codehost }: Suite,
  stored: SuiteConfigInput,
  config: SuiteConfigInput,
): Promise<void> {
  if (!isDeepStrictEqual(config.rules, stored.rules)) await enqueue(trx, 'judge-suite', { suiteId: id });
  const tells = TOLD_BY.some((name) => !isDeepStrictEqual(config[name], stored[name]));
  if (codehost !== null && tells) {
    await enqueue(trx, 'gate-pull-requests', toRepositoryKey(codehost));
  }
  if (codehost !== null && !isDeepStrictEqual(config, stored)) await enqueue(trx, 'follow-settings', { suiteId: id });
  if (namesAnother(stored, config)) await enqueue(trx, 'search-previews-again', { suiteId: id });
}
