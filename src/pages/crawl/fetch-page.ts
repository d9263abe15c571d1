import pLimit from 'p-limit';
import { errorMessage } from '../../errors.ts';
import { followRedirects, redirectTarget, type FetchResponse } from '../../net/network.ts';
import { recognizeWall } from '../../net/recognize-wall.ts';
import { isOnHost } from '../../net/site-base.ts';
import { formatCount, formatStatus, plural } from '../../text/format.ts';
import { pageAddress, pageUrl } from '../page-identity.ts';
import { decodeText, isHtmlType, looksLikeHtml } from './decode-text.ts';
import type { DiscoverInput, DiscoverTools } from './discovery.ts';
import type { PoliteClient } from './polite-client.ts';
import { readHtml, type HtmlFacts } from './read-html.ts';

const MAX_RENDERED = 100;

/** Renders pages one at a time: the thread has one browser. */
function createPageRenderer(render: DiscoverTools['render']) {
  let rendered = 0;
  let leftOut = 0;
  const failures: string[] = [];
  const inTurn = pLimit(1);
  return {
    /** The page after its scripts ran. Null: too many pages were rendered already, or the browser failed. */
    async render(url: string) {
      if (rendered >= MAX_RENDERED) {
        leftOut += 1;
        return null;
      }
      rendered += 1;
      return inTurn(() => render(url)).catch((error: unknown) => {
        failures.push(`${url}: ${errorMessage(error)}`);
        return null;
      });
    },
    /** Sentences for people about pages that were not rendered. */
    warnings() {
      const [first] = failures;
      const count = formatCount(failures.length, 'page');
      return [
        ...(leftOut === 0
          ? []
          : [
              `${formatCount(leftOut, 'page')} without links ${plural(leftOut, 'was', 'were')} not opened in the browser`,
            ]),
        ...(first === undefined ? [] : [`${count} could not be opened in the browser, first ${first}`]),
      ];
    },
  };
}

const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Most redirects to the same page: to https, to another spelling, to the address without a tracking parameter. */
const MAX_RESPELLINGS = 5;

/** The outcome of loading one path. Links and the canonical are paths on the suite's own host. */
export type LoadedPage =
  | { kind: 'page'; title: string | null; links: string[]; canonical: string | null }
  | { kind: 'moved'; to: string }
  | { kind: 'missing'; reason: string }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'skipped'; reason: string };

export type PageLoader = {
  load(path: string, mayRender: boolean): Promise<LoadedPage>;
  /** Sentences for people about pages whose links may be missing: not opened in the browser, or too long. */
  warnings(): string[];
};

export type LoaderInput = Pick<DiscoverInput, 'baseUrl' | 'crawlOptions'>;

const wantsBody: (status: number, headers: Record<string, string>) => boolean = (status, headers) =>
  status >= 200 && status < 300 && isHtmlType(headers['content-type']);

const onHost = (baseUrl: string, href: string): { url: string; path: string } | null => {
  const address = pageAddress(href);
  return address !== null && isOnHost(address.url, baseUrl) ? address : null;
};

/** 404 and 410 mean that the page is gone. Any other refusal leaves that open. */
function refusal({ status }: FetchResponse): LoadedPage {
  const reason = `it returned ${formatStatus(status)}`;
  return { kind: status === 404 || status === 410 ? 'missing' : 'unavailable', reason };
}

/** The outcome of a redirect. Null when it goes to another spelling of the same address; it is followed then. */
function outcomeOfRedirect(path: string, baseUrl: string, next: string): LoadedPage | null {
  const target = pageAddress(next);
  if (target === null) return { kind: 'skipped', reason: 'it redirects to a URL that is not http(s)' };
  if (!isOnHost(target.url, baseUrl)) {
    return { kind: 'skipped', reason: `it redirects to ${new URL(target.url).host}, which is another host` };
  }
  return target.path === path ? null : { kind: 'moved', to: target.path };
}

/** The paths on the host that a page links to, without its own. */
function findOwnLinks({ baseUrl, crawlOptions }: LoaderInput, facts: HtmlFacts, path: string): string[] {
  const links = crawlOptions.respectRobots ? facts.links : [...facts.links, ...facts.noFollowLinks];
  const paths = links.flatMap((link) => onHost(baseUrl, link)?.path ?? []);
  return [...new Set(paths)].filter((other) => other !== path);
}

