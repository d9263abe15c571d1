import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { ok, warning } from './doctor-finding.ts';
import { formatList } from '../../text/format.ts';

/** Workers with different browsers, fonts or processors draw the same page with different pixels. */
export function diagnoseEngines({ engines }: Pick<DoctorFacts, 'engines'>): Finding {
  const [first] = engines;
  if (first === undefined) return ok('engines', 'No worker has captured a page in the last day.');
  if (engines.length === 1) return ok('engines', `All workers capture with ${first}.`);
  return warning(
    'engines',
    `Workers captured with ${engines.length} different browsers in the last day: ${formatList(engines)}.`,
    'Use the same browser, fonts and processor type on all workers. See “Moving to a new browser” in docs/operating.md.',
  );
}
