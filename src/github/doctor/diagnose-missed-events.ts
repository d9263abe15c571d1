import { formatAge } from '../../text/format.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import { ok, warning, type Finding } from './doctor-finding.ts';

/** Whether what GitHub could not deliver is fetched. */
export function diagnoseMissedEvents({
  lookedForMissed: looked,
  now,
}: Pick<DoctorFacts, 'lookedForMissed' | 'now'>): Finding {
  const name = 'missed_events';
  if (looked === null) return ok(name, 'Pixelgate has not looked for missed events yet. It does so every few minutes.');
  if (looked.problem === null) {
    return ok(
      name,
      `Pixelgate last looked for missed events ${formatAge(looked.checkedAt, now)}. What is older than three days, or was never sent, comes with Synchronize.`,
    );
  }
  const message = `Events that do not arrive may stay missed. ${looked.problem}`;
  return warning(
    name,
    message,
    'Give the app the permissions that docs/github.md lists, and accept them for the account.',
  );
}
