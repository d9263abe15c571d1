import type { Config } from '../../config.ts';
import { shortSha } from '../../text/format.ts';
import type { RunOverview } from '../../review/read-run-overview.ts';
import { listPermissions } from '../permissions.ts';

/** What a run that has not begun waits for. */
export type Waiting = {
  title: string;
  /** Null where nobody can do anything about it. */
  text: string | null;
  /** When it is given up; null: it is not. */
  until: Date | null;
  /** Where to look when it does not come. */
  link: { href: string; label: string } | null;
};

/** Null once it has begun, or is over. */
export function describeWaiting(
  { previewTimeout }: Pick<Config, 'previewTimeout'>,
  { run, suite }: Pick<RunOverview, 'run' | 'suite'>,
): Waiting | null {
  if (run.status !== 'PENDING') return null;
  if (run.runType !== 'PR' || run.git?.enqueued === true) {
    return { title: 'Waiting for an available worker', text: null, until: null, link: null };
  }
  return {
    title: 'Waiting for a preview deployment',
    text: `The run starts when GitHub reports a preview deployment of ${run.git?.headSha === undefined ? 'the commit' : shortSha(run.git.headSha)}, or when the previewUrl from .github/pixelgate.yml responds.`,
    until: new Date(run.createdAt.getTime() + previewTimeout),
    link: listPermissions(suite.access).link
      ? { href: `/suites/${suite.id}/repository`, label: 'Check the GitHub setup' }
      : null,
  };
}
