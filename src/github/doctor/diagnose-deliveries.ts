import { formatAge } from '../../text/format.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import { failed, ok, warning, type Finding } from './doctor-finding.ts';

const MINUTE_MS = 60_000;

/** The error that GitHub recorded for its newest delivery, if that failed and nothing has arrived since. */
function undelivered({ lastSent, deliveries, now }: DoctorFacts): Finding | null {
  const sent = lastSent.known ? lastSent.value : null;
  if (sent === null || (sent.statusCode >= 200 && sent.statusCode < 300)) return null;
  const cameSince = deliveries.some(({ receivedAt }) => receivedAt.getTime() > sent.deliveredAt.getTime() + MINUTE_MS);
  if (cameSince) return null;
  const what = `GitHub’s last delivery (${sent.event}, ${formatAge(sent.deliveredAt, now)})`;
  if (sent.statusCode === 401) {
    const remedy = 'Set WEBHOOK_SECRET to the webhook secret in the app settings.';
    return failed('deliveries', `${what} was rejected because it was signed with a different secret.`, remedy);
  }
  const outcome = sent.statusCode === 0 ? 'got no response' : `got response ${sent.statusCode}`;
  const remedy = 'Open “Recent deliveries” in the app settings, fix the problem, and redeliver the event.';
  return failed('deliveries', `${what} ${outcome}.`, remedy);
}

export function diagnoseDeliveries(facts: DoctorFacts): Finding {
  const { deliveries, lastSent, now, repository } = facts;
  const problem = undelivered(facts);
  if (problem !== null) return problem;
  const [newest] = deliveries;
  if (newest === undefined && lastSent.known && lastSent.value === null) {
    const message = `GitHub has not sent any events for ${repository} recently, and none arrived in the last 30 days.`;
    return warning('deliveries', message, 'Open or update a pull request in the repository, then check again.');
  }
  if (newest === undefined) {
    const remedy =
      'Open or update a pull request. If no event arrives, check the webhook URL and secret in the app settings.';
    return failed('deliveries', `No events for ${repository} arrived in the last 30 days.`, remedy);
  }
  const pullRequest = deliveries.find(({ event }) => event === 'pull_request');
  if (pullRequest === undefined) {
    const message = `The last event (${newest.event}) arrived ${formatAge(newest.receivedAt, now)}, but no pull request event has arrived.`;
    return warning('deliveries', message, 'Open or update a pull request in the repository.');
  }
  return ok(
    'deliveries',
    `The last event (${newest.event}) arrived ${formatAge(newest.receivedAt, now)}, and the last pull request event ${formatAge(pullRequest.receivedAt, now)}.`,
  );
}

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
