import { describeEnding } from '../../runs/end-reason.ts';
import type { Run } from '../../runs/run.ts';
import type { IconName } from '../icons.ts';

/** Something about a run that its results don't say. */
export type RunNotice = {
  tone: 'danger' | 'attention' | 'accent';
  icon: IconName;
  text: string;
  link: { href: string; label: string } | null;
};

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
): RunNotice | null {
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
