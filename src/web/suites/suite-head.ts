import type { Context } from '../../context.ts';
import { readContents } from '../../runs/run-store.ts';
import type { SuiteFor, SuiteForViewer, SuiteKind } from '../../suites/suite.ts';
import { formatCount } from '../../text/format.ts';
import type { Problem } from '../form-field.ts';
import type { IconName } from '../icons.ts';
import { listPermissions, roleLabel } from '../permissions.ts';
import type { Reply, Section } from '../web-route.ts';

type SuiteTab = 'pages' | 'runs' | 'settings';

/** The list that a suite is in, and its entry of the main navigation. */
export const LISTS = {
  SUITE: { label: 'Suites', href: '/suites', section: 'suites' },
  MANUAL: { label: 'Single pages', href: '/single-pages', section: 'single-pages' },
} as const satisfies Record<SuiteKind, { label: string; href: string; section: Section }>;

function suiteTabs(suite: SuiteForViewer, current: SuiteTab, counts: { pages: number; runs: number }) {
  const href = `/suites/${suite.id}`;
  // No count is shown for null or 0.
  const tab = (name: SuiteTab, label: string, icon: IconName, count: number | null = null) => ({
    label,
    icon,
    count,
    href: name === 'pages' ? href : `${href}/${name}`,
    current: name === current,
  });
  return [
    suite.kind === 'MANUAL' ? tab('pages', 'Page', 'file') : tab('pages', 'Pages', 'file', counts.pages),
    tab('runs', 'Runs', 'play', counts.runs),
    tab('settings', 'Settings', 'gear'),
  ];
}

function followButton({ id, isFollowed }: SuiteForViewer) {
  const action = `/suites/${id}/follow`;
  return isFollowed
    ? { action, value: 'no', label: 'Unfollow', icon: 'eye-closed' }
    : { action, value: 'yes', label: 'Follow', icon: 'eye' };
}

type Place = { tab: SuiteTab; nested?: boolean; settings?: SettingsTab[] };

/**
 * @param at.tab the tab that the page belongs to
 * @param at.settings the groups of the settings, on their pages
 * @param at.nested whether the page has its own h1, like those of single pages and runs
 */
export async function suiteHead(ctx: Pick<Context, 'db'>, suite: SuiteFor, at: Place) {
  const counts = await readContents(ctx.db, suite);
  return {
    ...suite,
    crumbs: [LISTS[suite.kind]],
    href: `/suites/${suite.id}`,
    isHeading: at.nested !== true,
    role: roleLabel(suite.access),
    follow: at.tab === 'pages' ? followButton(suite) : null,
    tabs: suiteTabs(suite, at.tab, counts),
    sharing: at.tab === 'pages' ? { href: `/suites/${suite.id}/sharing`, count: suite.shareCount } : null,
    settings: at.settings ?? [],
    runs: counts.runs,
  };
}

type Shown = { view: string; title: string; model: object };

/** A page of a suite: its head, and below it the view, which is also told what the viewer may do. */
export async function suitePage(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor,
  at: Place,
  { view, title, model }: Shown,
): Promise<Reply> {
  const head = await suiteHead(ctx, suite, at);
  const { section } = LISTS[suite.kind];
  const can = listPermissions(suite.access);
  return { kind: 'page', view, title: `${title} · ${suite.name}`, model: { ...model, head, can }, section };
}

/** Shows something once, such as a secret. It is the answer to the form itself: a redirect would have to carry it. */
export const showOnce = (suite: SuiteForViewer | null, shown: Shown): Reply => ({
  kind: 'page',
  ...shown,
  width: 'narrow',
  section: suite === null ? 'account' : LISTS[suite.kind].section,
});

/** A page that is there for a suite and (null) for the installation: see `views/partials/place-head.hbs`. */
export async function placePage(ctx: Pick<Context, 'db'>, suite: SuiteFor | null, shown: Shown): Promise<Reply> {
  if (suite !== null) return suitePage(ctx, suite, { ...atSettings(suite, 'access'), nested: true }, shown);
  return { kind: 'page', ...shown, model: { ...shown.model, head: null }, section: 'account' };
}

/**
 * The groups of a suite's settings, each with its sections in order. The URL fragment names a section, and its group is
 * shown. All are on one page, so nothing typed is lost.
 */
const GROUPS: readonly { id: GroupId; label: string; sections: string[] }[] = [
  { id: 'site', label: 'Site', sections: ['about', 'crawl', 'keep', 'storage', 'danger'] },
  { id: 'capture', label: 'Capture', sections: ['viewports', 'capture', 'emulation', 'pace'] },
  { id: 'compare', label: 'Compare', sections: ['compare', 'rules', 'ignored'] },
  { id: 'pulls', label: 'Pull requests', sections: ['gate', 'repository'] },
  { id: 'access', label: 'Access', sections: ['access', 'badge', 'site-access', 'tokens', 'notices', 'audit'] },
];
type GroupId = 'site' | 'capture' | 'compare' | 'pulls' | 'access';

