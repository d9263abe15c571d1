import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parseUrl } from '../../text/parse-url.ts';
import type { Exchange } from './manifest.ts';
import {
  documentWithoutPlace,
  markInDocument,
  markOwnAddresses,
  markWaysOut,
  policiesAtPlace,
  policyAtPlace,
  showsTags,
  styleWithoutPlace,
  withoutPlace,
  type Places,
} from './places.ts';

/** An exchange as it was: header names in lower case, the body decoded. */
export type Served = {
  url: string;
  kind: string;
  asked: Record<string, string>;
  status: number;
  answered: Record<string, string>;
  /** Null for a redirect and a prefetch. */
  body: Buffer | null;
};

/** Request headers of the browser that are sent again for a proof. */
const DECIDES =
  /^(?:user-agent|accept|accept-language|upgrade-insecure-requests|referer|origin|priority|sec-.*|save-data|dpr|width|viewport-width)$/;

/**
 * Request headers of the connection or of the site access, or that are not sent again because a proof needs the
 * complete response.
 */
const NOT_KEPT =
  /^(?::.*|host|connection|proxy-connection|content-length|accept-encoding|cookie|cache-control|pragma|if-.*)$/;

/**
 * All response headers that affect how browsers draw. They ignore or only store others, such as `etag` or
 * `x-served-by`.
 */
const DRAWS =
  /^(?:content-(?:type|security-policy|security-policy-report-only|disposition|language|location|style-type)|refresh|link|location|x-frame-options|x-content-type-options|referrer-policy|permissions-policy|feature-policy|document-policy|require-document-policy|document-isolation-policy|integrity-policy|connection-allowlist|origin-trial|origin-agent-cluster|cross-origin-.*|access-control-.*|service-worker-.*|set-cookie|clear-site-data|accept-ch|critical-ch|content-dpr|default-style|speculation-rules|supports-loading-mode|activate-storage-access|use-as-dictionary|unencoded-digest|signature|signature-input)$/;

const TEXT = /^(?:text\/|application\/(?:json|javascript|xml|xhtml\+xml|manifest\+json)|image\/svg)/i;

export const isText = (type: string | undefined): boolean => TEXT.test(type ?? '');

/** Request headers with an unknown meaning. `own`: names of those that belong to the site access. */
export function unknownHeaders(asked: Record<string, string>, own: readonly string[]): string[] {
  return Object.keys(asked).filter((name) => !DECIDES.test(name) && !NOT_KEPT.test(name) && !own.includes(name));
}

const byName = (headers: Record<string, string>) =>
  Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1));

function keepAsked(places: Places, asked: Record<string, string>, own: readonly string[]): Record<string, string> {
  const kept = byName(asked).filter(([name]) => DECIDES.test(name) && !own.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutPlace(places, value)]));
}

/**
 * Servers write it in several ways, such as `text/html;charset=UTF-8`. A style sheet in ASCII is the same whether or not
 * they add that.
 */
function keepType(type: string, { kind, body }: Pick<Served, 'kind' | 'body'>): string {
  const plain = type.toLowerCase().replaceAll(/;\s{1,9}/g, ';');
  return kind === 'stylesheet' && body !== null && isAscii(body) ? plain.replace(/;charset=utf-8$/, '') : plain;
}

function keepAnswered(places: Places, served: Served): Record<string, string> {
  const { url, answered } = served;
  const kept = byName(answered).filter(([name]) => DRAWS.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      // Whatever its value, it means that the next response may differ.
      if (name === 'set-cookie') return [name, 'set'];
      if (name === 'location') {
        const target = parseUrl(value, url);
        return [name, target === null ? value : withoutPlace(places, target.href)];
      }
      if (name === 'content-type') return [name, keepType(value, served)];
      const plain = withoutNonces(value);
      const said = name.startsWith('content-security-policy') ? policyAtPlace(places, plain) : plain;
      return [name, withoutPlace(places, said)];
    }),
  );
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The browser returns text without it. */
const withoutMark = (body: Buffer): Buffer =>
  body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(BYTE_ORDER_MARK.length) : body;

