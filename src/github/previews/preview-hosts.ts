import { addressBelow, firstAddress, readState, type Report, type SignalState } from './report.ts';

/** How one host of previews reports them to GitHub. */
export type PreviewHost = {
  name: string;
  /** Whether the report is this host's. The first row that says so reads it. */
  reports: (report: Report) => boolean;
  /** Default: by GitHub's state. Null: it says nothing about a preview. */
  state?: (report: Report) => SignalState | null;
  /** Default: the first address. Null: it contains no address of this host's previews. */
  address?: (report: Report) => string | null;
  /** The project or site, which distinguishes previews of one host. Null, as by default: it names none. */
  project?: (report: Report) => string | null;
};

/** The first group of the pattern in the report's name. */
const named =
  (pattern: RegExp) =>
  ({ name }: Report): string | null =>
    pattern.exec(name)?.[1]?.trim() ?? null;

const below =
  (...domains: string[]) =>
  (report: Report): string | null =>
    addressBelow(report, domains);

const isDeploymentBy =
  (creator: RegExp) =>
  (report: Report): boolean =>
    report.source === 'DEPLOYMENT' && creator.test(report.creator ?? '');

const isDeploymentBelow =
  (...domains: string[]) =>
  (report: Report): boolean =>
    report.source === 'DEPLOYMENT' && addressBelow(report, domains) !== null;

/** All projects of Cloudflare Pages have checks of one name. The link to the dashboard tells them apart. */
const pagesProject = ({ links }: Report): string | null => /\/pages\/view\/([\w-]+)/.exec(links.join(' '))?.[1] ?? null;

const CLOUDFLARE_APP = 85_455;
const NETLIFY_CONTEXT = /^netlify\/(.+)\/deploy-preview$/;

/**
 * The hosts whose reports are recognized, one row each. `docs/github.md` lists them, and
 * `test/github/previews/preview-hosts.test.ts` has a recorded report for each.
 */
export const PREVIEW_HOSTS: readonly PreviewHost[] = [
  {
    // `Preview`, or `Preview – docs` where a repository has several projects. Addresses may be on domains of the team.
    name: 'Vercel',
    reports: isDeploymentBy(/^vercel\[bot\]$/),
    project: named(/^Preview\s+[–—-]\s+(\S.*)$/),
  },
  {
    // The only report of builds that Vercel skips, which get no deployment.
    name: 'Vercel',
    reports: ({ source }) => source === 'DISPATCH',
    address: below('.vercel.app'),
    project: named(/^Preview\s+–\s+(\S.*)$/),
  },
  {
    // Makes no deployments. A canceled build is a success as well, with a dead link.
    name: 'Netlify',
    reports: ({ source, name }) => source === 'STATUS' && NETLIFY_CONTEXT.test(name),
    state: (report) => {
      const state = readState(report);
      return state === 'READY' && !/\bready\b/i.test(report.description) ? null : state;
    },
    address: below('.netlify.app'),
    project: named(NETLIFY_CONTEXT),
  },
  {
    // `Cloudflare Pages` and `Workers Builds: docs`. The link leads to the dashboard; the address is in the summary.
    name: 'Cloudflare',
    reports: ({ source, app }) => source === 'CHECK' && app?.id === CLOUDFLARE_APP,
    address: below('.pages.dev', '.workers.dev'),
    project: (report) => named(/^(?:Workers Builds|Cloudflare Pages): (.+)$/)(report) ?? pagesProject(report),
  },
  {
    // By the wrangler action: `docs (Preview)`.
    name: 'Cloudflare',
    reports: isDeploymentBelow('.pages.dev', '.workers.dev'),
    project: named(/^(.+) \(Preview\)$/),
  },
  {
    name: 'AWS Amplify',
    reports: ({ source, app }) => source === 'CHECK' && /^aws-amplify-[a-z0-9-]+$/.test(app?.slug ?? ''),
    address: below('.amplifyapp.com'),
  },
  {
    // The environment is the name of the app. A status may come without the address, which follows from the name.
    name: 'Heroku',
    reports: (report) =>
      isDeploymentBy(/^heroku(\[bot\])?$/)(report) ||
      isDeploymentBelow('.herokuapp.com')(report) ||
      (report.source === 'DEPLOYMENT' && addressBelow(report, ['dashboard.heroku.com']) !== null),
    address: (report) =>
      firstAddress(report) ?? (/^[a-z][a-z0-9-]+$/.test(report.name) ? `https://${report.name}.herokuapp.com/` : null),
  },
  {
    // Such as `docs - PR #12`.
    name: 'Render',
    reports: (report) => isDeploymentBy(/^render\[bot\]$/)(report) || isDeploymentBelow('.onrender.com')(report),
    project: named(/^(.+?) (?:- )?PR #\d+$/),
  },
  {
    name: 'Railway',
    reports: (report) => isDeploymentBy(/^railway-app\[bot\]$/)(report) || isDeploymentBelow('.up.railway.app')(report),
  },
  {
    // Made by GitHub Actions, for a job with `environment:`.
    name: 'Fly',
    reports: isDeploymentBelow('.fly.dev'),
  },
  { name: 'Azure Static Web Apps', reports: isDeploymentBelow('.azurestaticapps.net') },
];

/** What a report says about a preview. `host` is that of `Signal`. */
export type ReadReport = { host: string | null; project: string | null; state: SignalState; address: string | null };

/** Statuses and checks of hosts without a row may link to anything. */
function addressHost(report: Report): string | null {
  const address = report.source === 'DEPLOYMENT' ? firstAddress(report) : null;
  return address === null ? null : new URL(address).host;
}

/**
 * Null for a report that says nothing about a preview. Deployments of GitHub Actions, or of a host that has no row, are
 * read by the defaults. Pure.
 */
export function readReport(report: Report): ReadReport | null {
  const host = PREVIEW_HOSTS.find((row) => row.reports(report));
  const { state: readOwn = readState, address = firstAddress, project = () => null } = host ?? {};
  const state = readOwn(report);
  if (state === null) return null;
  return {
    host: host?.name ?? addressHost(report),
    project: project(report),
    state,
    address: state === 'READY' ? address(report) : null,
  };
}
