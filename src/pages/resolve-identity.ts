import type { LoadedPage } from './crawl/fetch-page.ts';

export type Resolved =
  | { kind: 'page'; path: string; title: string | null; links: string[] }
  | Exclude<LoadedPage, { kind: 'page' } | { kind: 'moved' }>;

export type ResolveTools = {
  /** Loads each path only once, whoever calls. */
  load(path: string): Promise<LoadedPage>;
  isAllowed(path: string): boolean;
  /** The base URL, and where that leads. Some broken sites name either as the canonical of every page. */
  homePath: string;
  landedPath: string;
};

const MAX_HOPS = 10;

type Page = Extract<LoadedPage, { kind: 'page' }>;
type Step = { path: string; page: Page };

const asPage = ({ path, page }: Step): Resolved => ({ kind: 'page', path, title: page.title, links: page.links });

/**
 * A page that names the home page as its canonical, but has a different title, is a page of its own. The site's
 * template is wrong, and following the link would shrink the site to one page.
 */
async function isFalseCanonical(step: Step, canonical: string, tools: ResolveTools): Promise<boolean> {
  if (!tools.isAllowed(canonical)) return true;
  if (canonical !== tools.homePath && canonical !== tools.landedPath) return false;
  const home = await tools.load(tools.landedPath);
  return home.kind === 'page' && home.title !== step.page.title;
}

/** Follows redirects and canonical links from `start` to the page that they identify. */
export async function resolveIdentity(start: string, tools: ResolveTools): Promise<Resolved> {
  const visited = new Set<string>();
  const steps: Step[] = [];
  let path = start;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (visited.has(path)) break;
    visited.add(path);
    if (!tools.isAllowed(path)) return fallback(steps, { kind: 'skipped', reason: 'robots.txt does not allow it' });
    const loaded = await tools.load(path);
    if (loaded.kind === 'moved') {
      path = loaded.to;
      continue;
    }
    if (loaded.kind !== 'page') return fallback(steps, loaded);
    const step = { path, page: loaded };
    const { canonical } = loaded;
    if (canonical === null || canonical === path || (await isFalseCanonical(step, canonical, tools)))
      return asPage(step);
    steps.push(step);
    path = canonical;
  }
  // If pages name each other as canonical, this is the same one whatever the order: of the shortest, the first by name.
  const [chosen] = findLoop(steps, path).toSorted(
    (a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
  );
  return chosen === undefined ? { kind: 'skipped', reason: 'it is in a redirect loop' } : asPage(chosen);
}

/** The steps of the loop, starting with the path that occurred again. */
function findLoop(steps: Step[], path: string): Step[] {
  const from = steps.findIndex((step) => step.path === path);
  return from === -1 ? steps : steps.slice(from);
}

/**
 * A canonical link to a page that can't be used is ignored. If the page just doesn't answer at the moment, the link may
 * be right, so nothing is decided.
 */
function fallback(steps: Step[], outcome: Exclude<Resolved, { kind: 'page' }>): Resolved {
  const last = outcome.kind === 'unavailable' ? undefined : steps.at(-1);
  return last === undefined ? outcome : asPage(last);
}
