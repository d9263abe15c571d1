import { z } from 'zod';
import type { Permission } from '../../../access/role.ts';
import { personName, type Viewer } from '../../../auth/user.ts';
import { NOTE_MAX_LENGTH } from '../../../baselines/baseline.ts';
import type { Context } from '../../../context.ts';
import type { Region } from '../../../elements/region.ts';
import type { Parsed } from '../../../http/endpoint.ts';
import { OF_ANOTHER_RUN } from '../../../review/approval/approve-run.ts';
import { Verdict, type Decision } from '../../../review/verdicts/verdict.ts';
import { formatCount } from '../../../text/format.ts';
import type { Notice } from '../../flash-notice.ts';
import { many, type Problem } from '../../form-field.ts';
import { formRoute, redirect, type Reply, type Route } from '../../web-route.ts';
import { backTo, resultPath } from '../results/address.ts';
import { readResultValue } from '../results/change-list.ts';

const WORDS: Record<Verdict['decision'], [ofResults: string, ofRun: string]> = {
  approve: ['approved', 'withdrew the request for changes to'],
  request_changes: ['requested changes to', 'requested changes to'],
  undo: ['undid the decision on', 'withdrew the request for changes to'],
};

/** Who did what, such as `approved 3 results`. */
export function verdictRow({ decision, wholeRun, results, settings, author, note, createdAt: at }: Verdict) {
  const [ofResults, ofRun] = WORDS[decision];
  const about = wholeRun ? `${ofRun} this run` : `${ofResults} ${formatCount(results, 'result')}`;
  return { who: personName(author), what: settings ? `${ofResults} the settings` : about, at, note };
}

const Meanwhile = z.object({
  code: z.literal('decided_meanwhile'),
  verdictNumber: z.number(),
  verdicts: z.array(Verdict.extend({ createdAt: z.coerce.date() })),
});

const YOURS: Record<Decision, { what: string; button: string }> = {
  approve: { what: 'Approve', button: 'Approve anyway' },
  request_changes: { what: 'Request changes', button: 'Request changes anyway' },
  undo: { what: 'Undo', button: 'Undo anyway' },
};

/**
 * The page for a decision that conflicts with an earlier one by somebody else. It shows both, and the form again with
 * everything that was sent. Null for other problems.
 * @param action the URL of the form
 * @param keep where to look at their decision
 */
function decidedMeanwhile(
  problem: Problem,
  { action, decision, keep }: { action: string; decision: Decision; keep: string },
): Reply | null {
  const parsed = Meanwhile.safeParse(problem.details);
  if (!parsed.success) return null;
  const { verdicts, verdictNumber } = parsed.data;
  const sent = problem.sent ?? [];
  const model = {
    verdicts: verdicts.map(verdictRow),
    ...YOURS[decision],
    action,
    fields: sent.filter(([name]) => name !== 'seen' && name !== 'note').map(([name, value]) => ({ name, value })),
    seen: verdictNumber,
    note: decision === 'undo' ? null : { value: problem.typed['note'] ?? '', maxLength: NOTE_MAX_LENGTH },
    isNoteRequired: decision === 'request_changes',
    keep,
  };
  return { kind: 'page', view: 'runs/decided-meanwhile', title: 'Decided in the meantime', model, section: 'runs' };
}

/** Results, sent separately or separated by commas, because a check box or a button may represent a whole page. */
export const Results = many.transform((values) =>
  values.flatMap((value) =>
    value
      .split(',')
      .filter((part) => part !== '')
      .map(readResultValue),
  ),
);

/** `box 10,20,300,40`: x, y, width and height in px of the screenshot. `readBox` reads it. */
export const BOX = /^box \d{1,6},\d{1,6},\d{1,6},\d{1,6}$/;

export function readBox(text: string): Region {
  const [x = 0, y = 0, width = 0, height = 0] = text.slice('box '.length).split(',').map(Number);
  return { x, y, width, height };
}

/** Of every form. `back`: a path of this service, where to go on. */
export const BackForm = z.object({ back: z.string().optional() });

/** Where to see a decision: the result if there is only one, otherwise the run. */
function decidedPath(runId: string, { sent = [] }: Problem): string {
  const results = Results.parse(sent.filter(([name]) => name === 'resultIds').map(([, value]) => value));
  const [only] = results;
  return only === undefined || results.length > 1 ? `/runs/${runId}` : resultPath(runId, only.id);
}

/** The action was not carried out, and why. */
function refused({ message, fields, typed }: Problem, runId: string): Reply {
  const why = 'resultIds' in fields ? OF_ANOTHER_RUN : (fields['note'] ?? fields['body'] ?? message);
  const back = backTo(typed['here'] ?? typed['back'], runId);
  const model = { message: why, back, typed: typed['note'] ?? typed['body'] };
  return { kind: 'page', view: 'runs/refused', title: 'Nothing was changed', model, section: 'runs' };
}

/**
 * A form about a run. Afterwards people are back where they came from, and see what `act` says.
 * @param spec.decision what the form decides, unless somebody else did meanwhile
 */
export function runForm<
  P extends z.ZodType<{ id: string }>,
  F extends z.ZodType<{ back?: string | undefined }>,
  L extends object,
>(
  spec: {
    path: string;
    permission: Permission;
    params: P;
    load: (ctx: Context, viewer: Viewer, params: Parsed<P>) => Promise<L>;
    form: F;
    decision?: (problem: Problem) => Decision;
  },
  act: (ctx: Context, request: { form: Parsed<F>; params: Parsed<P> } & L) => Promise<string | Notice>,
): Route {
  const { decision, ...shared } = spec;
  return formRoute(
    {
      ...shared,
      async redisplay(_ctx, { params, url }, problem) {
        const { id } = spec.params.parse(params);
        const asked = decision && { action: url, decision: decision(problem), keep: decidedPath(id, problem) };
        return (asked && decidedMeanwhile(problem, asked)) ?? refused(problem, id);
      },
    },
    async (ctx, request) => redirect(backTo(request.form.back, request.params.id), await act(ctx, request)),
  );
}
