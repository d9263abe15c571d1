import { followRedirects, redirectTarget } from '../../net/network.ts';
import { normalizeEncoding } from '../../net/site-base.ts';
import { matchesTexts } from '../../text/globs.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { PoliteClient } from './polite-client.ts';

/** More than is read of it, because a longer file is no reason not to crawl. */
const FETCHED_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_CRAWL_DELAY_S = 10;

export type RobotsRules = {
  isAllowed(path: string): boolean;
  /** Milliseconds between requests, at most ten seconds. 0: none is requested. */
  crawlDelay: number;
  /** Absolute addresses. */
  sitemaps: string[];
  /** Why the file could not be read. In that case everything is forbidden (RFC 9309 2.3.1.4). */
  unreachable: string | null;
};

/** For a file that sets no rules, or does not exist (RFC 9309 2.3.1.3). */
export const NO_RULES: RobotsRules = { isAllowed: () => true, crawlDelay: 0, sitemaps: [], unreachable: null };

function parseRobots(body: Buffer, origin: string, userAgent: string): RobotsRules {
  const { isAllowed, crawlDelay, sitemaps } = readRobotsFile(body, userAgent);
  return {
    isAllowed,
    crawlDelay: Math.min(Math.max(crawlDelay, 0), MAX_CRAWL_DELAY_S) * 1000,
    sitemaps: sitemaps.flatMap((address) => parseUrl(address, `${origin}/robots.txt`)?.href ?? []),
    unreachable: null,
  };
}

/** Fetches /robots.txt. Follows redirects, even to another host. */
export async function readRobots(client: PoliteClient, origin: string, userAgent: string): Promise<RobotsRules> {
  const rules = await followRedirects<RobotsRules>(`${origin}/robots.txt`, MAX_REDIRECTS, async (url) => {
    const reply = await client.get(url, { maxBytes: FETCHED_BYTES });
    if (reply.kind === 'unavailable') {
      return { end: { ...NO_RULES, isAllowed: () => false, unreachable: reply.reason } };
    }
    const { status, body } = reply.response;
    if (status >= 200 && status < 300) return { end: parseRobots(body, origin, userAgent) };
    const next = redirectTarget(reply.response, url);
    return next === null ? { end: NO_RULES } : { next };
  });
  return rules ?? NO_RULES;
}

/** `pattern` is of the whole path: without a `$`, a rule ends in a star. */
type Rule = { allow: boolean; length: number; pattern: string };

export type RobotsFile = {
  /** `path` with its query. */
  isAllowed: (path: string) => boolean;
  /** Seconds. 0: none is requested. */
  crawlDelay: number;
  /** As written. */
  sitemaps: string[];
};

type Group = { agents: Set<string>; rules: Rule[]; delay: number | null };

/** RFC 9309 2.5: at least this much must be read. The rest is ignored, as other crawlers do. */
const MAX_BYTES = 500 * 1024;
/**
 * Maximum number of rules with a `*` in the groups that apply. Each costs up to the length of the path; further ones
 * are ignored.
 */
const MAX_WILDCARD_RULES = 1000;
const MAX_SITEMAPS = 1000;

/** One spelling (RFC 9309 2.2.2): bytes beyond ASCII are encoded, as in addresses, and hex digits are capitalized. */
function normalize(path: string): string {
  return normalizeEncoding(path.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text)));
}

/** Null: a rule without a path has no effect. */
function readRule(allow: boolean, value: string): Rule | null {
  if (value === '') return null;
  const path = normalize(value.startsWith('/') || value.startsWith('*') ? value : `/${value}`);
  const pattern = path.endsWith('$') ? path.slice(0, -1) : path.endsWith('*') ? path : `${path}*`;
  return { allow, length: path.length, pattern };
}

/**
 * For each prefix of `piece`, the length of the longest proper prefix that is also its suffix (Knuth, Morris and
 * Pratt).
 */
