import { createHash } from 'node:crypto';
import type { Run } from '../run.ts';

/**
 * What was found when a page was asked for again, before it would be captured. ASKED: it is not known to be unchanged. SHADOW:
 * it is proven, and captured all the same, as the suite's proofs are not trusted yet. SAMPLE: the same, to see whether they still
 * can be. USED: the proof stands for the screenshot. DROPPED: it did, until a sample of the run contradicted the proofs.
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

/** How the suite's proofs came out since they are counted. */
export type ProofRecord = {
  /** Finished runs with proofs since the last one with a wrong proof. */
  runs: number;
  /** Of those runs: all screenshots, those that were proven, and those that contradicted their proof. */
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

/** After so many runs without a wrong proof, proofs are used. */
export const RUNS_IN_SHADOW = 10;

/** One of so many proven pages is captured all the same. */
const SAMPLE = 20;

export type Mode = 'shadow' | 'used';

/** What the proofs of a run are good for. Null: it has none. */
export function chooseMode(
  { runType, config, rendersAll }: Pick<Run, 'runType' | 'config' | 'rendersAll'>,
  record: ProofRecord,
): Mode | null {
  if (runType === 'MANUAL' || config.reuseUnchanged === 'off' || rendersAll) return null;
  const isTrusted = record.runs >= RUNS_IN_SHADOW || (config.reuseUnchanged === 'on' && record.wrong === 0);
  return isTrusted ? 'used' : 'shadow';
}

/**
 * Whether nothing is to be concluded from what the site serves, either: the run has no proofs, or one of the suite was wrong
 * lately. Proofs that nobody has tried yet are good enough: a wrong one of the site makes drift count as a change, no more.
 */
export function isDoubted(run: Pick<Run, 'runType' | 'config' | 'rendersAll'>, record: ProofRecord): boolean {
  const mode = chooseMode(run, record);
  return mode === null || (mode === 'shadow' && record.wrong > 0);
}

/** The record with the proofs of one more run. One that is wrong begins it anew. */
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

/** Whether a page is in the sample of a run, which is another one in each run of the suite. */
export function isSampled({ number }: Pick<Run, 'number'>, path: string): boolean {
  return createHash('sha256').update(`${number} ${path}`).digest().readUInt32BE(0) % SAMPLE === 0;
}
