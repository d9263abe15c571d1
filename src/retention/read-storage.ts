import { isAdministrator } from '../auth/manage-accounts.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { sumGoing } from './going-run-store.ts';
import { findFigures, findLargest, sumFigures, type LargestSuite } from './storage-figures-store.ts';
import { limitsOf, noAmounts, type Freed, type Limits, type StoredAmounts } from './stored.ts';

type ReadContext = Pick<Context, 'db' | 'clock' | 'config'>;

const LARGEST = 100;

/** What these limits would remove: from one suite, or from all that have no limits of their own. */
export async function previewSweep(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  suiteId: string | null,
  limits: Limits,
): Promise<Freed> {
  return sumGoing(db, { now: clock.now(), limits, isGiven: suiteId !== null }, suiteId);
}

/** What is stored, by kind, and what the limits would free. */
export type StorageReport = { countedAt: Date | null; kinds: StoredAmounts; limits: Limits; frees: Freed };

/** @param asked a suite's limits to try; null: those that hold */
export async function readSuiteStorage(
  ctx: ReadContext,
  suite: SuiteFor<'suite.read'>,
  asked: Limits | null,
): Promise<StorageReport> {
  const own = asked === null ? suite.config : { keepDays: asked.days, keepRuns: asked.runs };
  const limits = limitsOf(own, ctx.config.keepRuns);
  const [figures, frees] = await Promise.all([findFigures(ctx.db, suite.id), previewSweep(ctx, suite.id, limits)]);
  return { countedAt: figures?.countedAt ?? null, kinds: figures?.kinds ?? noAmounts(), limits, frees };
}

/**
 * The same of all suites, with the largest of them.
 * @throws AppError forbidden for anyone but administrators
 */
export async function readStorage(
  ctx: ReadContext,
  viewer: Viewer,
  asked: Limits | null,
): Promise<Omit<StorageReport, 'countedAt'> & { suites: LargestSuite[] }> {
  if (!(await isAdministrator(ctx, viewer)))
    throw forbidden('Only an administrator can see what is stored of all suites');
  const limits = asked ?? ctx.config.keepRuns;
  const [kinds, frees, suites] = await Promise.all([
    sumFigures(ctx.db),
    previewSweep(ctx, null, limits),
    findLargest(ctx.db, LARGEST),
  ]);
  return { kinds: { ...noAmounts(), ...kinds }, limits, frees, suites };
}
