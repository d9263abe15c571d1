import type { Connection } from '../../github/app/set-up-app.ts';
import type { Badge } from '../badge.ts';

/** The steps from a new service to the first checked pull request, as far as they are known here. */
export type Step = {
  title: string;
  text: string;
  state: 'done' | 'now' | 'later';
  isNow: boolean;
  badge: Badge;
  link: { href: string; label: string } | null;
};

const BADGES: Record<Step['state'], Badge> = {
  done: { label: 'Done', tone: 'success', icon: 'check-circle' },
  now: { label: 'Next', tone: 'accent', icon: 'arrow-right' },
  later: { label: 'Later', tone: 'muted', icon: 'circle' },
};

export type Draft = Omit<Step, 'state' | 'isNow' | 'badge'> & { isDone: boolean };

export function stepsFrom(drafts: Draft[]): Step[] {
  const now = drafts.findIndex(({ isDone }) => !isDone);
  return drafts.map(({ isDone, ...step }, place) => {
    const state = isDone ? 'done' : place === now ? 'now' : 'later';
    return { ...step, state, isNow: place === now, badge: BADGES[state] };
  });
}

/**
 * @param unreachable the service's URL if GitHub can't reach it, otherwise null
 * @param installations the number of known installations. Null: unknown.
 */
export function buildSteps(connection: Connection, unreachable: string | null, installations: number | null): Step[] {
  const isConnected = connection.kind === 'environment' || connection.kind === 'stored';
  const installLink = connection.kind === 'stored' ? connection.installUrl : null;
  return stepsFrom([
    {
      title: 'A URL that GitHub can reach',
      text:
        unreachable === null
          ? 'GitHub sends webhooks about pull requests and previews to this URL.'
          : `PUBLIC_URL is ${unreachable}, which GitHub can’t reach. Set it to a URL that GitHub can reach, such as that of a tunnel, and restart.`,
      isDone: unreachable === null,
      link: null,
    },
    {
      title: 'Your own GitHub App',
      text: 'GitHub shows the permissions, creates the app, and sends you back here. The credentials are stored encrypted.',
      isDone: isConnected,
      link: null,
    },
    {
      title: 'Install the app',
      text: 'Choose the repositories that the app can access. You can change this on GitHub at any time.',
      isDone: isConnected && installations !== null && installations > 0,
      link: installLink === null ? null : { href: installLink, label: 'Install on GitHub' },
    },
    {
      title: 'Link a repository to a suite',
      text: 'Create a suite for each repository, or link one that exists. After that, its pull requests get a check.',
      isDone: false,
      link: isConnected ? { href: '/setup/installed', label: 'View repositories' } : null,
    },
  ]);
}
