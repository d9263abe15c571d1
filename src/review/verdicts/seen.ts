import { personName } from '../../auth/user.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { findContraryVerdicts } from './verdict-store.ts';
import { type Decision } from './verdict.ts';

/**
 * The number of the last verdict that a person knew when they decided. Undefined: the decision applies whatever
 * happened since.
 */
export type Seen = number | undefined;

/** Maximum number of verdicts in a response. */
const TOLD = 20;

const WORDS: Record<Decision, string> = {
  approve: 'approved',
  request_changes: 'requested changes',
  undo: 'undid an approval',
};

/**
 * No reviewer overrules another one without knowing (docs/rules.md, The gate): a decision counts only while nobody else
 * has decided otherwise about one of its results, or about the run, since the state that it was made on. The same
 * decision again is no conflict.
 * @throws AppError conflict `decided_meanwhile`, with the verdicts and the number of the last one.
 */
export async function assertNotOverruling(
  trx: Db,
  run: { id: string; verdictNumber: number },
  about: { seen: Seen; viewerId: string; decision: Decision; resultIds: string[]; settings?: boolean },
): Promise<void> {
  const { seen } = about;
  if (seen === undefined || seen >= run.verdictNumber) return;
  const verdicts = await findContraryVerdicts(trx, run.id, { settings: false, ...about, seen, limit: TOLD });
  const [last] = verdicts;
  if (last === undefined) return;
  const message = `${personName(last.author)} ${WORDS[last.decision]} in the meantime`;
  throw new AppError('conflict', message, {
    code: 'decided_meanwhile',
    verdictNumber: run.verdictNumber,
    verdicts: verdicts.map((verdict) => ({ ...verdict, createdAt: verdict.createdAt.toISOString() })),
  });
}
