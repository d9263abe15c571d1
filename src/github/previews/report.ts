import type { SignalSource } from '../../pull-requests/previews/preview-search.ts';
import { parsePreviewUrl } from '../../suites/config/preview-matcher.ts';

/**
 * The state of a preview. READY: it is up. PENDING: it is being built. FAILED: it will not come. SKIPPED: the host did
 * not build it.
 */
export type SignalState = 'PENDING' | 'READY' | 'FAILED' | 'SKIPPED';

/** An event that may be about a preview, in GitHub's words, the same for every kind of event. */
export type Report = {
  source: SignalSource;
  /** The environment of the deployment, the context of the status, the name of the check, or the project. */
  name: string;
  /** GitHub's value: a state, the conclusion of a check, or the type of a dispatch. */
  state: string;
  description: string;
  /** The addresses in it, the most likely one for a preview first. */
  links: string[];
  /** The text in which some hosts write the address. */
  text: string;
  /** The App of a check. */
  app: { id: number; slug: string } | null;
  /** The account that made the deployment. */
  creator: string | null;
};

/** What the values mean, whichever event has them. Others say nothing about a preview. */
const STATES: Record<string, SignalState> = {
  pending: 'PENDING',
  queued: 'PENDING',
  in_progress: 'PENDING',
  waiting: 'PENDING',
  requested: 'PENDING',
  // `inactive` is not here: a newer deployment took over, usually of another commit. The address may still work.
  success: 'READY',
  neutral: 'SKIPPED',
  skipped: 'SKIPPED',
  cancelled: 'SKIPPED',
  failure: 'FAILED',
  error: 'FAILED',
  timed_out: 'FAILED',
  startup_failure: 'FAILED',
  action_required: 'FAILED',
  stale: 'FAILED',
  'vercel.deployment.pending': 'PENDING',
  'vercel.deployment.success': 'READY',
  'vercel.deployment.ready': 'READY',
  'vercel.deployment.error': 'FAILED',
  'vercel.deployment.failed': 'FAILED',
  'vercel.deployment.canceled': 'SKIPPED',
  'vercel.deployment.ignored': 'SKIPPED',
  'vercel.deployment.skipped': 'SKIPPED',
};

const NOT_BUILT = /\b(cancell?ed|skipped|ignored|no changes detected)\b/i;

/** The state of a report by GitHub's value. Null if that says nothing about a preview. */
export function readState({ state, description }: Report): SignalState | null {
  const said = STATES[state] ?? null;
  return said !== null && said !== 'PENDING' && NOT_BUILT.test(description) ? 'SKIPPED' : said;
}

/** Where hosts show builds and logs to signed-in users, but no previews. */
const DASHBOARDS = [
  /^(www\.)?github\.com$/,
  /^vercel\.com$/,
  /^app\.netlify\.com$/,
  /^dash\.cloudflare\.com$/,
  /^dashboard\.(heroku|render)\.com$/,
  /^railway\.(app|com)$/,
  /^([\w-]+\.)*console\.aws\.amazon\.com$/,
  /^(www\.)?fly\.io$/,
];

const isDashboard = (address: string): boolean => {
  const { hostname } = new URL(address);
  return DASHBOARDS.some((dashboard) => dashboard.test(hostname));
};

/** The first link that is the address of a page and not of a dashboard. */
export function firstAddress({ links }: Report): string | null {
  const addresses = links.map(parsePreviewUrl).filter((address) => address !== null);
  return addresses.find((address) => !isDashboard(address)) ?? null;
}

/** The first address below one of the domains, in the text or else among the links. */
export function addressBelow({ links, text }: Report, domains: readonly string[]): string | null {
  const written = [...text.matchAll(/https:\/\/[^\s"'<>()[\]|\\]+/g)].map(([address]) => address);
  const addresses = [...written, ...links].map(parsePreviewUrl).filter((address) => address !== null);
  return addresses.find((address) => domains.some((domain) => new URL(address).hostname.endsWith(domain))) ?? null;
}

/** GitHub marks an environment with exactly this name. Hosts use others: `Production – shop`, `prod-eu`. */
export function isProduction(deployment: {
  environment: string;
  production_environment?: boolean | undefined;
}): boolean {
  const name = deployment.environment.trim();
  return (
    deployment.production_environment === true || name === 'github-pages' || /^prod(uction)?($|[^a-z])/i.test(name)
  );
}
