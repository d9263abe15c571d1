import { createHash } from 'node:crypto';
import { formatCount, formatNumber } from '../../text/format.ts';
import type { Run } from '../run.ts';

/**
 * The outcome of checking a page before its capture. ASKED: it is not proven unchanged. SHADOW: it is proven, but
 * captured anyway, because the suite's proofs are not trusted yet. SAMPLE: it is proven, but captured anyway, to verify
 * that proofs can still be trusted. USED: the proof replaces the screenshot. DROPPED: it did, until a sample of the run
 * contradicted the proofs.
 */
export type Proof = {
  state: 'ASKED' | 'SHADOW' | 'SAMPLE' | 'USED' | 'DROPPED';
  /** ISO 8601. */
  at: string;
  /** Requests that were compared. */
  requests: number;
  /** The baseline version that it is about. */
  version: string | null;
};

/** The suite's record of correct and wrong proofs. */
export type ProofRecord = {
  /** Finished runs with proofs since the last one with a wrong proof. */
  runs: number;
  /** In those runs: all screenshots, proven ones, and those that contradicted their proof. */
  screenshots: number;
  proven: number;
  wrong: number;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_suites.proof_record': ProofRecord;
  }
}

export const NO_RECORD: ProofRecord = { runs: 0, screenshots: 0, proven: 0, wrong: 0 };

/** After this many runs without a wrong proof, proofs are used. */
const RUNS_IN_SHADOW = 10;

/** One in this many proven pages is captured anyway. */
const SAMPLE = 20;

export type Mode = 'shadow' | 'used';

/** How the proofs of a run are used. Null: it has none. */
export function chooseMode(
  { runType, config, rendersAll }: Pick<Run, 'runType' | 'config' | 'rendersAll'>,
  record: ProofRecord,
): Mode | null {
  if (runType === 'MANUAL' || config.reuseUnchanged === 'off' || rendersAll) return null;
  const isTrusted = record.runs >= RUNS_IN_SHADOW || (config.reuseUnchanged === 'on' && record.wrong === 0);
  return isTrusted ? 'used' : 'shadow';
}

/** The state of a suite's proofs, in sentences. Null if there is nothing to report. */
export function describeRecord(record: ProofRecord, { config }: Pick<Run, 'config'>): string | null {
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

/**
 * Whether the responses of the site prove nothing either, because the run has no proofs, or one of the suite was wrong
 * recently. Untested proofs are good enough here: a wrong proof of the site only makes drift count as a change.
 */
export function isDoubted(run: Pick<Run, 'runType' | 'config' | 'rendersAll'>, record: ProofRecord): boolean {
  const mode = chooseMode(run, record);
  return mode === null || (mode === 'shadow' && record.wrong > 0);
}

/** The record with the proofs of one more run. A wrong proof starts it again. */
export function addToRecord(
  record: ProofRecord,
  found: Pick<ProofRecord, 'screenshots' | 'proven' | 'wrong'>,
): ProofRecord {
  if (found.proven === 0) return record;
  if (found.wrong > 0) return { runs: 0, ...found };
  return {
    runs: record.runs + 1,
    screenshots: record.screenshots + found.screenshots,
    proven: record.proven + found.proven,
    wrong: record.wrong,
  };
}

/** Whether a page is in the sample of a run, which differs in each run of the suite. */
export function isSampled({ number }: Pick<Run, 'number'>, path: string): boolean {
  return createHash('sha256').update(`${number} ${path}`).digest().readUInt32BE(0) % SAMPLE === 0;
}
