import { z } from 'zod';
import { ReviewerNote } from '../../baselines/baseline.ts';
import { Id, onResult, onRun } from '../../http/acts-on.ts';
import { approveRun } from '../../review/approval/approve-run.ts';
import { countAsChange, decide, decideSettings } from '../../review/approval/decide.ts';
import { sayApproved } from '../../review/approval/describe-decision.ts';
import { listChangeRequests, listVerdicts } from '../../review/verdicts/read-verdicts.ts';
import { sayDifferentServers } from '../../runs/judging/say-different-servers.ts';
import { getRunFor, readResult } from '../../runs/read-run.ts';
import { REVIEW_STATES } from '../../runs/run.ts';
import { readSettings } from '../../runs/settings-change/read-settings.ts';
import { actRoute, listRoute, route, type Description } from '../api-route.ts';
import { Decision, PageResult, seenVerdict, SettingsChange } from '../run-schemas.ts';
import { inputObject, IsoDate, MessageResponse, named, namedObject, PublicId, UserSummary } from '../suite-schemas.ts';
import { presentResult, presentSettings } from './present-run.ts';

const Verdict = namedObject('Verdict', {
  number: z.int().describe('Verdicts of a run are numbered from 1'),
  decision: Decision,
  wholeRun: z.boolean().describe('It is about the run itself and not about results of it'),
  results: z.int().describe('How many results it is about'),
  settings: z.boolean().describe('It is about what the pull request changes in the settings'),
  author: UserSummary.nullable(),
  note: z.string().nullable(),
  createdAt: IsoDate,
});

const DecideInput = named(
  'DecideInput',
  z.strictObject({
    decision: Decision,
    resultIds: z
      .array(Id)
      .min(1)
      .max(20_000)
      .optional()
      .describe(
        'Default: to approve, every changed or new result to which nobody else has requested changes, and what the pull request changes in the settings; to undo, the caller’s request for changes to the run, otherwise everything that can be undone; to request changes, the run itself',
      ),
    note: ReviewerNote.describe('Required to request changes'),
    verdictNumber: seenVerdict,
  }),
);

const DecideSettingsInput = named(
  'DecideSettingsInput',
  z.strictObject({
    decision: Decision,
    note: ReviewerNote.describe('Required to request changes'),
    id: z
      .string()
      .max(64)
      .optional()
      .describe(
        '`settingsChange.id` as the decider saw it. If it is another by now, the response is 409 `settings_changed`',
      ),
    verdictNumber: seenVerdict,
  }),
);

const decided = { message: z.string(), verdictNumber: z.int(), reviewState: z.enum(REVIEW_STATES) };

const ChangeRequest = namedObject('ChangeRequest', {
  id: PublicId,
  resultId: PublicId.nullable().describe('null: the run itself'),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  author: UserSummary,
  note: z.string(),
  createdAt: IsoDate,
});

/** Maximum number of change requests in a response. */
const REQUESTS = 1000;

const ApproveVisualsInput = inputObject('ApproveVisualsInput', {
  resultIds: z
    .array(Id)
    .max(20_000)
    .optional()
    .describe(
      'Default: every changed or new result that is not approved yet, and what the pull request changes in the settings',
    ),
  note: ReviewerNote,
  verdictNumber: seenVerdict,
});

const UpdateResultInput = named(
  'UpdateResultInput',
  z
    .strictObject({
      cause: z.enum(['CHANGE']).optional().describe('Counts the difference as a change, which needs an approval'),
      decision: Decision.optional(),
      note: ReviewerNote.describe('Required to request changes'),
      verdictNumber: seenVerdict,
    })
    .refine(
      ({ cause, decision }) => (cause === undefined) !== (decision === undefined),
      'must have either `cause` or `decision`',
    ),
);

