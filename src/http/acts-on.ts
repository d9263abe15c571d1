import { z } from 'zod';
import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { getRunFor } from '../runs/read-run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';

/** Any version of UUID, because PostgreSQL accepts them all. Lowercase, because that is how PostgreSQL returns them. */
export const Id = z.guid('must be a UUID').toLowerCase();

export const SuiteParams = z.object({ id: Id.describe('The suite') });
export const RunParams = z.object({ id: Id.describe('The run') });

/** Part of the description of an endpoint that acts on a suite, for which the viewer needs the permission. */
export const onSuite = <P extends Permission>(permission: P) => ({
  permission,
  params: SuiteParams,
  load: async (ctx: Context, viewer: Viewer, { id }: { id: string }) => ({
    suite: await getSuiteFor(ctx, viewer, id, permission),
  }),
});

/** The same for a run. */
export const onRun = <P extends Permission>(permission: P) => ({
  permission,
  params: RunParams,
  load: async (ctx: Context, viewer: Viewer, { id }: { id: string }) => ({
    run: await getRunFor(ctx, viewer, id, permission),
  }),
});
