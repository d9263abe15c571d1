import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  createTarget,
  deleteTarget,
  rotateSecret,
  sendAgain,
  sendTest,
  updateTarget,
} from '../../notices/change-target.ts';
import { addWaiting, listDeliveries, listTargets } from '../../notices/read-targets.ts';
import { OVERLAP_HOURS, TARGET_KINDS, type TargetKind } from '../../notices/target.ts';
import { formatCount } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { asking } from '../asking.ts';
import { buildPager, withQuery } from '../pager.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { placePage } from '../suites/suite-head.ts';
import { formRoute, pageRoute, type Route } from '../web-route.ts';
import {
  getPlace,
  getTargetAt,
  PlaceParams,
  placeSection,
  TargetParams,
  type NoticePlace,
  type NoticeRequest,
  type TargetRequest,
} from './notice-place.ts';
import { ChangeForm, CreateForm, KIND_NAMES, KIND_SENTENCES, targetFields } from './target-form.ts';
import { deliveryRow, targetRow } from './target-row.ts';

const Kind = z.enum(TARGET_KINDS).catch('WEBHOOK');

async function showTargets(
  ctx: Context,
  request: NoticeRequest,
  kind: TargetKind,
  problem: Problem | null = null,
): Promise<Reply> {
  const { path, suite, targets } = await getPlace(ctx, request);
  const model = {
    path,
    problem,
    targets: (await listTargets(ctx, targets)).map((target) => targetRow(target, path)),
    kind,
    kinds: TARGET_KINDS.map((each) => ({
      label: KIND_NAMES[each],
      href: withQuery(path, { kind: each }),
      current: each === kind,
    })),
    sentence: KIND_SENTENCES[kind],
    ...targetFields(kind, null, problem),
  };
  return placePage(ctx, suite, { view: 'notices/targets', title: 'Notices', model });
}

/** Shows a secret once. It is the answer to the form itself: a redirect would have to carry the secret. */
const showSecret = (
  place: NoticePlace,
  shown: { secret: string; name: string; back: string; isNew: boolean },
): Reply => ({
  kind: 'page',
  view: 'notices/secret',
  title: 'Secret of a webhook',
  width: 'narrow',
  model: { ...shown, hours: OVERLAP_HOURS },
  section: placeSection(place),
});

/** The list of targets, with the form for a new one. */
const listRoutes = (path: string): Route[] => [
  pageRoute({ path, params: PlaceParams, query: z.object({ kind: Kind }) }, async (ctx, request) =>
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
      const { name } = target;
      const back = `${place.path}/${target.id}`;
      if (secret === null) return redirect(back, `${name} is told from now on`);
      return showSecret(place, { secret, name, back, isNew: true });
    },
  ),
];

const AT_ONCE = 20;
const Query = z.object({ page: typedNumber(1, 1000).catch(1) });

async function showTarget(
  ctx: Context,
  request: TargetRequest,
  page: number,
  problem: Problem | null = null,
): Promise<Reply> {
  const { suite, target, targetPath: path, path: list } = await getTargetAt(ctx, request);
  const [[listed], deliveries] = await Promise.all([addWaiting(ctx, [target]), listDeliveries(ctx, target)]);
  const { kind, name } = target;
  const shown = deliveries.slice((page - 1) * AT_ONCE, page * AT_ONCE);
  const overlap = `For ${formatCount(OVERLAP_HOURS, 'hour')}, messages have the signatures of both secrets.`;
  const model = {
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
  return placePage(ctx, suite, { view: 'notices/target', title: `${name} · Notices`, model });
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
    if (secret === null) return redirect(found.targetPath);
    return showSecret(found, { secret, name: target.name, back: found.targetPath, isNew: false });
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
function targetRoutes(path: string): Route[] {
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

/** Who is told of events: of a suite, and of the installation. */
export const NOTICE_ROUTES: readonly Route[] = ['/suites/:id/notices', '/notices'].flatMap((path) => [
  ...listRoutes(path),
  ...targetRoutes(`${path}/:targetId`),
]);
