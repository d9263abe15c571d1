import { randomBytes } from 'node:crypto';
import { assertNever } from '../../errors.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import { pageUrl } from '../../pages/page-identity.ts';
import type { PageVisit, Visitor } from './fetch-preview-page.ts';
import { fetchPage } from './fetch-preview-page.ts';
import { isShell } from './page-text.ts';

/** Why a preview can't be captured. `final`: waiting does not help. */
export type PreviewProblem = { message: string; final: boolean };

const SAMPLE = 3;
/** Says which wall it is and which setting passes it. */
export type ExplainWall = (wall: Wall, address: string) => Promise<string>;

async function findProblem(look: PageVisit, address: string, explain: ExplainWall): Promise<PreviewProblem | null> {
  const { host } = new URL(address);
  switch (look.kind) {
    case 'page':
      return null;
    case 'elsewhere':
      return {
        message: `${host} redirects to ${look.host}, which looks like a login. ${await explain(look.wall ?? 'login', address)}`,
        final: true,
      };
    case 'silence':
      return { message: look.message, final: look.refused };
    case 'failure':
      if (look.wall !== null) {
        const explained = await explain(look.wall, address);
        return { message: `${host} requires a login (it returned ${look.status}). ${explained}`, final: true };
      }
      return look.provider === null
        ? { message: `${host} returned ${look.status}`, final: false }
        : { message: `${host} shows an error page from ${look.provider} (it returned ${look.status})`, final: false };
    default:
      return assertNever(look);
  }
}

const isAbsent = (look: PageVisit) => look.kind === 'failure' && (look.status === 404 || look.status === 410);

/** A path that exists on no site. */
const nowhere = () => `/pixelgate-${randomBytes(8).toString('hex')}`;

const isSame = (one: PageVisit, other: PageVisit) =>
  one.kind === 'page' && other.kind === 'page' && one.text === other.text;

/**
 * A login wall that answers 200 shows the same page at every path, and so does a single-page application. The suite's
 * own site tells them apart by its answer for a path that does not exist.
 */
async function isWall(
  visitor: Visitor,
  site: string,
  page: PageVisit & { kind: 'page' },
  path: string,
): Promise<boolean> {
  const [own, ownNowhere] = await Promise.all([
    fetchPage(visitor, pageUrl(site, path)),
    fetchPage(visitor, pageUrl(site, nowhere())),
  ]);
  if (own.kind === 'page') return !isSame(own, ownNowhere);
  return !isShell(page.html);
}

/**
 * Requests some pages of a preview before any screenshot is taken. They must answer, with neither a login wall nor an
 * error page of the host. Redirects on the preview's own host are followed.
 * @param site the suite's own site.
 * @param paths of the pages to be captured; at least one.
 * @returns null when the preview can be captured.
 */
export async function probePreview(
  visitor: Visitor,
  { address, site, paths, explain }: { address: string; site: string; paths: string[]; explain: ExplainWall },
): Promise<PreviewProblem | null> {
  const sample = paths.slice(0, SAMPLE);
  const looks = await Promise.all(sample.map((path) => fetchPage(visitor, pageUrl(address, path))));
  const index = looks.findIndex((look) => look.kind === 'page');
  const page = looks[index];
  const [first] = looks;
  if (page?.kind !== 'page') {
    // Pages that the pull request removes don't make the preview unusable.
    const root = looks.every(isAbsent) ? await fetchPage(visitor, pageUrl(address, '/')) : undefined;
    return root?.kind === 'page' || first === undefined
      ? null
      : findProblem(root?.kind === 'elsewhere' ? root : first, address, explain);
  }
  const lost = await fetchPage(visitor, pageUrl(address, nowhere()));
  const pages = looks.filter((look) => look.kind === 'page');
  if (!pages.every((each) => isSame(each, lost))) return null;
  if (!(await isWall(visitor, site, page, sample[index] ?? '/'))) return null;
  return {
    message: `${new URL(address).host} shows the same page at every path, like a login page. ${await explain('login', address)}`,
    final: true,
  };
}
