import { CaptureCancelled, CaptureError } from '../../capture/browser/browser.ts';
import type { CaptureRequest } from '../../capture/browser/capture-request.ts';
import { plainPage } from '../../capture/plain-page.ts';
import { shrinkImage } from '../../compare/shrink-image.ts';
import type { Context, WorkerContext } from '../../context.ts';
import type { JobRun } from '../../queue/job.ts';
import { DEFAULT_CONFIG } from '../../suites/config/suite-config.ts';
import { findLook, saveFacts, settleLook } from './look-store.ts';
import { readSite, UnreadableSite } from './read-site.ts';

/** People don't wait longer than this for a picture. */
const PICTURE_MS = 15_000;
const PICTURE_WIDTH = 640;

/** One picture of the top of the page. It need not be reproducible, so it waits only briefly for the page to settle. */
const pictureOf = (url: string): CaptureRequest => ({
  ...plainPage(url, null, null),
  waitStrategy: 'load',
  waitTime: 0,
  fullPage: false,
  customCss: '',
  timeout: 10_000,
  settle: { quiet: 300, network: 300, timeout: 1500 },
  looksBeyond: false,
  clock: null,
  seedRandom: false,
  rules: { hide: [], remove: [], mask: [], ignore: [], waitFor: [], actions: [], css: '' },
  site: null,
  baseline: null,
});

type End = { picture: string | null; problem: string | null };

const LOGIN = 'The page asks for a password. To get past it, set up “Access to the site” in the suite’s settings.';

async function takePicture({ browser }: WorkerContext, url: string, { signal }: Pick<JobRun, 'signal'>): Promise<End> {
  const deadline = performance.now() + PICTURE_MS;
  const isOver = async () => signal.aborted || performance.now() > deadline;
  try {
    const { png, landing } = await browser.capture(pictureOf(url), isOver);
    const picture = await shrinkImage(png, PICTURE_WIDTH);
    const problem = landing?.asksForPassword === true ? LOGIN : null;
    return { picture: `data:image/webp;base64,${picture.toString('base64')}`, problem };
  } catch (error) {
    if (error instanceof CaptureCancelled) {
      signal.throwIfAborted();
      return { picture: null, problem: 'The preview timed out. Runs allow more time.' };
    }
    if (error instanceof CaptureError) return { picture: null, problem: `${error.message}.` };
    throw error;
  }
}

async function look(ctx: WorkerContext, { id, address }: { id: string; address: string }, job: Pick<JobRun, 'signal'>) {
  const { userAgent } = DEFAULT_CONFIG.crawlOptions;
  try {
    const facts = await readSite({ network: ctx.network, userAgent }, address);
    await saveFacts(ctx.db, id, facts);
    return await takePicture(ctx, facts.address, job);
  } catch (error) {
    if (error instanceof UnreadableSite) return { picture: null, problem: error.message };
    throw error;
  }
}

/** Job: looks at a site, first by requests, then in the browser. A second delivery does nothing. */
export async function lookAtSite(
  ctx: WorkerContext,
  { lookId }: { lookId: string },
  job: Pick<JobRun, 'signal'>,
): Promise<void> {
  const found = await findLook(ctx.db, { id: lookId });
  if (found?.status !== 'PENDING') return;
  await settleLook(ctx.db, lookId, await look(ctx, found, job));
}

/** Called when the job failed at every attempt. */
export async function giveUpLook({ db }: Pick<Context, 'db'>, { lookId }: { lookId: string }): Promise<void> {
  const problem = 'Couldn’t load the site. You can still create the suite.';
  await settleLook(db, lookId, { picture: null, problem });
}
