import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { findChangeBox, findWholeChangeBox } from '../runs/results/read-changes.ts';
import { suiteOfObject } from '../storage/object-name.ts';
import { mayReadSuite } from '../suites/read-suite.ts';
import type { Wanted } from './thumbnails.ts';

/** An image is visible to people who may read its suite. @throws AppError not_found, forbidden */
export async function requireImage(ctx: Pick<Context, 'db'>, viewer: Viewer, name: string): Promise<void> {
  const suiteId = suiteOfObject(name);
  if (suiteId === null || !(await mayReadSuite(ctx, viewer, suiteId))) throw notFound('Image');
}

/** The box of the requested side of a change. @throws AppError not_found */
export async function findChange(
  ctx: Pick<Context, 'db'>,
  name: string,
  changeId: string,
  isWhole: boolean,
): Promise<Wanted> {
  if (!z.guid().safeParse(changeId).success) throw notFound('Image');
  const box = await (isWhole ? findWholeChangeBox : findChangeBox)(ctx, changeId, name);
  if (box === null) throw notFound('Image');
  return isWhole ? { whole: box } : { box };
}
