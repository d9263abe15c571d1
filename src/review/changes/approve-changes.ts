import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import type { Db } from '../../db/database.ts';
import { AppError, notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import { approveInTransaction, findChosenResults, lockReviewable, type Approved } from '../approval/approve-run.ts';
import { assertStored, type Looks } from '../approval/as-shown.ts';
import { recordApproval } from '../approval/review-gate.ts';
import { findHeldResults } from '../verdicts/change-request-store.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import { insertVerdict } from '../verdicts/verdict-store.ts';
import { countUndecided, findDecidedResultIds, markChangesApproved } from './change-group-store.ts';
import { findVariants, type VariantToApprove } from './variant-store.ts';

export type ApprovedChanges = Pick<Approved, 'approved' | 'appended' | 'version' | 'isFirst' | 'held'> & {
  /** How many changes of results were approved. `approved`: how many results, because it was their last change. */
  changes: number;
  /** On how many results these are. */
  shown: number;
  /** How many of the results without known changes. */
  alone: number;
  /** How many results with one of these changes still wait for another change. */
  waiting: number;
};

/**
 * A group, and the ids of its variants that the person was shown. Undefined is valid only for a group that looks the
 * same everywhere.
 */
export type ChangeToApprove = { key: string; variants: string[] | undefined };

/** What a person selected. `resultIds`: results without known changes, and `looks` how these looked. */
export type Selection = {
  changes: ChangeToApprove[];
  resultIds?: string[];
  looks?: Looks;
  note?: string | null | undefined;
  seen?: Seen;
};

const NOTHING = { approved: 0, appended: 0, version: null, isFirst: false };

/** More variants than this are not named in one answer. */
const NAMED = 20;

function refuse(key: string, variants: VariantToApprove[], code: string, message: string): AppError {
  const named = variants.slice(0, NAMED).map(({ variant: id, count, pages }) => ({ id, count, pages }));
  return new AppError('conflict', message, { code, changeId: key, variantCount: variants.length, variants: named });
}

/** Nobody approves what they were not shown. */
function chooseVariants({ key, variants: shown }: ChangeToApprove, ofGroup: VariantToApprove[]): VariantToApprove[] {
  if (ofGroup.length === 0) throw notFound('Change');
  if (shown === undefined) {
    if (ofGroup.length === 1) return ofGroup;
    const message = `The change comes in ${formatCount(ofGroup.length, 'variant')}. Look at them, and name those to approve`;
    throw refuse(key, ofGroup, 'several_variants', message);
  }
  const chosen = ofGroup.filter(({ variant }) => shown.includes(variant));
  if (chosen.length === new Set(shown).size) return chosen;
  throw refuse(key, ofGroup, 'not_as_shown', 'The change no longer looks as it was shown. Look at it again');
}

async function findChosen(trx: Db, runId: string, changes: ChangeToApprove[]): Promise<VariantToApprove[]> {
  const keys = changes.map(({ key }) => key);
  const variants = await findVariants(trx, runId, keys);
  const byKey = new Map(keys.map((key): [string, VariantToApprove[]] => [key, []]));
  for (const variant of variants) byKey.get(variant.key)?.push(variant);
  return changes.flatMap((change) => chooseVariants(change, byKey.get(change.key) ?? []));
}

/** Asks the storage before the transaction, which holds SQL only. */
async function assertChosenStored(
  ctx: MeasureContext,
  run: { id: string },
  { changes, resultIds = [] }: Selection,
): Promise<void> {
  const chosen = await findChosen(ctx.db, run.id, changes);
  const held = await findHeldResults(ctx.db, run.id);
  const ids = new Set([...chosen.flatMap((variant) => variant.resultIds), ...resultIds]);
  await assertStored(
    ctx,
    run,
    [...ids].filter((id) => !held.has(id)),
  );
}

/**
 * Approves groups of changes in a finished run, in the variants that were shown, and results without known changes. A
 * result is approved when all of its changes are. Results on which somebody requests changes are left out.
 * @throws AppError not_found when the run has no such change; conflict when it is in flight, cancelled or superseded,
 * `several_variants` when a group has several and none are named, `not_as_shown` when one that is named is no longer
 * there, `screenshot_lost` when one of the screenshots is.
 */
export async function approveChanges(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  selection: Selection,
): Promise<ApprovedChanges> {
  const { changes, resultIds = [], looks, note, seen } = selection;
  await assertChosenStored(ctx, run, selection);
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const locked = await lockReviewable(trx, run.id);
    const chosen = await findChosen(trx, run.id, changes);
    const { viewer } = run.suite;
    const asked = await findHeldResults(trx, run.id);
    const all = [...new Set(chosen.flatMap((variant) => variant.resultIds))];
    const having = all.filter((id) => !asked.has(id));
    const alone = resultIds.length === 0 ? [] : await findChosenResults(trx, locked, resultIds);
    const others = alone.map(({ id }) => id).filter((id) => !asked.has(id));
    const about = [...having, ...others];
    await assertNotOverruling(trx, locked, { seen, viewerId: viewer.id, decision: 'approve', resultIds: about });
    const changeIds = chosen.flatMap((variant) => variant.changeIds);
    const marked = await markChangesApproved(trx, changeIds, having, viewer.id);
    if (marked.length > 0) {
      const verdict = { decision: 'approve' as const, note, authorId: viewer.id, resultIds: having };
      await insertVerdict(trx, run.id, verdict);
    }
    const decided = await findDecidedResultIds(trx, having);
    const last = { resultIds: [...decided, ...others], looks, note, changes: marked.length };
    const isDecided = last.resultIds.length > 0;
    const done = isDecided ? await approveInTransaction(trx, run, last, measurements) : NOTHING;
    if (!isDecided) await recordApproval(trx, locked, viewer, last);
    const { approved, appended, version, isFirst } = done;
    const held = all.length - having.length + alone.length - others.length;
    return {
      changes: marked.length,
      shown: new Set(marked).size,
      alone: Math.max(0, approved - decided.length),
      waiting: await countUndecided(trx, having),
      held,
      approved,
      appended,
      version,
      isFirst,
    };
  });
}