function toLoadedPage(input: LoaderInput, facts: HtmlFacts, path: string, headers: Record<string, string>): LoadedPage {
  const { baseUrl, crawlOptions } = input;
  // A refresh to an address such as `mailto:` leaves the page where it is.
  const refresh = facts.refresh?.startsWith('http') === true ? facts.refresh : null;
  const end = refresh === null ? null : outcomeOfRedirect(path, baseUrl, refresh);
  if (end !== null) return end;
  const noFollow = facts.noFollow || /\b(nofollow|none)\b/i.test(headers['x-robots-tag'] ?? '');
  const links = noFollow && crawlOptions.respectRobots ? [] : findOwnLinks(input, facts, path);
  const canonical = facts.canonical === null ? null : onHost(baseUrl, facts.canonical);
  return { kind: 'page', title: facts.title, links, canonical: canonical?.path ?? null };
}

/** Why an answer with a good status is no page. Null: it is one. */
function findObstacle(response: FetchResponse, url: string): LoadedPage | null {
  const { status, headers } = response;
  const type = headers['content-type'] ?? '';
  if (recognizeWall(response, url) !== null) return { kind: 'unavailable', reason: 'it asks for a password' };
  if (status === 204 || status === 205 || /^\s*attachment\b/i.test(headers['content-disposition'] ?? ''))
    return { kind: 'skipped', reason: 'it is a download or has no content' };
  return isHtmlType(type) ? null : { kind: 'skipped', reason: `it is ${type.slice(0, 100)}, not an HTML page` };
}

const withoutQuery = (path: string) => path.split('?', 1)[0];

function explainTooLong(urls: string[]): string[] {
  const [first] = urls;
  const are = plural(urls.length, 'is', 'are');
  return first === undefined
    ? []
    : [`${formatCount(urls.length, 'page')} ${are} too long to be read whole, first ${first}`];
}

export function createPageLoader(
  client: PoliteClient,
  render: DiscoverTools['render'],
  input: LoaderInput,
): PageLoader {
  const { baseUrl } = input;
  let origin = new URL(baseUrl).origin;
  const renderer = createPageRenderer(render);
  const tooLong: string[] = [];

  const read = async (path: string, url: string, response: FetchResponse, mayRender: boolean): Promise<LoadedPage> => {
    const type = response.headers['content-type'] ?? '';
    const obstacle = findObstacle(response, url);
    if (obstacle !== null) return obstacle;
    if (response.truncated) tooLong.push(url);
    const html = decodeText(response.body, type);
    if (type === '' && !looksLikeHtml(html)) return { kind: 'skipped', reason: 'it is not an HTML page' };
    const facts = readHtml(html, url);
    const page = toLoadedPage(input, facts, path, response.headers);
    if (page.kind !== 'page' || !mayRender || !facts.hasScripts || findOwnLinks(input, facts, path).length > 0)
      return page;
    const shown = await renderer.render(url);
    if (shown === null) return page;
    const address = onHost(baseUrl, shown.url);
    if (address === null)
      return { kind: 'skipped', reason: `it redirects to ${new URL(shown.url).host}, which is another host` };
    // If a script only rewrites the query, it stays on the same page. Following it could go on forever.
    return withoutQuery(address.path) === withoutQuery(path)
      ? toLoadedPage(input, readHtml(shown.html, shown.url), path, response.headers)
      : { kind: 'moved', to: address.path };
  };

  const load = async (path: string, mayRender: boolean): Promise<LoadedPage> => {
    const loaded = await followRedirects<LoadedPage>(pageUrl(origin, path), MAX_RESPELLINGS, async (url) => {
      const reply = await client.get(url, { maxBytes: MAX_PAGE_BYTES, wantsBody });
      if (reply.kind === 'unavailable') return { end: { kind: 'unavailable', reason: reply.reason } };
      const { status } = reply.response;
      if (status >= 200 && status < 300) return { end: await read(path, url, reply.response, mayRender) };
      const next = redirectTarget(reply.response, url);
      if (next === null) return { end: refusal(reply.response) };
      const end = outcomeOfRedirect(path, baseUrl, next);
      if (end !== null) return { end };
      // The site redirects from http to https, so its other pages are requested over https at once.
      origin = new URL(next).origin;
      return { next };
    });
    return loaded ?? { kind: 'skipped', reason: 'it redirects to itself' };
  };

  return { load, warnings: () => [...renderer.warnings(), ...explainTooLong(tooLong)] };
}
