import type { Context } from '../context.ts';
import type { PreferenceChange } from './preferences.ts';
import { mergePreferences } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** Stores the given fields. Others are kept, including those that another tab changes at the same time. */
export async function changePreferences(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  change: PreferenceChange,
): Promise<void> {
  await mergePreferences(db, viewer.id, change);
}