/** The entry of a group in the navigation of the settings. */
type SettingsTab = Omit<ReturnType<typeof settingsTabs>[number], 'sections'>;

/** The place of a settings page that has forms of its own. */
export function atSettings({ id: suiteId }: { id: string }, current: GroupId) {
  const settings = GROUPS.map(({ id, label, sections: [first] }) => {
    const href = `/suites/${suiteId}/settings#${first}`;
    return { id, label, href, current: id === current, isFirst: false, problems: null };
  });
  return { tab: 'settings', settings } as const;
}

/** Whether an issue is about the setting, or something in it. */
const isAt = (issue: string, path: string) => issue === path || issue.startsWith(`${path}.`);

/**
 * For the settings page itself. @param paths the paths of the settings in each section
 * @param current the section to show first, unless another has a problem
 */
export function settingsTabs(paths: ReadonlyMap<string, string[]>, problem: Problem | null, current: string | null) {
  const issues = Object.keys(problem?.fields ?? {});
  const tabs = GROUPS.map(({ id, label, sections }) => {
    const own = sections.flatMap((section) => paths.get(section) ?? []);
    const problems = issues.filter((issue) => own.some((path) => isAt(issue, path))).length || null;
    return { id, label, sections, href: `#${sections[0]}`, current: false, problems };
  });
  const asked = tabs.find(({ sections }) => current !== null && sections.includes(current));
  const first = tabs.find(({ problems }) => problems !== null) ?? asked ?? tabs[0];
  return tabs.map((tab) => ({ ...tab, isFirst: tab === first }));
}

/** Those that are named, in the order of the names. */
export const pickSections = <T extends { id: string }>(names: string[], sections: T[]): T[] =>
  names.flatMap((name) => sections.find(({ id }) => id === name) ?? []);

/** A section that leads to a page of its own. */
type SettingsLink = { id: string; title: string; text: string; href: string; label: string };

type LinkSpec = Omit<SettingsLink, 'href'> & { page: string; isShown?: boolean };

function accessLinks({ access, shareCount }: SuiteForViewer): LinkSpec[] {
  const can = listPermissions(access);
  const shared =
    shareCount === 0 ? 'Only you' : `The owner and ${formatCount(shareCount, 'other person', 'other people')}`;
  return [
    {
      id: 'access',
      title: 'Sharing',
      text: `${shared} can see this suite.`,
      page: 'sharing',
      label: can.share ? 'Manage sharing' : 'View sharing',
    },
    {
      id: 'site-access',
      title: 'Access to the site',
      text: 'For a site or previews behind a login: headers, passwords, Vercel, Cloudflare Access, Netlify.',
      page: 'access',
      label: 'Set up site access',
      isShown: can.access,
    },
    {
      id: 'tokens',
      title: 'API tokens',
      text: 'For CI: upload builds, start runs and read results of this suite.',
      page: 'tokens',
      label: 'Manage suite tokens',
      isShown: can.tokens,
    },
    {
      id: 'notices',
      title: 'Notices',
      text: 'Webhooks, and Slack and Microsoft Teams channels that hear about events of this suite.',
      page: 'notices',
      label: 'Manage notices',
      isShown: can.targets,
    },
    {
      id: 'audit',
      title: 'Audit log',
      text: 'What happened in this suite, when, and who did it.',
      page: 'audit',
      label: 'View audit log',
    },
  ];
}

export function settingsLinks(suite: SuiteForViewer): SettingsLink[] {
  const can = listPermissions(suite.access);
  const { codehost } = suite;
  const links: LinkSpec[] = [
    {
      id: 'ignored',
      title: 'Ignored areas and changes',
      text: 'Areas that never count, and changes that don’t need approval again.',
      page: 'ignored-changes',
      label: 'View what is ignored',
    },
    {
      id: 'storage',
      title: 'Storage',
      text: 'What is stored of this suite, and what other limits would free.',
      page: 'storage',
      label: 'View storage',
    },
    {
      id: 'repository',
      title: 'Repository',
      text: codehost === null ? 'No repository is linked.' : `Linked to ${codehost.owner}/${codehost.repo}.`,
      page: 'repository',
      label: codehost === null && can.link ? 'Link a repository' : 'View repository and setup',
      isShown: can.link || codehost !== null,
    },
    ...accessLinks(suite),
  ];
  return links
    .filter(({ isShown = true }) => isShown)
    .map(({ page, ...link }) => ({ ...link, href: `/suites/${suite.id}/${page}` }));
}
