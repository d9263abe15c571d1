/** The first that fits. Most browsers also claim to be others, which come later in this list. */
const BROWSERS: readonly [token: string, name: string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['HeadlessChrome/', 'Headless Chrome'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly [token: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

const find = (list: typeof BROWSERS, agent: string) => list.find(([token]) => agent.includes(token))?.[1] ?? null;

/**
 * A browser and its system from the `User-Agent` header, such as `Firefox on Linux`. For a program its name, such as
 * `curl`.
 */
export function describeAgent(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const browser = find(BROWSERS, agent);
  const system = find(SYSTEMS, agent);
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`;
  const [first = ''] = agent.split(' ');
  const [program = ''] = first.split('/');
  return program === '' ? 'Unknown browser' : program;
}
