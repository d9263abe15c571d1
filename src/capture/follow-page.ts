import { CaptureError } from './browser/browser.ts';
import { DocumentReplaced, unlessReplaced } from './evaluate-in-page.ts';
import { awaitLoaded, type LoadOptions } from './load-page.ts';
import type { OpenPage } from './open-page.ts';
import { MOVED_DELAY } from './watch/watch-navigation.ts';

const MAX_MOVES = 10;

const NO_ARRIVAL = 'The page redirected to another URL, which did not respond in time';

/** Settles like `work`, or rejects as soon as another document takes the place of this one. @throws DocumentReplaced */
export async function whileDocumentLasts<T>({ navigation }: OpenPage, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const replaced = navigation.replaced().then(() => {
    throw new DocumentReplaced('The page moved on');
  });
  return Promise.race([work, replaced]);
}

/**
 * Runs `work` on the page's final document. If the page navigates meanwhile, by a script or a refresh, this waits for
 * the new document and runs `work` again.
 * @throws CaptureError when the page keeps navigating, or its new URL does not respond.
 */
export async function followPage<T>(
  open: OpenPage,
  load: LoadOptions,
  work: (moved: boolean) => Promise<T>,
): Promise<T> {
  const { navigation, guard } = open;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const documents = navigation.documents();
    const done = await unlessReplaced(work(moves > 0));
    const end = Date.now() + load.timeout;
    await guard.within(navigation.settled(), load.timeout + MOVED_DELAY * 1000, NO_ARRIVAL);
    if (done !== null && navigation.documents() === documents) return done.value;
    await awaitLoaded(open, load, end);
  }
  throw new CaptureError('The page keeps redirecting from one URL to the next');
}
