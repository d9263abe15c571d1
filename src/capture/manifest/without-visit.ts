const NONCE = /'nonce-([A-Za-z0-9+/_=-]{1,200})'/g;

/** The nonces that a Content-Security-Policy names, each once. */
export const nonces = (policy: string): string[] => [
  ...new Set([...policy.matchAll(NONCE)].map(([, nonce = '']) => nonce)),
];

/** Replaces a nonce, numbered by its place in the policy. No nonce contains this character. */
const placeholder = (place: number) => `\u0001${place}`;

/** A header in which equal nonces are still equal, because a directive allows only what has its own. */
export function withoutNonces(header: string): string {
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
export const withoutTokens = (html: string): string =>
  html.replaceAll(TAG, (tag) => (TOKEN.test(tag) && HIDDEN.test(tag) ? tag.replace(VALUE, '') : tag));

/**
 * A document in which the nonces of its policy are their places in it, because a style with another nonce, or none, does
 * not apply. Browsers hide nonces from styles.
 */
export function withPlacesOfNonces(html: string, ofPolicy: readonly string[]): string {
  if (ofPolicy.length === 0) return html;
  return html.replaceAll(BY_NONCE, (tag) =>
    ofPolicy.reduce((rest, nonce, at) => rest.replaceAll(` nonce="${nonce}"`, ` nonce="${placeholder(at)}"`), tag),
  );
}
