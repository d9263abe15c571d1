import { z } from 'zod';
import { approveChanges } from '../review/changes/approve-changes.ts';
import type { ChangeGroup } from '../review/changes/change-group.ts';
import { listChangesAfter } from '../review/changes/list-changes.ts';
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
    summary: 'List what changed in a run, by cause: most results first, faint changes last',
    description:
      'Results that changed for the same reason, such as a header that became 8 px taller, share one change across all pages and viewports.',
    tag,
    status: 200,
    params: RunParams,
    response: z.array(changes.Change),
    list: { most: 1000, place: changes.ChangePlace },
  },
  async (ctx, { viewer, params, part }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const { items, next } = await listChangesAfter(ctx, run, part);
    return { body: items.map((group) => presentChange(ctx.config, group)), next };
  },
);

export const postApproveChange = route(
  {
    operationId: 'approveChange',
    summary: 'Approve a change everywhere it occurs in the run',
    description: 'A result is approved when all of its changes are.',
    tag,
    status: 200,
    params: changes.ChangeParams,
    body: changes.ApproveChangeInput,
    bodyOptional: true,
    response: changes.ApproveChangeResponse,
    failures: { 409: 'The run is running, cancelled or superseded' },
  },
  async (ctx, { viewer, params, body }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const done = await approveChanges(ctx, run, {
      keys: [params.changeId],
      note: body.note ?? undefined,
      seen: body.verdictNumber,
    });
    const message = `Approved ${formatCount(done.changes, 'change')} (${formatCount(done.approved, 'result')})`;
    return { message, changes: done.changes, approved: done.approved };
  },
);
