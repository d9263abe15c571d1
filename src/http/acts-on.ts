import { z } from 'zod';
import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { readPage } from '../runs/page-results/read-pages.ts';
import { getRunFor, readResult } from '../runs/read-run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';

/** Any version of UUID, because PostgreSQL accepts them all. Lowercase, because that is how PostgreSQL returns them. */
export const Id = z.guid({ error: ({ input }) => (input === undefined ? undefined : 'must be a UUID') }).toLowerCase();

export const SuiteParams = z.object({ id: Id.describe('The suite') });
const RunParams = z.object({ id: Id.describe('The run') });

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

/** The same for a part of a suite. @param ids what names the part in the path */
export const inSuite = <P extends Permission, S extends z.core.$ZodLooseShape>(permission: P, ids: S) => ({
  ...onSuite(permission),
  params: SuiteParams.extend(ids),
});

/** The same for a part of a run. */
export const inRun = <P extends Permission, S extends z.core.$ZodLooseShape>(permission: P, ids: S) => ({
  ...onRun(permission),
  params: RunParams.extend(ids),
});

/** The same for a page of a suite. */
export const onPage = <P extends Permission>(permission: P) => ({
  ...inSuite(permission, { pageId: Id }),
  load: async (ctx: Context, viewer: Viewer, { id, pageId }: { id: string; pageId: string }) => {
    const suite = await getSuiteFor(ctx, viewer, id, permission);
    return { suite, page: await readPage(ctx, suite, pageId) };
  },
});

/** The same for a result of a run. */
export const onResult = <P extends Permission>(permission: P) => ({
  ...inRun(permission, { resultId: Id }),
  load: async (ctx: Context, viewer: Viewer, { id, resultId }: { id: string; resultId: string }) => {
    const run = await getRunFor(ctx, viewer, id, permission);
    return { run, result: await readResult(ctx, run, resultId) };
  },
});
