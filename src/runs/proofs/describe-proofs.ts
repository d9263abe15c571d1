import type { Context } from '../../context.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { findRecord } from './proof-store.ts';
import { chooseMode, RUNS_IN_SHADOW, type ProofRecord } from './proof.ts';

/** The state of a suite's proofs, in sentences for its page. Null if there is nothing to report. */
export async function describeProofs({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<string | null> {
  return describeRecord(await findRecord(db, suite.id), suite);
}

export function describeRecord(record: ProofRecord, { config }: Pick<SuiteFor, 'config'>): string | null {
  const mode = chooseMode({ runType: 'BRANCH', config, rendersAll: false }, record);
  if (mode === null || record.proven === 0) return null;
  const { proven, screenshots, wrong, runs } = record;
  const all = `${formatNumber(proven)} of ${formatCount(screenshots, 'screenshot')} of previews`;
  if (mode === 'used')
    return `${all} could be proven unchanged, ${formatNumber(wrong)} wrongly. Proven pages pass without a screenshot.`;
  const left = RUNS_IN_SHADOW - runs;
  const then = `Proofs are used after ${formatNumber(left)} more ${left === 1 ? 'run' : 'runs'} without a wrong one.`;
  return `${all} would have been proven unchanged, ${formatNumber(wrong)} wrongly. ${then}`;
}
