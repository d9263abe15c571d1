import { z } from 'zod';
import { onRun } from '../../http/acts-on.ts';
import { decideSettings } from '../../review/approval/decide-settings.ts';
import { decide } from '../../review/approval/decide.ts';
import { listChangeRequests, listVerdicts } from '../../review/verdicts/read-verdicts.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { readSettings } from '../../runs/settings-change/read-settings.ts';
import { listRoute, route } from '../api-route.ts';
import * as shapes from '../schemas/verdict-schemas.ts';
import { presentSettings } from './present-run.ts';

/** Maximum number of change requests in a response. */
const REQUESTS = 1000;

export const getVerdicts = listRoute(
  {
    operationId: 'listVerdicts',
    summary: 'What was decided about a run, newest first',
    ...onRun('suite.read'),
    response: z.array(shapes.Verdict),
    list: shapes.VERDICTS_AT_ONCE,
  },
  async (ctx, { run, part }) => listVerdicts(ctx, run, part),
);

export const postVerdict = route(
  {
    operationId: 'decide',
    summary: 'Approve a run or results of it, request changes, or undo that',
    description:
      'A request for changes holds the review gate until its author approves or undoes it, or a run of another head replaces the run. `undo` withdraws the caller’s request for changes first, then approvals. If an approval has already become a baseline version, undoing it adds the previous version again. This is possible until a later run was compared with it.',
    ...onRun('suite.approve'),
    body: shapes.DecideInput,
    response: shapes.DecideResponse,
    failures: {
      409: 'The run is in progress or was cancelled, it is too late (`promoted`, `merged`), or someone else decided otherwise in the meantime (`decided_meanwhile`)',
    },
  },
  async (ctx, { run, viewer, params, body }) => {
    const { verdictNumber: seen, ...decision } = body;
    const { message } = await decide(ctx, run, { ...decision, seen });
    const { verdictNumber, reviewState } = await getRunFor(ctx, viewer, params.id, 'suite.read');
    return { message, verdictNumber, reviewState };
  },
);

export const patchSettingsChange = route(
  {
    operationId: 'decideSettings',
    summary: 'Approve what a pull request changes in how it is judged, request changes, or undo that',
    description:
      'What loosens holds the review gate until it is approved. The approval carries over to later commits of the pull request that loosen exactly the same. Changes are requested of the run itself. `undo` withdraws the caller’s request for changes first, then the approval, whoever gave it.',
    ...onRun('suite.approve'),
    body: shapes.DecideSettingsInput,
    response: shapes.DecideSettingsResponse,
    failures: {
      409: 'The run is in progress or was cancelled, nothing loosens (`no_settings_change`), it is too late (`merged`), something else loosens by now (`settings_changed`), or someone else decided otherwise in the meantime (`decided_meanwhile`)',
    },
  },
  async (ctx, { run, viewer, params, body }) => {
    const { decision, note, id, verdictNumber: seen } = body;
    const message = await decideSettings(ctx, run, { decision, note, settings: id, seen });
    const decided = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const { verdictNumber, reviewState } = decided;
    const settings = await readSettings(ctx, decided, { looks: 0 });
    return { message, verdictNumber, reviewState, settingsChange: settings && presentSettings(settings) };
  },
);

export const getChangeRequests = route(
  {
    operationId: 'listChangeRequests',
    summary: 'The first 1,000 open requests for changes of a run, oldest first',
    ...onRun('suite.read'),
    response: z.array(shapes.ChangeRequest),
  },
  async (ctx, { run }) => listChangeRequests(ctx, run, { limit: REQUESTS }),
);
