import type { SuiteForViewer } from '../../suites/suite.ts';
import { formatCount } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';
import type { Problem } from '../problem.ts';

/**
 * The groups of a suite's settings, each with its sections in order. The URL fragment names a section, and its group is
 * shown. All are on one page, so nothing typed is lost.
 */
const GROUPS = {
  site: { label: 'Site', sections: ['about', 'crawl', 'keep', 'storage', 'danger'] },
  capture: { label: 'Capture', sections: ['viewports', 'capture', 'emulation', 'pace'] },
  compare: { label: 'Compare', sections: ['compare', 'rules', 'ignored'] },
  pulls: { label: 'Pull requests', sections: ['gate', 'repository'] },
  access: { label: 'Access', sections: ['access', 'badge', 'site-access', 'tokens'] },
} as const;
type GroupId = keyof typeof GROUPS;

const SETTINGS_GROUPS = ['site', 'capture', 'compare', 'pulls', 'access'] as const satisfies GroupId[];

const sectionsOf = (group: GroupId): readonly string[] => GROUPS[group].sections;

/** The entry of a group in the navigation of the settings. */
export type SettingsTab = ReturnType<typeof settingsTabs>[number];

/** For settings pages that have forms of their own. */
export function settingsNav({ id: suiteId }: { id: string }, current: GroupId): SettingsTab[] {
  return SETTINGS_GROUPS.map((id) => ({
    id,
    label: GROUPS[id].label,
    href: `/suites/${suiteId}/settings#${GROUPS[id].sections[0]}`,
    current: id === current,
    isFirst: false,
    problems: null,
  }));
}

/** Whether an issue is about the setting, or something in it. */
const isAt = (issue: string, path: string) => issue === path || issue.startsWith(`${path}.`);

/**
 * For the settings page itself. @param paths the paths of the settings in each section
 * @param current the section to show first, unless another has a problem
 */
export function settingsTabs(paths: ReadonlyMap<string, string[]>, problem: Problem | null, current: string | null) {
  const issues = Object.keys(problem?.fields ?? {});
  const tabs = SETTINGS_GROUPS.map((id) => {
    const own = sectionsOf(id).flatMap((section) => paths.get(section) ?? []);
    const problems = issues.filter((issue) => own.some((path) => isAt(issue, path))).length || null;
    return { id, label: GROUPS[id].label, href: `#${GROUPS[id].sections[0]}`, current: false, problems };
  });
  const asked = tabs.find(({ id }) => current !== null && sectionsOf(id).includes(current));
  const first = tabs.find(({ problems }) => problems !== null) ?? asked ?? tabs[0];
  return tabs.map((tab) => ({ ...tab, isFirst: tab === first }));
}

/** The sections of the group, in its order. */
export function inGroup<T extends { id: string }>(group: GroupId, sections: T[]): T[] {
  return sectionsOf(group).flatMap((id) => sections.find((section) => section.id === id) ?? []);
}

/** A section that leads to a page of its own. */
type SettingsLink = { id: string; title: string; text: string; href: string; label: string };

export function settingsLinks(suite: SuiteForViewer): SettingsLink[] {
  const can = listPermissions(suite.access);
  const { codehost, shareCount } = suite;
  const link = (id: string, title: string, text: string, page: string, label: string): SettingsLink => ({
    id,
    title,
    text,
    href: `/suites/${suite.id}/${page}`,
    label,
  });
  const shared =
    shareCount === 0 ? 'Only you' : `The owner and ${formatCount(shareCount, 'other person', 'other people')}`;
  const linked = codehost === null ? 'No repository is linked.' : `Linked to ${codehost.owner}/${codehost.repo}.`;
  return [
    link(
      'ignored',
      'Ignored areas and changes',
      'Areas that never count, and changes that don’t need approval again.',
      'ignored-changes',
      'View what is ignored',
    ),
    link(
      'storage',
      'Storage',
      'What is stored of this suite, and what other limits would free.',
      'storage',
      'View storage',
    ),
    ...(can.link || codehost !== null
      ? [
          link(
            'repository',
            'Repository',
            linked,
            'repository',
            codehost === null && can.link ? 'Link a repository' : 'View repository and setup',
          ),
        ]
      : []),
    link(
      'access',
      'Sharing',
      `${shared} can see this suite.`,
      'sharing',
      can.share ? 'Manage sharing' : 'View sharing',
    ),
    ...(can.access
      ? [
          link(
            'site-access',
            'Access to the site',
            'For a site or previews behind a login: headers, passwords, Vercel, Cloudflare Access, Netlify.',
            'access',
            'Set up site access',
          ),
        ]
      : []),
    ...(can.tokens
      ? [
          link(
            'tokens',
            'API tokens',
            'For CI: upload builds, start runs and read results of this suite.',
            'tokens',
            'Manage suite tokens',
          ),
        ]
      : []),
  ];
}
