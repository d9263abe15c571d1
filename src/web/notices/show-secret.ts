import { OVERLAP_HOURS } from '../../notices/target.ts';
import type { Reply, Section } from '../reply.ts';

/** Shows a secret once. It is the answer to the form itself: a redirect would have to carry the secret. */
export function showSecret({
  section,
  ...model
}: {
  secret: string;
  name: string;
  back: string;
  isNew: boolean;
  section: Section;
}): Reply {
  return {
    kind: 'page',
    view: 'notices/secret',
    title: 'Secret of a webhook',
    width: 'narrow',
    model: { ...model, hours: OVERLAP_HOURS },
    section,
  };
}
