import { formatAge } from '../../text/format.ts';
import { withoutSlash } from '../../text/parse-url.ts';
import {
  failed,
  ok,
  unknown,
  warning,
  type Answer,
  type AppFacts,
  type DoctorFacts,
  type Fact,
} from './doctor-facts.ts';

/**
 * Whether GitHub accepts our credentials for the App.
 * @param isProven GitHub has answered a request that it answers only for the App
 */
export function diagnoseApp(appId: number, app: Fact<AppFacts>, isProven: boolean): Answer {
  if (app.known || isProven || app.why === 'unreachable') return ok(`Pixelgate is connected as GitHub App ${appId}.`);
  if (app.why === 'gone') {
    const remedy = 'Set APP_ID to the ID shown in the app settings, or create the app again.';
    return failed(`GitHub App ${appId} does not exist.`, remedy);
  }
  return failed(
    `GitHub does not accept the private key of app ${appId}.`,
    'Generate a private key in the app settings and set PRIVATE_KEY to it. Also check that the clock of this host is correct.',
  );
}

export function diagnoseInstallation({ installation, repository, rules }: DoctorFacts): Answer {
  if (!installation.known) {
    if (installation.why !== 'gone') return unknown('the installation', installation.why);
    const remedy = `Install the app on the account of ${repository}, then link the suite again.`;
    return failed('The app is not installed on the linked account.', remedy);
  }
  const { suspended, settingsUrl } = installation.value;
  if (suspended) return failed('The installation is suspended.', `Unsuspend it at ${settingsUrl}.`);
  if (!rules.known && rules.why === 'gone') {
    const remedy = `Give the app access to the repository at ${settingsUrl}. If the repository was renamed, link the suite to its new name.`;
    return failed(`The app does not have access to ${repository}.`, remedy);
  }
  return ok(`The app is installed and has access to ${repository}.`);
}

const RANK = ['read', 'write', 'admin'];

/** Lists the permissions that are missing or too low, such as `checks: write`. */
function lacking(needs: Record<string, string>, has: Record<string, string>): string[] {
  return Object.entries(needs)
    .filter(([permission, access]) => RANK.indexOf(has[permission] ?? '') < RANK.indexOf(access))
    .map(([permission, access]) => `${permission}: ${access}`);
}

const SETTINGS = 'in the app settings under “Permissions & events”';

/** The App requests permissions, and the account that installed it accepts them. Either can be out of date. */
export function diagnosePermissions({ app, installation, needs }: DoctorFacts): Answer {
  const asked = app.known ? app.value.permissions : null;
  const unasked = asked === null ? [] : lacking(needs.permissions, asked);
  const accept = installation.known ? `, then accept them at ${installation.value.settingsUrl}` : '';
  if (unasked.length > 0) {
    return failed(`The app is missing permissions: ${unasked.join(', ')}.`, `Add them ${SETTINGS}${accept}.`);
  }
  if (!installation.known) return unknown('the permissions', installation.why);
  const { permissions, settingsUrl } = installation.value;
  const missing = lacking(needs.permissions, permissions);
  if (missing.length === 0) return ok('The app has all required permissions.');
  if (asked === null) {
    return failed(`The app is missing permissions: ${missing.join(', ')}.`, `Add them ${SETTINGS}${accept}.`);
  }
  const message = `The account has not accepted these permissions of the app: ${missing.join(', ')}.`;
  return failed(message, `Accept the new permissions at ${settingsUrl}.`);
}

export function diagnoseEvents({ app, installation, needs }: DoctorFacts): Answer {
  const asked = app.known ? app.value.events : null;
  const missingFrom = (events: string[]) => needs.events.filter((event) => !events.includes(event));
  const unasked = asked === null ? [] : missingFrom(asked);
  if (unasked.length === 0 && !installation.known) return unknown('the events', installation.why);
  const ungranted = installation.known ? missingFrom(installation.value.events) : [];
  const missing = unasked.length > 0 ? unasked : ungranted;
  if (missing.length === 0) return ok('The app is subscribed to all required events.');
  const message = `The app is not subscribed to: ${missing.join(', ')}.`;
  if (unasked.length === 0 && asked !== null && installation.known) {
    return failed(message, `Accept the new permissions at ${installation.value.settingsUrl}.`);
  }
  return failed(message, `Select these events ${SETTINGS}.`);
}

