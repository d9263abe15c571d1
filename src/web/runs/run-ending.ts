import type { Run } from '../../runs/run.ts';

/** Something about a run that its results don't say. */
export type RunNotice = {
  tone: 'danger' | 'attention' | 'accent';
  icon: string;
  text: string;
  link: { href: string; label: string } | null;
};

const CANCELLED_BY: Record<string, string> = {
  'cancelled by a user': 'Somebody cancelled this run.',
  pull_request_closed: 'This run was cancelled when its pull request was closed.',
  suite_unlinked: 'This run was cancelled when the suite was unlinked from the repository.',
  suite_inactive: 'This run was cancelled when the suite was switched off.',
};

const NOTHING_TO_APPROVE = 'What it captured until then can be looked at, but not approved.';

/**
 * Why the run did not go through in the usual way; null: it did, or still may.
 * @param newer the run of the head that took this one's place, where the viewer can see one
 */
export function endingOf(
  { status, metadata }: Pick<Run, 'status' | 'metadata'>,
  newer: string | null,
): RunNotice | null {
  if (status === 'CANCELLED') {
    if (metadata?.reason === 'superseded') {
      const by = metadata.by === undefined ? 'a newer commit' : metadata.by.slice(0, 7);
      const link = newer === null ? null : { href: `/runs/${newer}`, label: 'Go to the newer run' };
      return { tone: 'attention', icon: 'skip', text: `Superseded by ${by}. ${NOTHING_TO_APPROVE}`, link };
    }
    const why = CANCELLED_BY[metadata?.reason ?? ''] ?? `This run was cancelled: ${metadata?.reason ?? 'no reason'}.`;
    return { tone: 'attention', icon: 'skip', text: `${why} ${NOTHING_TO_APPROVE}`, link: null };
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
