export type Arguments =
  | { kind: 'demo'; once: boolean; site: string | null }
  | { kind: 'help' }
  /** `message` is a sentence for the person at the keyboard. */
  | { kind: 'mistake'; message: string };

export const USAGE = `Usage: npm run demo -- [--once] [https://site]

Starts Pixelgate with a database of its own in a temporary directory and drives it over its REST API.

  (no address)    on the demonstration site: a baseline of "before", then a run against "after"
  https://site    on a real site: a crawl of up to 20 pages, a baseline, and a second run
  --once          stop at the end; exit 0 when the outcome is what was planned, 1 when it is not
  --help          print this
`;

function siteOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

export function readArguments(words: string[]): Arguments {
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help' };
  const unknown = words.find((word) => word.startsWith('-') && word !== '--once');
  if (unknown !== undefined) return { kind: 'mistake', message: `There is no option ${unknown}.` };
  const addresses = words.filter((word) => !word.startsWith('-'));
  const [address] = addresses;
  if (addresses.length > 1) return { kind: 'mistake', message: 'Only one site can be shown at a time.' };
  const once = words.includes('--once');
  if (address === undefined) return { kind: 'demo', once, site: null };
  const site = siteOf(address);
  return site === null
    ? { kind: 'mistake', message: `${address} is not an http(s) address; write it as in https://example.com.` }
    : { kind: 'demo', once, site };
}