export const getVerdicts = listRoute(
  {
    operationId: 'listVerdicts',
    summary: 'What was decided about a run, newest first',
    ...onRun('suite.read'),
    response: z.array(Verdict),
    list: { most: 1000, place: z.tuple([z.int()]) },
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
    body: DecideInput,
    response: namedObject('DecideResponse', decided),
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
    body: DecideSettingsInput,
    response: namedObject('DecideSettingsResponse', { ...decided, settingsChange: SettingsChange.nullable() }),
    failures: {
      409: 'The run is in progress or was cancelled, nothing loosens (`no_settings_change`), it is too late (`merged`), something else loosens by now (`settings_changed`), or someone else decided otherwise in the meantime (`decided_meanwhile`)',
    },
  },
  async (ctx, { run, viewer, params, body }) => {
    const { decision, note, id, verdictNumber: seen } = body;
    const message = await decideSettings(ctx, run, { decision, note, settings: id, seen });
    const after = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const { verdictNumber, reviewState } = after;
    const settings = await readSettings(ctx, after, { looks: 0 });
    return { message, verdictNumber, reviewState, settingsChange: settings && presentSettings(settings) };
  },
);

export const getChangeRequests = route(
  {
    operationId: 'listChangeRequests',
    summary: 'The first 1,000 open requests for changes of a run, oldest first',
    ...onRun('suite.read'),
    response: z.array(ChangeRequest),
  },
  async (ctx, { run }) => listChangeRequests(ctx, run, { limit: REQUESTS }),
);

export const postApproveVisuals = route(
  {
    operationId: 'approveVisuals',
    summary: 'Approve changed and new results',
    description:
      'Approved results of a MANUAL or BRANCH run become baselines immediately. Those of a PR run become baselines when the pull request is merged. If nothing is left to approve, nothing changes.',
    ...onRun('suite.approve'),
    body: ApproveVisualsInput,
    bodyOptional: true,
    response: MessageResponse,
    failures: { 409: 'The run is running, cancelled or superseded, or someone else decided in the meantime' },
  },
  async (ctx, { run, body }) => {
    const { resultIds, note, verdictNumber: seen } = body;
    const done = await approveRun(ctx, run, { resultIds, note, seen });
    return { message: sayApproved(run, done).message };
  },
);

export const patchResult = route(
  {
    operationId: 'updateResult',
    summary: 'Decide about one result',
    description:
      'Counts a difference that does not block the gate as a change; or approves the result, requests changes to it, or undoes the last decision: first the caller’s request for changes, then the approval. If an approval has already become a baseline version, undoing it adds the previous version again. This is possible until a later run was compared with it.',
    ...onResult('suite.approve'),
    body: UpdateResultInput,
    response: PageResult,
    failures: {
      409: 'The run is running or was cancelled, it is too late for the decision (`promoted`), or someone else decided otherwise in the meantime (`decided_meanwhile`)',
    },
  },
  async (ctx, { run, result: { id }, body }) => {
    if (body.cause !== undefined) await countAsChange(ctx, run, id);
    const { decision, note, verdictNumber: seen } = body;
    if (decision !== undefined) await decide(ctx, run, { decision, resultIds: [id], note, seen });
    return presentResult(await readResult(ctx, run, id));
  },
);

const serversRoute = (
  differ: boolean,
  described: Pick<Description, 'operationId' | 'summary' | 'description'> & { done: string },
) =>
  actRoute(
    { ...described, ...onRun('suite.approve'), failures: { 409: 'The run captured the suite’s own site' } },
    async (ctx, { run }) => sayDifferentServers(ctx, run, { differ }),
  );

export const postDifferentServers = serversRoute(true, {
  operationId: 'sayDifferentServers',
  summary: 'Say that the preview and the site are different servers',
  description:
    'For results whose `servers` is MAYBE_ONE: what preview and site both show is drift from now on. This is kept for the suite: for all previews of pull requests, or for previews at the same origin. Open runs are re-evaluated within seconds.',
  done: 'The preview and the site are different servers',
});

export const deleteDifferentServers = serversRoute(false, {
  operationId: 'withdrawDifferentServers',
  summary: 'Take back that the preview and the site are different servers',
  description: 'Open runs are re-evaluated within seconds.',
  done: 'The preview and the site may be one server',
});
