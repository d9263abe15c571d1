import { z } from 'zod';
import type { Context } from '../../context.ts';
import { createTarget } from '../../notices/change-target.ts';
import { listTargets } from '../../notices/read-targets.ts';
import { TARGET_KINDS, type TargetKind } from '../../notices/target.ts';
import { withQuery } from '../pager.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { formRoute, pageRoute, type Route } from '../web-route.ts';
import { getPlace, placeHead, PlaceParams, placeSection, type NoticeRequest } from './notice-place.ts';
import { showSecret } from './show-secret.ts';
import { CreateForm, KIND_NAMES, KIND_SENTENCES, targetFields } from './target-form.ts';
import { targetRow } from './target-row.ts';

const Kind = z.enum(TARGET_KINDS).catch('WEBHOOK');
/** The kind of the new target. */
const Query = z.object({ kind: Kind });

async function showTargets(
  ctx: Context,
  request: NoticeRequest,
  kind: TargetKind,
  problem: Problem | null = null,
): Promise<Reply> {
  const place = await getPlace(ctx, request);
  const { path, suite } = place;
  const [head, targets] = await Promise.all([placeHead(ctx, place), listTargets(ctx, place.targets)]);
  const model = {
    head,
    path,
    problem,
    targets: targets.map((target) => targetRow(target, path)),
    kind,
    kinds: TARGET_KINDS.map((each) => ({
      label: KIND_NAMES[each],
      href: withQuery(path, { kind: each }),
      current: each === kind,
    })),
    sentence: KIND_SENTENCES[kind],
    ...targetFields(kind, null, problem),
  };
  const title = suite === null ? 'Notices' : `Notices · ${suite.name}`;
  return { kind: 'page', view: 'notices/targets', title, model, section: placeSection(place) };
}

/** The list of targets, with the form for a new one. */
export const listRoutes = (path: string): Route[] => [
  pageRoute({ path, params: PlaceParams, query: Query }, async (ctx, request) =>
    showTargets(ctx, request, request.query.kind),
  ),
  formRoute(
    {
      path,
      params: PlaceParams,
      form: CreateForm,
      redisplay: async (ctx, request, problem) => showTargets(ctx, request, Kind.parse(problem.typed['kind']), problem),
    },
    async (ctx, request) => {
      const place = await getPlace(ctx, request);
      const { target, secret } = await createTarget(ctx, place.targets, request.form);
      const back = `${place.path}/${target.id}`;
      if (secret === null) return redirect(back, `${target.name} is told from now on`);
      return showSecret({ secret, name: target.name, back, isNew: true, section: placeSection(place) });
    },
  ),
];
