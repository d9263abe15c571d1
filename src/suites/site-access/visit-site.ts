import { isRecent } from '../../async/is-recent.ts';
import { keepNewest } from '../../async/keep-newest.ts';
import { CaptureError } from '../../capture/browser/browser.ts';
import type { SiteSession, WorkerContext } from '../../context.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import { isSentTo, type SentAccess } from '../../net/sent-access.ts';
import { findSuite } from '../suite-store.ts';
import { LoginFailed, openSession } from './open-session.ts';
import { isPreviewHost } from './preview-host.ts';
import { findSiteAccess } from './site-access-store.ts';
import { SITE_SECRETS, type AccessKind, type SiteSecrets, type StoredAccess } from './site-access.ts';

export type VisitContext = Pick<WorkerContext, 'db' | 'config' | 'network' | 'browser' | 'siteSessions' | 'clock'>;

/** Why nothing is sent: there is nothing, it is not for this host, or it must be entered again. */
type Withheld = 'NONE' | 'OTHER_HOST' | 'OTHER_ORIGIN' | 'OTHER_SECRET';

/** What is sent to the origin of one URL. */
export type SiteVisit = {
  sent: SentAccess | null;
  withheld: Withheld | null;
  /** The access that is sent, as it was entered. Null: nothing is sent. */
  revision: string | null;
  /** Also of an access that is withheld, like the path of its form login. */
  kinds: AccessKind[];
  loginPath: string | null;
  /** Why the site did not let us in. */
  failure: string | null;
  /** This visit opened the session. */
  isNew: boolean;
  /** Logs in again. Null if there is no login, or if it did not help before. */
  renew: (() => Promise<SiteVisit>) | null;
  /** Records that renewing the session helped. */
  confirm: () => void;
};

/** Whether this is the login page that the suite names. */
export const isNamedLogin = ({ loginPath }: SiteVisit, url: string): boolean =>
  loginPath !== null && new URL(url).pathname === new URL(loginPath, url).pathname;

/** `scope`: what a login is kept for, such as a run. */
export type VisitOf = { suiteId: string; url: string; scope: string };

/** How long a failed login is not tried again, ms. */
const FAILED_MS = 60_000;
/** A page that is closed to everybody must not cause a login each time. */
const MAX_RENEWALS = 3;
/** A login is renewed again after this time, even if that did not help before: it may have expired by then, ms. */
const VAIN_MS = 300_000;
/** Sessions that a worker keeps. */
const KEPT = 50;

/** The parts of the access, whether they are sent or not. */
const facts = ({ kinds }: Pick<StoredAccess, 'kinds'>): Pick<SiteVisit, 'kinds' | 'loginPath'> => ({
  kinds: kinds.map(({ kind }) => kind),
  loginPath: kinds.find(({ kind }) => kind === 'login')?.names[0] ?? null,
});

const nothing = (withheld: Withheld, stored: Pick<StoredAccess, 'kinds'>): SiteVisit => ({
  sent: null,
  withheld,
  revision: null,
  ...facts(stored),
  failure: null,
  isNew: false,
  renew: null,
  confirm: () => undefined,
});

/** Plain http would reveal it to everybody on the network path. Only hosts on this machine have no such path. */
function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function withhold(stored: StoredAccess, url: string): Withheld | null {
  if (stored.origin !== stored.suiteOrigin) return 'OTHER_ORIGIN';
  if (isSentTo(stored, url)) return null;
  return isPreviewHost(stored.previewHosts, url) && isSafe(new URL(url)) ? null : 'OTHER_HOST';
}

/** The promise is stored immediately, so that two concurrent visits log in once. */
function keep(ctx: VisitContext, key: string, opening: Promise<SiteSession>): Promise<SiteSession> {
  opening.catch(() => ctx.siteSessions.delete(key));
  return keepNewest(ctx.siteSessions, key, opening, KEPT);
}

async function open(ctx: VisitContext, secrets: SiteSecrets, suiteId: string, origin: string): Promise<SiteSession> {
  const suite = await findSuite(ctx.db, suiteId);
  const empty = { origin, headers: [], cookies: [], localStorage: [] };
  const session = { sent: empty, failure: null, renewals: 0 };
  if (suite === null) return { ...session, at: ctx.clock.now() };
  try {
    const sent = await openSession(ctx, secrets, origin, suite.config.crawlOptions);
    return { ...session, sent, at: ctx.clock.now() };
  } catch (error) {
    if (!(error instanceof LoginFailed) && !(error instanceof CaptureError)) throw error;
    return { ...session, failure: error.message, at: ctx.clock.now() };
  }
}

/** Whether to use it as it is, because it works, or because it is too early to try again. */
function isUsable({ clock }: VisitContext, { failure, at }: SiteSession): boolean {
  return failure === null || isRecent(clock.now(), at, FAILED_MS);
}

