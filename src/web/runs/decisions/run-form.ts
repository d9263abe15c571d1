import { z } from 'zod';
import type { Permission } from '../../../access/role.ts';
import type { Context } from '../../../context.ts';
import { onRun } from '../../../http/acts-on.ts';
import type { Parsed } from '../../../http/endpoint.ts';
import { OF_ANOTHER_RUN } from '../../../review/approval/reviewable.ts';
import type { Decision } from '../../../review/verdicts/verdict.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import type { Notice } from '../../flash-notice.ts';
import { many } from '../../form-values.ts';
import type { Problem } from '../../problem.ts';
import { redirect, type Reply } from '../../reply.ts';
import { formRoute, type Route } from '../../web-route.ts';
import { backTo, resultPath } from '../results/address.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';

/** IDs, sent separately or separated by commas, because a check box or a button may represent a whole page. */
export const Ids = many.transform((values) => values.flatMap((value) => value.split(',')).filter((id) => id !== ''));

/** A path of this service: where to go on. */
export const Back = z.string().optional();

/** Where to see a decision: the result if there is only one, otherwise the run. */
function decidedPath(runId: string, { sent = [] }: Problem): string {
  const ids = Ids.parse(sent.filter(([name]) => name === 'resultIds').map(([, value]) => value));
  const [only] = ids;
  return only === undefined || ids.length > 1 ? `/runs/${runId}` : resultPath(runId, only);
}

/** The action was not carried out, and why. */
function refused({ message, fields, typed }: Problem, runId: string): Reply {
  const why = 'resultIds' in fields ? OF_ANOTHER_RUN : (fields['note'] ?? message);
  const back = backTo(typed['here'] ?? typed['back'], runId);
  const model = { message: why, back };
  return { kind: 'page', view: 'runs/refused', title: 'Nothing was changed', model, section: 'runs' };
}

/**
 * A form about a run. It is done, and people are back where they came from, with what `act` says.
 * @param spec.decision what the form decides, unless somebody else did meanwhile
 */
export function runForm<
  A extends Permission,
  P extends z.ZodType<{ id: string }>,
  F extends z.ZodType<{ back?: string | undefined }>,
>(
  spec: {
    path: string;
    permission: A;
    params: P;
    load: ReturnType<typeof onRun<A>>['load'];
    form: F;
    decision?: (problem: Problem) => Decision;
  },
  act: (ctx: Context, request: { run: RunFor<A>; form: Parsed<F>; params: Parsed<P> }) => Promise<string | Notice>,
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