/**
 * Text in the form for comparison: with placeholders for its own address, and without parts that belong to one visit.
 */
function toComparable(places: Places, { answered, kind }: Served, body: Buffer, literal: boolean): string | Buffer {
  // As UTF-8, bytes that are something else would all be equal.
  if (kind === 'stylesheet')
    return markOwnAddresses(places, literal ? body.toString('latin1') : styleWithoutPlace(places, body.toString()));
  // A drawing may use parts of another one, and pictures in these are loaded like those of the page.
  if (kind === 'other') return markOwnAddresses(places, body.toString('latin1'));
  if (kind !== 'document') return body;
  const text = policiesAtPlace(places, body.toString());
  if (showsTags(text)) return markInDocument(places, text);
  const ofAll = withPlacesOfNonces(text, nonces(answered['content-security-policy'] ?? ''));
  return markInDocument(places, literal ? ofAll : documentWithoutPlace(places, withoutTokens(ofAll)));
}

function hashBody(places: Places, served: Served, literal: boolean): string | null {
  const { kind, answered, body } = served;
  if (body === null) return null;
  const hash = createHash('sha256');
  // A style sheet applies without a type, too.
  if (kind !== 'stylesheet' && !isText(answered['content-type'])) return hash.update(body).digest('hex');
  const text = toComparable(places, served, withoutMark(body), literal);
  return hash.update(typeof text === 'string' ? markWaysOut(places, served.url, text) : text).digest('hex');
}

/** An exchange to store, or to compare with a stored one. `own`: names of headers that belong to the site access. */
export function toExchange(
  places: Places,
  served: Served,
  { own = [], literal = false }: { own?: readonly string[]; literal?: boolean } = {},
): Exchange {
  const { url, kind, asked, status } = served;
  return {
    url: withoutPlace(places, url),
    kind,
    asked: keepAsked(places, asked, own),
    status,
    answered: keepAnswered(places, served),
    body: hashBody(places, served, literal),
  };
}

const NONCE = /'nonce-([A-Za-z0-9+/_=-]{1,200})'/g;

/** The nonces that a Content-Security-Policy names, each once. */
const nonces = (policy: string): string[] => [...new Set([...policy.matchAll(NONCE)].map(([, nonce = '']) => nonce))];

/** Replaces a nonce, numbered by its place in the policy. No nonce contains this character. */
const placeholder = (place: number) => `\u0001${place}`;

/** A header in which equal nonces are still equal, because a directive allows only what has its own. */
function withoutNonces(header: string): string {
  const all = nonces(header);
  return header.replaceAll(NONCE, (_, nonce: string) => `'nonce-${placeholder(all.indexOf(nonce))}'`);
}

const TAG = /<(?:meta|input)\s[^<>]{0,3000}>/gi;

/** A name that a framework gives to its token against forged requests. */
const TOKEN =
  /\sname=["']?(?:[\w-]{0,30}(?:csrf|xsrf)[\w-]{0,30}|authenticity[_-]token|__RequestVerificationToken)["'\s/>]/i;
const BY_NONCE = /<(?:style|link|script)\s[^<>]{0,3000}>/gi;
const HIDDEN = /\stype=["']?hidden\b|^<meta\b/i;
const VALUE = /\s(?:content|value)=(?:"[^"]{0,2000}"|'[^']{0,2000}')/i;

/** A document without the hidden tokens that belong to one visit. */
const withoutTokens = (html: string): string =>
  html.replaceAll(TAG, (tag) => (TOKEN.test(tag) && HIDDEN.test(tag) ? tag.replace(VALUE, '') : tag));

/**
 * A document in which the nonces of its policy are their places in it, because a style with another nonce, or none, does
 * not apply. Browsers hide nonces from styles.
 */
function withPlacesOfNonces(html: string, ofPolicy: readonly string[]): string {
  if (ofPolicy.length === 0) return html;
  return html.replaceAll(BY_NONCE, (tag) =>
    ofPolicy.reduce((rest, nonce, at) => rest.replaceAll(` nonce="${nonce}"`, ` nonce="${placeholder(at)}"`), tag),
  );
}
