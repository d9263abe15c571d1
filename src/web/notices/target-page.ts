import { z } from 'zod';
import type { Context } from '../../context.ts';
import { deleteTarget, rotateSecret, sendAgain, sendTest, updateTarget } from '../../notices/change-target.ts';
import { addWaiting, listDeliveries } from '../../notices/read-targets.ts';
import { OVERLAP_HOURS } from '../../notices/target.ts';
import { formatCount } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { asking } from '../asking.ts';
import { buildPager } from '../pager.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { formRoute, pageRoute, type Route } from '../web-route.ts';
import { getTargetAt, placeHead, placeSection, TargetParams, type TargetRequest } from './notice-place.ts';
import { showSecret } from './show-secret.ts';
import { ChangeForm, KIND_SENTENCES, targetFields } from './target-form.ts';
import { deliveryRow, targetRow } from './target-row.ts';

const AT_ONCE = 20;
const Query = z.object({ page: typedNumber(1, 1000).catch(1) });

async function showTarget(
  ctx: Context,
  request: TargetRequest,
  page: number,
  problem: Problem | null = null,
): Promise<Reply> {
  const found = await getTargetAt(ctx, request);
  const { target, targetPath: path, path: list } = found;
  const [head, [listed], deliveries] = await Promise.all([
    placeHead(ctx, found),
    addWaiting(ctx, [target]),
    listDeliveries(ctx, target),
  ]);
  const { kind, name } = target;
  const shown = deliveries.slice((page - 1) * AT_ONCE, page * AT_ONCE);
  const overlap = `For ${formatCount(OVERLAP_HOURS, 'hour')}, messages have the signatures of both secrets.`;
  const model = {
    head,
    above: { href: list, label: 'Notices' },
    path,
    problem,
    target: targetRow(listed ?? { ...target, waiting: 0, retryAt: null }, list),
    sentence: KIND_SENTENCES[kind],
    isTeams: kind === 'TEAMS',
    rotate:
      kind === 'WEBHOOK' ? asking('New secret', `Give ${name} another secret? ${overlap}`, `${path}/secret`) : null,
    remove: asking('Delete', `Delete ${name}, and what was sent to it?`, `${path}/delete`),
    ...targetFields(kind, target, problem),
    deliveries: shown.map((delivery) => deliveryRow(delivery, kind, path)),
    pager: buildPager({ total: deliveries.length, page, size: AT_ONCE }, path, {}),
  };
  return { kind: 'page', view: 'notices/target', title: `${name} · Notices`, model, section: placeSection(found) };
}

type Found = Awaited<ReturnType<typeof getTargetAt>>;

/** A form of one button. @param act returns what the page of the target says then */
const button = (path: string, act: (ctx: Context, found: Found) => Promise<string>): Route =>
  formRoute({ path, params: TargetParams }, async (ctx, request) => {
    const found = await getTargetAt(ctx, request);
    return redirect(found.targetPath, await act(ctx, found));
  });

const changeRoute = (path: string): Route =>
  formRoute(
    {
      path,
      params: TargetParams,
      form: ChangeForm,
      redisplay: async (ctx, request, problem) => showTarget(ctx, request, 1, problem),
    },
    async (ctx, request) => {
      const { target, targetPath } = await getTargetAt(ctx, request);
      await updateTarget(ctx, target, request.form);
      return redirect(targetPath, 'Saved');
    },
  );

const secretRoute = (path: string): Route =>
  formRoute({ path, params: TargetParams }, async (ctx, request) => {
    const found = await getTargetAt(ctx, request);
    const { target, secret } = await rotateSecret(ctx, found.target);
    const shown = { name: target.name, back: found.targetPath, isNew: false, section: placeSection(found) };
    return secret === null ? redirect(found.targetPath) : showSecret({ secret, ...shown });
  });

const deleteRoute = (path: string): Route =>
  formRoute({ path, params: TargetParams }, async (ctx, request) => {
    const { target, path: list } = await getTargetAt(ctx, request);
    await deleteTarget(ctx, target);
    return redirect(list, `Deleted ${target.name}`);
  });

const deliveryParams = TargetParams.extend({ deliveryId: typedNumber(1) });

const againRoute = (path: string): Route =>
  formRoute({ path, params: deliveryParams }, async (ctx, request) => {
    const { target, targetPath } = await getTargetAt(ctx, request);
    await sendAgain(ctx, target, request.params.deliveryId);
    return redirect(targetPath, 'The message is sent again');
  });

/** The page of a target, and its forms. */
export function targetRoutes(list: string): Route[] {
  const path = `${list}/:targetId`;
  return [
    pageRoute({ path, params: TargetParams, query: Query }, async (ctx, request) =>
      showTarget(ctx, request, request.query.page),
    ),
    changeRoute(path),
    secretRoute(`${path}/secret`),
    deleteRoute(`${path}/delete`),
    againRoute(`${path}/deliveries/:deliveryId/send`),
    button(`${path}/test`, async (ctx, { target }) => {
      await sendTest(ctx, target);
      return 'A test message is on its way';
    }),
    button(`${path}/off`, async (ctx, { target }) => {
      await updateTarget(ctx, target, { isActive: false });
      return 'Switched off';
    }),
    button(`${path}/on`, async (ctx, { target }) => {
      await updateTarget(ctx, target, { isActive: true });
      return 'In use again';
    }),
  ];
}
