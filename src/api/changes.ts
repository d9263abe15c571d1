import { z } from 'zod';
import { approveChanges } from '../review/changes/approve-changes.ts';
import type { ChangeGroup } from '../review/changes/change-group.ts';
import { listChanges } from '../review/changes/list-changes.ts';
import type { Config } from '../config.ts';
import { cropUrl } from '../http/image-url.ts';
import { getRunFor } from '../runs/read-run.ts';
import { formatCount } from '../text/format.ts';
import { listRoute, route } from './api-route.ts';
import * as changes from './schemas/change-schemas.ts';
import { RunParams } from './schemas/common-schemas.ts';

const tag = 'Test runs';

function presentChange(config: Pick<Config, 'publicUrl'>, group: ChangeGroup): z.output<typeof changes.Change> {
  const { key, kind, element, summary, before, after, paths, viewports, count, pending, faint, drift } = group;
  return {
    id: key,
    kind,
    element,
    summary,
    before,
    after,
    pages: paths,
    viewports,
    count,
    beforeCrop: group.beforeCrop && cropUrl(config, group.beforeCrop),
    afterCrop: group.afterCrop && cropUrl(config, group.afterCrop),
    state: drift ? 'DRIFT' : pending > 0 ? 'PENDING' : 'APPROVED',
    faint,
  };
}

export const getChanges = listRoute(
  {
    operationId: 'listChanges',
    suiteToken: true,
    summary: 'What changed in a run, by cause: those of the most results first, faint ones last',
    description:
      'Results that changed for one cause, such as a bar that got 8 px taller, have one change over all pages and viewports.',
    tag,
    status: 200,
    params: RunParams,
    query: changes.ListChangesQuery,
    response: z.array(changes.Change),
  },
  async (ctx, { viewer, params, query }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const [limit, offset] = [query.limit, Number(query.cursor ?? 0)];
    const { groups } = await listChanges(ctx, run, { limit: limit + 1, offset });
    return {
      items: groups.slice(0, limit).map((group) => presentChange(ctx.config, group)),
      next: groups.length > limit ? String(offset + limit) : null,
    };
  },
);

export const postApproveChange = route(
  {
    operationId: 'approveChange',
    summary: 'Approve a change wherever it occurs in the run',
    description: 'A result is approved with the last of its changes.',
    tag,
    status: 200,
    params: changes.ChangeParams,
    body: changes.ApproveChangeInput,
    bodyOptional: true,
    response: changes.ApproveChangeResponse,
    failures: { 409: 'The run is in progress, cancelled or superseded' },
  },
  async (ctx, { viewer, params, body }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const done = await approveChanges(ctx, run, { keys: [params.changeId], note: body.note ?? undefined });
    const message = `Approved ${formatCount(done.changes, 'change')} and with it ${formatCount(done.approved, 'result')}`;
    return { message, changes: done.changes, approved: done.approved };
  },
);
