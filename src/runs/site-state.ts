import type { Context } from '../context.ts';
import { assertNever } from '../errors.ts';
import { findSuite } from '../suites/suite-store.ts';
import { findNewestSiteRun } from './run-store.ts';
import type { Run } from './run.ts';

/** How a suite's own site is doing. */
export type SiteState = 'passing' | 'review required' | 'failing' | 'running' | 'unknown';

/** By the newest run of the site that was not cancelled. Null: there is none. Pure. */
export function decideSiteState(run: Pick<Run, 'status' | 'reviewState' | 'metadata'> | null): SiteState {
  if (run === null) return 'unknown';
  switch (run.status) {
    case 'PENDING':
    case 'RUNNING':
      return 'running';
    case 'FAILED':
      return 'failing';
    case 'CANCELLED':
      return 'unknown';
    case 'COMPLETED':
      if ((run.metadata?.errorTests ?? 0) > 0) return 'failing';
      return run.reviewState === 'PENDING' ? 'review required' : 'passing';
    default:
      return assertNever(run.status);
  }
}

/** For anyone. Null: there is no such suite, or it does not say that its badge is public. */
export async function readPublicState({ db }: Pick<Context, 'db'>, suiteId: string): Promise<SiteState | null> {
  const suite = await findSuite(db, suiteId);
  return suite?.config.badge === true ? decideSiteState(await findNewestSiteRun(db, suiteId)) : null;
}
