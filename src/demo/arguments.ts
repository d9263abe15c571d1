export type Arguments =
  | { kind: 'demo'; once: boolean; site: string | null }
  | { kind: 'help' }
  /** `message` is a sentence for the person who typed the command. */
  | { kind: 'mistake'; message: string };

export const USAGE = `Usage: npm run demo -- [--once] [https://site]

Starts Pixelgate with a database of its own in a temporary directory and drives it over its REST API.

  (no address)    use the demo site: capture baselines of "before", then run against "after"
  https://site    use a real site: crawl up to 20 pages, capture baselines, then run again
  --once          stop at the end, with exit code 0 if everything went as planned, else 1
  --help          show this help
`;

function parseSite(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

export function readArguments(words: string[]): Arguments {
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help' };
  const unknown = words.find((word) => word.startsWith('-') && word !== '--once');
  if (unknown !== undefined) return { kind: 'mistake', message: `Unknown option: ${unknown}` };
  const addresses = words.filter((word) => !word.startsWith('-'));
  const [address] = addresses;
  if (addresses.length > 1) return { kind: 'mistake', message: 'The demo takes only one site.' };
  const once = words.includes('--once');
  if (address === undefined) return { kind: 'demo', once, site: null };
  const site = parseSite(address);
  return site === null
    ? { kind: 'mistake', message: `${address} is not an http(s) URL. Use a form like https://example.com.` }
    : { kind: 'demo', once, site };
}
