import type { Config } from '../../config.ts';
import { describeSignal, whichPreview, type PreviewSearch } from '../../pull-requests/previews/preview-search.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { describeEnding, type Run } from '../../runs/run.ts';
import { formatList, shortSha } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';

const NOTHING_TO_APPROVE = 'You can view the results, but not approve them.';

/**
 * Why the run did not end in the usual way. Null if it did, or may still do.
 * @param person who cancelled it, if that is known
 * @param newer the run of the newer commit that replaced this one, if the viewer may see it
 */
export function explainEnding(
  { status, metadata }: Pick<Run, 'status' | 'metadata'>,
  newer: string | null,
  person?: string,
) {
  if (status === 'CANCELLED') {
    const why = describeEnding(metadata, person) ?? 'This run was cancelled';
    const link = newer === null ? null : { href: `/runs/${newer}`, label: 'Go to the newer run' };
    return { tone: 'attention', icon: 'skip', text: `${why}. ${NOTHING_TO_APPROVE}`, link };
  }
  if (status === 'FAILED') {
    return {
      tone: 'danger',
      icon: 'alert',
      text: `The run failed: ${metadata?.error ?? 'no page could be captured'}`,
      link: null,
    };
  }
  if (status === 'COMPLETED' && metadata?.error !== undefined) {
    return { tone: 'accent', icon: 'info', text: metadata.error, link: null };
  }
  return null;
}

/** Null once the run has started or ended. */
export function describeWaiting(
  { previewTimeout }: Pick<Config, 'previewTimeout'>,
  { suite, ...run }: RunFor,
  search: PreviewSearch | null,
) {
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