/** Whether renewing it recently did not help. */
function isVain({ clock }: VisitContext, { renewals, at }: SiteSession): boolean {
  return renewals >= MAX_RENEWALS && isRecent(clock.now(), at, VAIN_MS);
}

type Opening = { opening: Promise<SiteSession>; isNew: boolean };

/**
 * The session for this key. Nothing is awaited between the lookup and storing it, so two concurrent visits log in once.
 */
async function findSession(ctx: VisitContext, key: string, opens: () => Promise<SiteSession>): Promise<Opening> {
  const kept = ctx.siteSessions.get(key);
  if (kept === undefined) return { opening: keep(ctx, key, opens()), isNew: true };
  if (isUsable(ctx, await kept)) return { opening: kept, isNew: false };
  const present = ctx.siteSessions.get(key);
  const isReplaced = present !== undefined && present !== kept;
  return { opening: isReplaced ? present : keep(ctx, key, opens()), isNew: true };
}

/**
 * The access to a suite's site, or to an allowed preview, at this URL. The first visit logs in, and later ones of the
 * same scope in this worker use the same session.
 */
export async function visitSite(ctx: VisitContext, of: VisitOf): Promise<SiteVisit> {
  const { suiteId, url, scope } = of;
  const stored = await findSiteAccess(ctx.db, suiteId);
  if (stored === null) return nothing('NONE', { kinds: [] });
  const withheld = withhold(stored, url);
  if (withheld !== null) return nothing(withheld, stored);
  const secrets = SITE_SECRETS.open(ctx.config, suiteId, stored.sealed);
  if (secrets === null) return nothing('OTHER_SECRET', stored);
  const { origin } = new URL(url);
  const key = [stored.revision, origin, scope].join(' ');
  const opens = async () => open(ctx, secrets, suiteId, origin);
  const { opening, isNew } = await findSession(ctx, key, opens);
  const session = await opening;
  const { vercel, cloudflareAccess, netlify, login } = secrets;
  const isGot = [vercel, cloudflareAccess, netlify, login].some((each) => each !== undefined);
  const mayRenew = isGot && session.failure === null && !isVain(ctx, session);
  const renew = async () => {
    const renewals = session.renewals + 1;
    // Another visit may have just done so.
    if (ctx.siteSessions.get(key) === opening) {
      void keep(
        ctx,
        key,
        opens().then((next) => ({ ...next, renewals })),
      );
    }
    return visitSite(ctx, of);
  };
  return {
    sent: session.failure === null ? session.sent : null,
    withheld: null,
    revision: stored.revision,
    ...facts(stored),
    failure: session.failure,
    isNew,
    renew: mayRenew ? renew : null,
    confirm: () => {
      session.renewals = 0;
    },
  };
}

/** The name of each wall, and the settings that pass it, the usual one first. */
const WALLS: Record<Wall, { name: string; setting: string; passedBy: AccessKind[] }> = {
  vercel: { name: 'Vercel’s deployment protection', setting: 'Vercel protection bypass', passedBy: ['vercel'] },
  cloudflareAccess: {
    name: 'Cloudflare Access',
    setting: 'Cloudflare Access service token',
    passedBy: ['cloudflareAccess'],
  },
  netlify: { name: 'Netlify’s site password', setting: 'Netlify password', passedBy: ['netlify'] },
  basic: { name: 'basic authentication', setting: 'Basic authentication', passedBy: ['basic'] },
  login: {
    name: 'a login',
    setting: 'Form login” or “Storage state',
    passedBy: ['login', 'storageState', 'cookies', 'headers'],
  },
};

export const nameWall = (wall: Wall): string => WALLS[wall].name;

function advise(wall: Wall, host: string, visit: SiteVisit): string {
  const { setting, passedBy } = WALLS[wall];
  switch (visit.withheld) {
    case 'OTHER_HOST':
      return `Site access is not sent to ${host}. If this is one of your previews, add its host in “Access to the site”`;
    case 'OTHER_ORIGIN':
      return 'The suite’s URL has changed since site access was set up, so it is not sent. Set it up again';
    case 'OTHER_SECRET':
      return 'Site access can’t be read because JWT_SECRET has changed. Set it up again';
    case 'NONE':
    case null:
      return visit.kinds.some((kind) => passedBy.includes(kind))
        ? 'It did not accept what is set in “Access to the site”'
        : `To pass it, set “${setting}” in “Access to the site”`;
  }
}

/** Sentences: which wall it is, and which setting passes it. */
export function explainWall({ wall, address, visit }: { wall: Wall; address: string; visit: SiteVisit }): string {
  const { host } = new URL(address);
  return `${host} is behind ${WALLS[wall].name}. ${advise(wall, host, visit)}`;
}
