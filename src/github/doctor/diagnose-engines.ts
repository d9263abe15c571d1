import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { ok, warning } from './doctor-finding.ts';

const list = new Intl.ListFormat('en');

/** Workers with different browsers, fonts or processors draw the same page with different pixels. */
export function diagnoseEngines({ engines }: Pick<DoctorFacts, 'engines'>): Finding {
  const [first] = engines;
  if (first === undefined) return ok('engines', 'No worker has captured a page in the last day.');
  if (engines.length === 1) return ok('engines', `All workers capture with ${first}.`);
  return warning(
    'engines',
    `Workers captured with ${engines.length} different browsers in the last day: ${list.format(engines)}.`,
    'Give all workers the same browser, fonts and kind of processor, see "Moving to a new browser" in docs/operating.md.',
  );
}
