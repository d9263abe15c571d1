import { randomBytes } from 'node:crypto';
import { assertNever } from '../../errors.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import { addressAt, isOnHost, nameBase, siteBase, type SiteBase } from '../../net/site-base.ts';
import { fetchPage, isShell, type PageVisit, type Visitor } from './fetch-preview-page.ts';

/** Why a preview can't be captured. `final`: waiting does not help. */
export type PreviewProblem = { message: string; final: boolean };

const SAMPLE = 3;
/** Says which wall it is and which setting passes it. */
type ExplainWall = (wall: Wall, address: string) => Promise<string>;

async function findProblem(look: PageVisit, address: string, explain: ExplainWall): Promise<PreviewProblem | null> {
  const place = nameBase(address);
  switch (look.kind) {
    case 'page':
      return null;
    case 'elsewhere':
      return {
        message: `${place} redirects to ${look.host}, which looks like a login. ${await explain(look.wall ?? 'login', address)}`,
        final: true,
      };
    case 'outside':
      return look.wall === null
        ? { message: `${place} redirects to ${look.address}, which is outside of the preview`, final: false }
        : {
            message: `${place} redirects to ${look.address}, which looks like a login. ${await explain(look.wall, address)}`,
            final: true,
          };
    case 'silence':
      return { message: look.message, final: look.refused };
    case 'failure':
      if (look.wall !== null) {
        const explained = await explain(look.wall, address);
        return { message: `${place} requires a login (it returned ${look.status}). ${explained}`, final: true };
      }
      return look.provider === null
        ? { message: `${place} returned ${look.status}`, final: false }
        : { message: `${place} shows an error page from ${look.provider} (it returned ${look.status})`, final: false };
    default:
      return assertNever(look);
  }
}

const isAbsent = (look: PageVisit) => look.kind === 'failure' && (look.status === 404 || look.status === 410);

/** An address at which no site has a page. */
const nowhere = ({ origin, path }: SiteBase) => `${origin}${path}pixelgate-${randomBytes(8).toString('hex')}`;

const isSame = (one: PageVisit, other: PageVisit) =>
  one.kind === 'page' && other.kind === 'page' && one.text === other.text;

/**
 * A login wall that answers 200 shows the same page at every path, and so does a single-page application. The suite's
 * own site tells them apart by its answer for a path that does not exist.
 */
async function isWall(
  visitor: Visitor,
  site: SiteBase,
  page: PageVisit & { kind: 'page' },
  path: string,
): Promise<boolean> {
  const host = { origin: site.origin, path: '/' };
  const [own, ownNowhere] = await Promise.all([
    fetchPage(visitor, site.origin + path, host),
    fetchPage(visitor, nowhere(site), host),
  ]);
  if (own.kind === 'page') return !isSame(own, ownNowhere);
  return !isShell(page.html);
}

/**
 * Below a path of the site's own host that nothing was deployed to, a host may show the site's single-page application. A
 * preview that was deployed there has a page of its own.
 */
async function isSite(
  visitor: Visitor,
  base: SiteBase,
  site: SiteBase,
  page: PageVisit & { kind: 'page' },
): Promise<boolean> {
  if (!isOnHost(base.origin, site.origin)) return false;
  const host = { origin: site.origin, path: '/' };
  const shown = await fetchPage(visitor, nowhere(host), host);
  return shown.kind === 'page' && shown.html === page.html;
}

/** The pages at one place, and the response for a missing page. `lost` is null if no page answered. */
type Looks = { base: SiteBase; looks: PageVisit[]; lost: PageVisit | null };

async function lookAt(visitor: Visitor, base: SiteBase, site: SiteBase, paths: string[]): Promise<Looks> {
  const addresses = paths.map((path) => addressAt(base, site, path)).filter((address) => address !== null);
  const looks = await Promise.all(addresses.map((address) => fetchPage(visitor, address, base)));
  const lost = looks.some(({ kind }) => kind === 'page') ? await fetchPage(visitor, nowhere(base), base) : null;
  return { base, looks, lost };
}

const countFound = ({ looks, lost }: Looks) =>
  looks.filter((look) => look.kind === 'page' && (lost === null || !isSame(look, lost))).length;

/**
 * The pages below the preview's address. If an application knows its base path, hosts report only the host name, and
 * its pages are below the same path there.
 */
async function lookAtPreview(visitor: Visitor, base: SiteBase, site: SiteBase, paths: string[]): Promise<Looks> {
  const given = await lookAt(visitor, base, site, paths);
  const isBare = base.path === '/' && site.path !== '/' && !isOnHost(base.origin, site.origin);
  if (!isBare || countFound(given) === paths.length) return given;
  const below = await lookAt(visitor, { ...base, path: site.path }, site, paths);
  return countFound(below) > countFound(given) ? below : given;
}

async function judge(
  visitor: Visitor,
  { base, looks, lost }: Looks,
  { site, paths, explain, isAnnounced }: { site: SiteBase } & Pick<Probe, 'paths' | 'explain' | 'isAnnounced'>,
): Promise<PreviewProblem | null> {
  const root = base.origin + base.path;
  const index = looks.findIndex((look) => look.kind === 'page');
  const page = looks[index];
  if (page?.kind !== 'page') {
    // Pages that the pull request removes don't make the preview unusable.
    const home = looks.every(isAbsent) ? await fetchPage(visitor, root, base) : undefined;
    if (home?.kind === 'page') return null;
    const [first = home] = looks;
    const met = home?.kind === 'elsewhere' || home?.kind === 'outside' ? home : first;
    return met === undefined ? null : findProblem(met, root, explain);
  }
  const pages = looks.filter((look) => look.kind === 'page');
  if (lost === null || !pages.every((each) => isSame(each, lost))) return null;
  if (!isAnnounced && (await isSite(visitor, base, site, page))) {
    const message = `${nameBase(root)} shows the same page that ${new URL(site.origin).host} shows where it has no page`;
    return { message, final: false };
  }
  if (!(await isWall(visitor, site, page, paths[index] ?? site.path))) return null;
  return {
    message: `${nameBase(root)} shows the same page at every path, like a login page. ${await explain('login', root)}`,
    final: true,
  };
}

type Probe = {
  /** Of the preview. */
  address: string;
  /** The suite's base URL. */
  site: string;
  /** Of the pages to be captured. */
  paths: string[];
  explain: ExplainWall;
  /** Its host has said that it is up. */
  isAnnounced: boolean;
};

/**
 * Requests some pages of a preview before any screenshot is taken. They must answer, with neither a login wall nor an
 * error page of the host. Redirects within the preview are followed.
 * @returns the base address of the pages, and the problem, which is null if they can be captured.
 */
export async function probePreview(
  visitor: Visitor,
  { address, site: siteUrl, paths, explain, isAnnounced }: Probe,
): Promise<{ address: string; problem: PreviewProblem | null }> {
  const [base, site] = [siteBase(address), siteBase(siteUrl)];
  const sample = paths.filter((path) => addressAt(base, site, path) !== null).slice(0, SAMPLE);
  const seen = await lookAtPreview(visitor, base, site, sample);
  const problem = await judge(visitor, seen, { site, paths: sample, explain, isAnnounced });
  return { address: seen.base === base ? address : seen.base.origin + seen.base.path, problem };
}
