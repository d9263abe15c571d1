import { formatAge } from '../../format.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { failed, ok, warning } from './doctor-finding.ts';

const MINUTE_MS = 60_000;

/** GitHub's word on its newest delivery, when that went wrong and nothing has come since. */
function undelivered({ lastSent, deliveries, now }: DoctorFacts): Finding | null {
  const sent = lastSent.known ? lastSent.value : null;
  if (sent === null || (sent.statusCode >= 200 && sent.statusCode < 300)) return null;
  const cameSince = deliveries.some(({ receivedAt }) => receivedAt.getTime() > sent.deliveredAt.getTime() + MINUTE_MS);
  if (cameSince) return null;
  const what = `GitHub's last delivery (${sent.event}, ${formatAge(sent.deliveredAt, now, 'long')})`;
  if (sent.statusCode === 401) {
    const remedy = 'Set WEBHOOK_SECRET to the webhook secret in the settings of the App.';
    return failed('deliveries', `${what} was refused: its signature was made with another secret.`, remedy);
  }
  const outcome = sent.statusCode === 0 ? 'got no answer' : `was answered ${sent.statusCode}`;
  const remedy = 'Look at "Recent deliveries" in the settings of the App, mend what it says, and deliver it again.';
  return failed('deliveries', `${what} ${outcome}.`, remedy);
}

export function diagnoseDeliveries(facts: DoctorFacts): Finding {
  const { deliveries, lastSent, now, repository } = facts;
  const problem = undelivered(facts);
  if (problem !== null) return problem;
  const [newest] = deliveries;
  if (newest === undefined && lastSent.known && lastSent.value === null) {
    const message = `GitHub has sent no event of ${repository} lately, and none has arrived in the last 30 days.`;
    return warning('deliveries', message, 'Open or update a pull request of the repository, and look again.');
  }
  if (newest === undefined) {
    const remedy = 'Open or update a pull request; if nothing comes, check the webhook URL and its secret in the App.';
    return failed('deliveries', `No event of ${repository} has arrived in the last 30 days.`, remedy);
  }
  const pullRequest = deliveries.find(({ event }) => event === 'pull_request');
  if (pullRequest === undefined) {
    const message = `The last event (${newest.event}) came ${formatAge(newest.receivedAt, now, 'long')}, but none of a pull request.`;
    return warning('deliveries', message, 'Open or update a pull request of the repository.');
  }
  return ok(
    'deliveries',
    `The last event (${newest.event}) came ${formatAge(newest.receivedAt, now, 'long')}, the last of a pull request ${formatAge(pullRequest.receivedAt, now, 'long')}.`,
  );
}

export function diagnosePreview({ lastPreview, now }: DoctorFacts): Finding {
  if (lastPreview === null) {
    return warning(
      'preview',
      'No deployment or commit status has named a preview yet.',
      'Have your host report previews as GitHub deployments, or set `previewUrl` in `.github/pixelgate.yml`.',
    );
  }
  const { name, url, seenAt } = lastPreview;
  const kind = lastPreview.source === 'DEPLOYMENT' ? 'deployment to' : 'commit status';
  const where = url === null ? 'without an address' : `at ${url}`;
  return ok('preview', `The last preview was the ${kind} "${name}", ${where}, ${formatAge(seenAt, now, 'long')}.`);
}
