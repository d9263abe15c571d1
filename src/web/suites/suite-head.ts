import type { Context } from '../../context.ts';
import { readContents } from '../../runs/run-store.ts';
import type { SuiteFor, SuiteForViewer, SuiteKind } from '../../suites/suite.ts';
import type { IconName } from '../icons.ts';
import { listPermissions, roleLabel } from '../permissions.ts';
import type { Reply, Section } from '../web-route.ts';
import { atSettings, type SettingsTab } from './settings-tabs.ts';

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
