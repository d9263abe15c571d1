import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { getTarget } from '../notices/read-targets.ts';
import { getRunFor } from '../runs/read-run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { RunParams, SuiteParams } from './schemas/common-schemas.ts';
import { TargetParams } from './schemas/target-schemas.ts';

/** Part of the description of an operation on a suite, for which the caller needs the permission. */
export const onSuite = <P extends Permission>(permission: P) => ({
  params: SuiteParams,
  load: async (ctx: Context, viewer: Viewer, { id }: { id: string }) => ({
    suite: await getSuiteFor(ctx, viewer, id, permission),
  }),
});

/** The same for a run. */
export const onRun = <P extends Permission>(permission: P) => ({
  params: RunParams,
  load: async (ctx: Context, viewer: Viewer, { id }: { id: string }) => ({
    run: await getRunFor(ctx, viewer, id, permission),
  }),
});

/** The same for a webhook or a channel. */
export const onTarget = {
  params: TargetParams,
  load: async (ctx: Context, viewer: Viewer, { targetId }: { targetId: string }) => ({
    target: await getTarget(ctx, viewer, targetId),
  }),
};
