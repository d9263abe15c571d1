import { z } from 'zod';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import {
  getTargetAmong,
  targetsOfInstallation,
  targetsOfSuite,
  type OwnTarget,
  type TargetsOf,
} from '../../notices/read-targets.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { Id } from '../form-values.ts';
import type { Section } from '../reply.ts';
import { LISTS } from '../suites/suite-head.ts';

/** The pages are there for a suite, and (without `id`) for the installation. */
export const PlaceParams = z.object({ id: Id.optional() });
export const TargetParams = PlaceParams.extend({ targetId: Id });

/** Whose targets a page is about. `suite`: null for those of the installation. */
export type NoticePlace = { targets: TargetsOf; suite: SuiteFor<'suite.targets'> | null; path: string };

/** The parameters that name a place, and maybe a target there. */
export type NoticeRequest = { viewer: Viewer; params: z.output<typeof PlaceParams> };
export type TargetRequest = { viewer: Viewer; params: z.output<typeof TargetParams> };

/** @throws AppError not_found for a suite that the viewer may not see; forbidden. */
export async function getPlace(ctx: Context, { viewer, params: { id } }: NoticeRequest): Promise<NoticePlace> {
  if (id === undefined) return { targets: await targetsOfInstallation(ctx, viewer), suite: null, path: '/notices' };
  const suite = await getSuiteFor(ctx, viewer, id, 'suite.targets');
  return { targets: targetsOfSuite(suite), suite, path: `/suites/${suite.id}/notices` };
}

/** The target that the address names, with its place and its own path. @throws AppError not_found; forbidden */
export async function getTargetAt(
  ctx: Context,
  request: TargetRequest,
): Promise<NoticePlace & { target: OwnTarget; targetPath: string }> {
  const place = await getPlace(ctx, request);
  const target = await getTargetAmong(ctx, place.targets, request.params.targetId);
  return { ...place, target, targetPath: `${place.path}/${target.id}` };
}

export const placeSection = ({ suite }: NoticePlace): Section =>
  suite === null ? 'account' : LISTS[suite.kind].section;
