import type { Config } from '../../config.ts';
import { formatList, shortSha } from '../../text/format.ts';
import type { PreviewSearch } from '../../pull-requests/previews/preview-search.ts';
import { describeSignal, whichPreview } from '../../pull-requests/previews/preview-search.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { listPermissions } from '../permissions.ts';

/** What a run waits for before it starts. */
export type Waiting = {
  title: string;
  /** Null if nobody can do anything about it. */
  text: string | null;
  /** When the run stops waiting. Null: it waits without a limit. */
  until: Date | null;
  /** Where to look if the run does not start. */
  link: { href: string; label: string } | null;
};

/** Null once the run has started or ended. */
export function describeWaiting(
  { previewTimeout }: Pick<Config, 'previewTimeout'>,
  { run, suite }: Pick<RunOverview, 'run' | 'suite'>,
  search: PreviewSearch | null,
): Waiting | null {
  if (run.status !== 'PENDING') return null;
  if (run.runType !== 'PR' || run.git?.enqueued === true) {
    return { title: 'Waiting for an available worker', text: null, until: null, link: null };
  }
  const until = new Date(run.createdAt.getTime() + previewTimeout);
  const candidates = search?.candidates ?? [];
  if (candidates.length > 0) {
    const names = formatList(candidates.map(describeSignal));
    return {
      title: whichPreview(candidates.length),
      text: `Several previews fit this suite: ${names}.`,
      until,
      link: { href: `/suites/${suite.id}/settings#gate-heading`, label: 'Choose one in the settings' },
    };
  }
  return {
    title: 'Waiting for a preview deployment',
    text: `The run starts when GitHub reports a preview deployment of ${run.git?.headSha === undefined ? 'the commit' : shortSha(run.git.headSha)}, or when the previewUrl from .github/pixelgate.yml responds.`,
    until,
    link: listPermissions(suite.access).link
      ? { href: `/suites/${suite.id}/repository`, label: 'Check the GitHub setup' }
      : null,
  };
}
