import type { Context } from '../context.ts';
import { raiseSessionVersion } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** Every session of the viewer's account stops working, that of the caller too; so do its open sign-in links. */
export async function signOutEverywhere({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<void> {
  await raiseSessionVersion(db, viewer.id);
}
