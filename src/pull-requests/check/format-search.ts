import { inCode } from '../../text/markdown-code.ts';
import { describeSignal, type NamedSignal } from '../previews/preview-search.ts';
import type { CheckSituation } from './check-verdict.ts';

const MAX_NAME = 180;

const formatSignal = (signal: NamedSignal): string => {
  const name = inCode(describeSignal(signal), MAX_NAME);
  return signal.link === null ? name : `[${name}](<${signal.link}>)`;
};

/** The deployments that a check without a preview lists, as Markdown. Empty once there is a preview. */
export function formatSearch({ run, search }: Pick<CheckSituation, 'run' | 'search'>): string[] {
  if (search === null || run.git?.enqueued === true) return [];
  const { candidates, failed } = search;
  if (failed !== null) return [`See ${formatSignal(failed)}. Another deployment of this commit starts another run.`];
  if (candidates.length === 0) return [];
  return [
    'Several deployments fit this suite.',
    candidates.map((candidate) => `- ${formatSignal(candidate)}`).join('\n'),
  ];
}
