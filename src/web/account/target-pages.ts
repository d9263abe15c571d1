import { z } from 'zod';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id } from '../../http/acts-on.ts';
import * as changes from '../../notices/change-target.ts';
import {
  addWaiting,
  getTargetAmong,
  listDeliveries,
  listTargets,
  targetsOfInstallation,
  targetsOfSuite,
  type TargetsOf,
} from '../../notices/read-targets.ts';
import { OVERLAP_HOURS, TARGET_KINDS, targetVersion, type TargetKind } from '../../notices/target.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatCount } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { asking, PageQuery, type Problem } from '../form-field.ts';
import { placePage, showOnce } from '../suites/suite-head.ts';
import { buildPager, formRoute, pageRoute, redirect, withQuery, type Reply, type Route } from '../web-route.ts';
import {
  ChangeForm,
  CreateForm,
  deliveryRow,
  KIND_NAMES,
  KIND_SENTENCES,
  targetFields,
  targetRow,
} from './target-form.ts';

/** Whose targets a page is about. `suite`: null for those of the installation. */
type NoticePlace = { targets: TargetsOf; suite: SuiteFor<'suite.targets'> | null; path: string };

/** The pages are there for a suite, and (without `id`) for the installation. */
const onPlace = {
  params: z.object({ id: Id.optional() }),
  async load(ctx: Context, viewer: Viewer, { id }: { id?: string | undefined }): Promise<NoticePlace> {
    if (id === undefined) return { targets: await targetsOfInstallation(ctx, viewer), suite: null, path: '/notices' };
    const suite = await getSuiteFor(ctx, viewer, id, 'suite.targets');
    return { targets: targetsOfSuite(suite), suite, path: `/suites/${suite.id}/notices` };
  },
};

const TargetParams = onPlace.params.extend({ targetId: Id });

/** One of the targets there, and its own path. */
const onTarget = {
  params: TargetParams,
  async load(ctx: Context, viewer: Viewer, params: z.output<typeof TargetParams>) {
    const place = await onPlace.load(ctx, viewer, params);
    const target = await getTargetAmong(ctx, place.targets, params.targetId);
    return { ...place, target, targetPath: `${place.path}/${target.id}` };
  },
};

type FoundTarget = Awaited<ReturnType<typeof onTarget.load>>;

const Kind = z.enum(TARGET_KINDS).catch('WEBHOOK');

async function showTargets(
  ctx: Context,
  { path, suite, targets, query }: NoticePlace & { query: { kind: TargetKind } },
  problem: Problem | null,
): Promise<Reply> {
  const kind = problem === null ? query.kind : Kind.parse(problem.typed['kind']);
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

const showSecret = (
  { suite }: NoticePlace,
  shown: { secret: string; name: string; back: string; isNew: boolean },
): Reply =>
  showOnce(suite, {
    view: 'notices/secret',
    title: 'Secret of a webhook',
    model: { ...shown, hours: OVERLAP_HOURS },
  });

/** The list of targets, with the form for a new one. */
function listRoutes(path: string): Route[] {
  const list = pageRoute({ path, ...onPlace, query: z.object({ kind: Kind }) }, showTargets);
  const create = formRoute({ path, ...onPlace, form: CreateForm, redisplay: list.show }, async (ctx, request) => {
    const { target, secret } = await changes.createTarget(ctx, request.targets, request.form);
    const { name } = target;
    const back = `${request.path}/${target.id}`;
    if (secret === null) return redirect(back, `${name} now gets notices`);
    return showSecret(request, { secret, name, back, isNew: true });
  });
  return [list, create];
}

const AT_ONCE = 20;

async function showTarget(
  ctx: Context,
  { suite, target, targetPath: path, path: list, query: { page } }: FoundTarget & { query: z.output<typeof PageQuery> },
  problem: Problem | null,
): Promise<Reply> {
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
    // What was sent stays, so that a second click does not overwrite what nobody has seen.
    version: problem?.typed['version'] ?? targetVersion(target),
    isTeams: kind === 'TEAMS',
    rotate:
      kind === 'WEBHOOK' ? asking('New secret', `Give ${name} another secret? ${overlap}`, `${path}/secret`) : null,
    remove: asking('Delete', `Delete ${name}, and what was sent to it?`, `${path}/delete`),
    ...targetFields(kind, target, problem),
    deliveries: shown.map((delivery) => deliveryRow(delivery, kind, path)),
    pager: buildPager({ page, size: AT_ONCE, path }, deliveries.length),
  };
  return placePage(ctx, suite, { view: 'notices/target', title: `${name} · Notices`, model });
}

/** A form with one button. @param act returns what the page of the target says then */
const button = (path: string, act: (ctx: Context, found: FoundTarget) => Promise<string>): Route =>
  formRoute({ path, ...onTarget }, async (ctx, found) => redirect(found.targetPath, await act(ctx, found)));

const DeliveryParams = TargetParams.extend({ deliveryId: typedNumber(1) });

/** The page of a target, and its forms. */
function targetRoutes(path: string): Route[] {
  const page = pageRoute({ path, ...onTarget, query: PageQuery }, showTarget);
  return [
    page,
    formRoute({ path, ...onTarget, form: ChangeForm, redisplay: page.show }, async (ctx, request) => {
      const { version, ...change } = request.form;
      await changes.updateTarget(ctx, request.target, change, version);
      return redirect(request.targetPath, 'Saved');
    }),
    formRoute({ path: `${path}/secret`, ...onTarget }, async (ctx, found) => {
      const { target, secret } = await changes.rotateSecret(ctx, found.target);
      if (secret === null) return redirect(found.targetPath);
      return showSecret(found, { secret, name: target.name, back: found.targetPath, isNew: false });
    }),
    formRoute({ path: `${path}/delete`, ...onTarget }, async (ctx, { target, path: list }) => {
      await changes.deleteTarget(ctx, target);
      return redirect(list, `Deleted ${target.name}`);
    }),
    formRoute(
      { path: `${path}/deliveries/:deliveryId/send`, ...onTarget, params: DeliveryParams },
      async (ctx, { target, targetPath, params }) => {
        await changes.sendAgain(ctx, target, params.deliveryId);
        return redirect(targetPath, 'The message is sent again');
      },
    ),
    button(`${path}/test`, async (ctx, { target }) => {
      await changes.sendTest(ctx, target);
      return 'A test message is on its way';
    }),
    button(`${path}/off`, async (ctx, { target }) => {
      await changes.updateTarget(ctx, target, { isActive: false });
      return 'Switched off';
    }),
    button(`${path}/on`, async (ctx, { target }) => {
      await changes.updateTarget(ctx, target, { isActive: true });
      return 'In use again';
    }),
  ];
}

/** Who is told of events: of a suite, and of the installation. */
export const NOTICE_ROUTES: readonly Route[] = ['/suites/:id/notices', '/notices'].flatMap((path) => [
  ...listRoutes(path),
  ...targetRoutes(`${path}/:targetId`),
]);
