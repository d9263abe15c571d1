import type { Context } from '../context.ts';
import { raiseSessionVersion } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** Ends every session of the viewer's account, including the caller's, and invalidates its open sign-in links. */
export async function signOutEverywhere({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<void> {
  await raiseSessionVersion(db, viewer.id);
}