export function diagnoseWebhook({ webhookUrl, publicUrl, outOfReach, deliveries }: DoctorFacts): Answer {
  const ours = `${publicUrl}/api/github/webhooks`;
  if (!webhookUrl.known && webhookUrl.why === 'gone' && deliveries.length > 0) {
    return ok(`GitHub delivers events to ${ours}.`);
  }
  if (!webhookUrl.known) return unknown('the webhook URL', webhookUrl.why);
  const theirs = webhookUrl.value;
  if (theirs !== null && withoutSlash(theirs) === ours) {
    if (!outOfReach) return ok(`GitHub delivers events to ${ours}.`);
    return failed(
      `GitHub can’t deliver events to ${ours}: it can’t reach that address.`,
      'Set PUBLIC_URL to an address that GitHub can reach, such as that of a tunnel, and the webhook URL in the app settings to match. Or use a relay, and set the webhook URL to its address.',
    );
  }
  const message =
    theirs === null || theirs === ''
      ? 'The app has no webhook URL, so GitHub delivers no events.'
      : `GitHub delivers events to ${theirs}, but Pixelgate is at ${publicUrl}.`;
  // On a laptop, events arrive through a relay, and the App's webhook URL is the relay's.
  if (outOfReach) return warning(message, 'Make sure that a relay forwards the events from there to Pixelgate.');
  return failed(message, `Set the webhook URL in the app settings to ${ours}.`);
}

const MINUTE_MS = 60_000;

/** The error that GitHub recorded for its newest delivery, if that failed and nothing has arrived since. */
function undelivered({ lastSent, deliveries, now }: DoctorFacts): Answer | null {
  const sent = lastSent.known ? lastSent.value : null;
  if (sent === null || (sent.statusCode >= 200 && sent.statusCode < 300)) return null;
  const cameSince = deliveries.some(({ receivedAt }) => receivedAt.getTime() > sent.deliveredAt.getTime() + MINUTE_MS);
  if (cameSince) return null;
  const what = `GitHub’s last delivery (${sent.event}, ${formatAge(sent.deliveredAt, now)})`;
  if (sent.statusCode === 401) {
    const remedy = 'Set WEBHOOK_SECRET to the webhook secret in the app settings.';
    return failed(`${what} was rejected because it was signed with a different secret.`, remedy);
  }
  const outcome = sent.statusCode === 0 ? 'got no response' : `got response ${sent.statusCode}`;
  const remedy = 'Open “Recent deliveries” in the app settings, fix the problem, and redeliver the event.';
  return failed(`${what} ${outcome}.`, remedy);
}

export function diagnoseDeliveries(facts: DoctorFacts): Answer {
  const { deliveries, lastSent, now, repository } = facts;
  const problem = undelivered(facts);
  if (problem !== null) return problem;
  const [newest] = deliveries;
  if (newest === undefined && lastSent.known && lastSent.value === null) {
    const message = `GitHub has not sent any events for ${repository} recently, and none arrived in the last 30 days.`;
    return warning(message, 'Open or update a pull request in the repository, then check again.');
  }
  if (newest === undefined) {
    const remedy =
      'Open or update a pull request. If no event arrives, check the webhook URL and secret in the app settings.';
    return failed(`No events for ${repository} arrived in the last 30 days.`, remedy);
  }
  const pullRequest = deliveries.find(({ event }) => event === 'pull_request');
  if (pullRequest === undefined) {
    const message = `The last event (${newest.event}) arrived ${formatAge(newest.receivedAt, now)}, but no pull request event has arrived.`;
    return warning(message, 'Open or update a pull request in the repository.');
  }
  return ok(
    `The last event (${newest.event}) arrived ${formatAge(newest.receivedAt, now)}, and the last pull request event ${formatAge(pullRequest.receivedAt, now)}.`,
  );
}

/** Whether what GitHub could not deliver is fetched. */
export function diagnoseMissedEvents({
  lookedForMissed: looked,
  now,
}: Pick<DoctorFacts, 'lookedForMissed' | 'now'>): Answer {
  if (looked === null) return ok('Pixelgate has not looked for missed events yet. It does so every few minutes.');
  if (looked.problem === null) {
    return ok(
      `Pixelgate last looked for missed events ${formatAge(looked.checkedAt, now)}. What is older than three days, or was never sent, comes with Synchronize.`,
    );
  }
  const message = `Missed events may never be fetched. ${looked.problem}`;
  return warning(message, 'Give the app the permissions that docs/github.md lists, and accept them for the account.');
}
