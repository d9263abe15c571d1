import { CaptureError, type Capture, type Landing } from '../../capture/browser/browser.ts';
import type { CaptureRequest } from '../../capture/browser/capture-request.ts';
import type { WorkerContext } from '../../context.ts';
import { isLoginPath, type Wall } from '../../net/recognize-wall.ts';
import { explainWall, isNamedLogin, type SiteVisit } from '../../suites/site-access/visit-site.ts';
import type { Pace } from './open-runs.ts';

/** @throws CaptureError, CaptureCancelled */
export async function captureAtPace(
  ctx: Pick<WorkerContext, 'browser'>,
  request: CaptureRequest,
  { isOver, ...turns }: Pace,
): Promise<Capture> {
  return ctx.browser.capture({ ...request, ...turns }, isOver);
}

/** What a capture met: the screenshot is of the page, or of a wall, or there is none. */
type Attempt = { capture: Capture; login: string | null } | { error: CaptureError; wall: Wall };

/** The path of the login page that the page redirected to. Null: it did not redirect, or asks for no password. */
function findLogin(landing: Landing | null, request: CaptureRequest, visit: SiteVisit): string | null {
  if (landing === null) return null;
  const { pathname } = new URL(landing.url);
  if (pathname === new URL(request.url).pathname) return null;
  const isLogin = isNamedLogin(visit, landing.url) || (landing.asksForPassword && isLoginPath(pathname));
  return isLogin ? pathname : null;
}

/** What was in the way of a page that could not be captured. Null: no wall that is known. */
function findWall({ wall, address }: CaptureError, visit: SiteVisit): Wall | null {
  return address !== null && isNamedLogin(visit, address) ? 'login' : wall;
}

/** A page that asks for a password at its own address may be a login page, if a login is configured for this site. */
const mayHaveLapsed = ({ landing }: Capture, visit: SiteVisit) =>
  visit.loginPath !== null && landing?.asksForPassword === true;

async function attempt(ctx: WorkerContext, request: CaptureRequest, visit: SiteVisit, pace: Pace): Promise<Attempt> {
  try {
    const capture = await captureAtPace(ctx, { ...request, access: visit.sent }, pace);
    return { capture, login: findLogin(capture.landing, request, visit) };
  } catch (error) {
    const wall = error instanceof CaptureError ? findWall(error, visit) : null;
    if (error instanceof CaptureError && wall !== null) return { error, wall };
    throw error;
  }
}

function isOpen(tried: Attempt, visit: SiteVisit): boolean {
  return 'capture' in tried && tried.login === null && !mayHaveLapsed(tried.capture, visit);
}

/** A screenshot of a login page only counts if the suite has no login of either kind, and then with a warning. */
function conclude(request: CaptureRequest, visit: SiteVisit, tried: Attempt): Capture {
  const { url: address } = request;
  if ('error' in tried) {
    const explained = explainWall({ wall: tried.wall, address, visit });
    throw new CaptureError(`${tried.error.message}. ${explained}`, { cause: tried.error, wall: tried.wall });
  }
  const { capture, login } = tried;
  if (login === null) return capture;
  const explained = explainWall({ wall: 'login', address, visit });
  const message = `The page redirected to ${login}, which asks for a password. ${explained}`;
  const hasLogin = visit.kinds.some((kind) => kind === 'login' || kind === 'storageState');
  if (hasLogin) throw new CaptureError(message, { wall: 'login' });
  return { ...capture, warnings: [...capture.warnings, { code: 'login_page', message }] };
}

/**
 * Captures a page with the access to the suite's site. An expired login is repeated once.
 * @param visitUrl returns the access for a URL
 * @throws CaptureError that names the wall and the setting that passes it; CaptureCancelled
 */
export async function captureWithAccess(
  ctx: WorkerContext,
  visitUrl: (url: string) => Promise<SiteVisit>,
  request: CaptureRequest,
  pace: Pace,
): Promise<Capture> {
  const visit = await visitUrl(request.url);
  if (visit.failure !== null) throw new CaptureError(visit.failure, { wall: 'login' });
  const tried = await attempt(ctx, request, visit, pace);
  if (visit.renew === null || visit.isNew || isOpen(tried, visit)) return conclude(request, visit, tried);
  const renewed = await visit.renew();
  if (renewed.failure !== null) throw new CaptureError(renewed.failure, { wall: 'login' });
  const again = await attempt(ctx, request, renewed, pace);
  if (isOpen(again, renewed)) renewed.confirm();
  return conclude(request, renewed, again);
}