function borders(piece: string): Uint32Array {
  const found = new Uint32Array(piece.length + 1);
  for (let length = 0, at = 1; at < piece.length; at += 1) {
    while (length > 0 && piece.charCodeAt(at) !== piece.charCodeAt(length)) length = found[length] ?? 0;
    if (piece.charCodeAt(at) === piece.charCodeAt(length)) length += 1;
    found[at + 1] = length;
  }
  return found;
}

/** As `indexOf`, but linear in the sum of both lengths. */
function findIn(path: string, piece: string, start: number): number {
  if (piece === '') return start;
  if (piece.length > path.length - start) return -1;
  const back = borders(piece);
  for (let length = 0, at = start; at < path.length; at += 1) {
    while (length > 0 && path.charCodeAt(at) !== piece.charCodeAt(length)) length = back[length] ?? 0;
    if (path.charCodeAt(at) === piece.charCodeAt(length)) length += 1;
    if (length === piece.length) return at + 1 - length;
  }
  return -1;
}

/** The word by which groups name a crawler: `Pixelgate` of `Pixelgate/1.0 (+https://…)` (RFC 9309 2.2.1). */
const productToken = (userAgent: string) => /^[a-z_-]+/i.exec(userAgent.trim())?.[0].toLowerCase() ?? '';

type Reading = { groups: Group[]; sitemaps: string[]; inRules: boolean };

function readLine({ groups, sitemaps }: Reading, name: string, value: string, inRules: boolean): boolean {
  const group = groups.at(-1);
  switch (name) {
    case 'user-agent': {
      const agent = value === '*' ? '*' : productToken(value);
      if (group === undefined || inRules) groups.push({ agents: new Set([agent]), rules: [], delay: null });
      else group.agents.add(agent);
      return false;
    }
    case 'allow':
    case 'disallow': {
      const rule = readRule(name === 'allow', value);
      if (rule !== null) group?.rules.push(rule);
      return true;
    }
    case 'crawl-delay':
      if (group !== undefined) group.delay ??= Number.parseFloat(value) || 0;
      return true;
    case 'sitemap':
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
      return inRules;
    default:
      return inRules;
  }
}

function readGroups(text: string): Reading {
  const reading: Reading = { groups: [], sitemaps: [], inRules: false };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const plain = line.split('#', 1)[0] ?? '';
    const colon = plain.indexOf(':');
    if (colon === -1) continue;
    const name = plain.slice(0, colon).trim().toLowerCase();
    reading.inRules = readLine(reading, name, plain.slice(colon + 1).trim(), reading.inRules);
  }
  return reading;
}

const isWild = (pattern: string) => pattern.slice(0, -1).includes('*');

function boundWildcards(rules: readonly Rule[]): Rule[] {
  let wildcards = 0;
  return rules.filter(({ pattern }) => !isWild(pattern) || (wildcards += 1) <= MAX_WILDCARD_RULES);
}

/**
 * Reads a robots.txt by RFC 9309: all groups that name the crawler count as one, or those for `*` if none does. The
 * longest matching rule applies, and among equally long ones `Allow`. The work for a path is linear in its length and
 * the size of the file, whatever the file says.
 */
export function readRobotsFile(file: Buffer, userAgent: string): RobotsFile {
  const { groups, sitemaps } = readGroups(file.subarray(0, MAX_BYTES).toString('utf8'));
  const token = productToken(userAgent);
  const own = groups.filter(({ agents }) => token !== '' && agents.has(token));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.has('*'));
  const rules = boundWildcards(chosen.flatMap((group) => group.rules));
  rules.sort((one, other) => other.length - one.length || Number(other.allow) - Number(one.allow));
  return {
    isAllowed(path) {
      const normal = normalize(path);
      const find = (piece: string, start: number) => findIn(normal, piece, start);
      return rules.find(({ pattern }) => matchesTexts(pattern, normal, find))?.allow ?? true;
    },
    crawlDelay: chosen.find(({ delay }) => delay !== null)?.delay ?? 0,
    sitemaps,
  };
}
