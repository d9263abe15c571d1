const NONCE = /'nonce-([A-Za-z0-9+/_=-]{1,200})'/g;

/** The nonces that a Content-Security-Policy names. */
export const nonces = (policy: string): string[] => [...policy.matchAll(NONCE)].map(([, nonce = '']) => nonce);

export const withoutNonces = (header: string): string => header.replaceAll(NONCE, "'nonce-'");

/** Of a name that a framework gives to its token against forged requests. */
const TOKEN = '(?:[\\w-]*csrf[\\w-]*|[\\w-]*xsrf[\\w-]*|authenticity[_-]token|__RequestVerificationToken)';

const META = new RegExp(`<meta\\s[^<>]{0,200}\\bname=["']?${TOKEN}["'\\s][^<>]{0,2000}>`, 'gi');
const INPUT = new RegExp(`<input\\s[^<>]{0,500}\\bname=["']?${TOKEN}["'\\s][^<>]{0,2000}>`, 'gi');
const HIDDEN = /\btype=["']?hidden\b/i;

const blank = (tag: string, attribute: 'content' | 'value') =>
  tag.replace(
    new RegExp(`\\s${attribute}\\s{0,5}=\\s{0,5}(?:"[^"]{0,1000}"|'[^']{0,1000}'|[^\\s>"']{1,1000})`, 'i'),
    '',
  );

/** A document without what belongs to one visit and is not drawn: nonces of its policy, and tokens that are not shown. */
export function withoutVisit(html: string, ofPolicy: readonly string[]): string {
  const plain = html
    .replaceAll(META, (tag) => blank(tag, 'content'))
    .replaceAll(INPUT, (tag) => (HIDDEN.test(tag) ? blank(tag, 'value') : tag));
  return ofPolicy.reduce((rest, nonce) => rest.replaceAll(`nonce="${nonce}"`, 'nonce=""'), plain);
}
