import { isLoopback } from '../../net/loopback.ts';
import type { AppFacts, Asked, DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { failed, ok, unknown, warning } from './doctor-finding.ts';

/**
 * Whether GitHub takes us for the App.
 * @param isProven GitHub has told us something that it tells only the App
 */
export function diagnoseApp(appId: number, app: Asked<AppFacts>, isProven: boolean): Finding {
  const name = 'app';
  if (app.known || isProven || app.why === 'unreachable') return ok(name, `The service is the GitHub App ${appId}.`);
  if (app.why === 'gone') {
    const remedy = 'Set APP_ID to the number in the settings of the App, or create the App anew.';
    return failed(name, `GitHub knows no App ${appId}.`, remedy);
  }
  return failed(
    name,
    `GitHub does not take the private key for that of the App ${appId}.`,
    'Generate a private key in the settings of the App and set PRIVATE_KEY to it; see that the clock of this host is right.',
  );
}

export function diagnoseInstallation({ installation, repository, rules }: DoctorFacts): Finding {
  const name = 'installation';
  if (!installation.known) {
    if (installation.why !== 'gone') return unknown(name, 'the installation', installation.why);
    const remedy = `Install the App on the account of ${repository}, and link the suite again.`;
    return failed(name, 'The App is not installed where the suite is linked.', remedy);
  }
  const { suspended, settingsUrl } = installation.value;
  if (suspended) return failed(name, 'The installation is suspended.', `Unsuspend it at ${settingsUrl}.`);
  if (!rules.known && rules.why === 'gone') {
    const remedy = `Give the App access to the repository at ${settingsUrl}, or link the suite to its new name.`;
    return failed(name, `The App does not see ${repository}.`, remedy);
  }
  return ok(name, `The App is installed and sees ${repository}.`);
}

const RANK = ['read', 'write', 'admin'];

/** `checks: write` for each that is not there, or too low. */
function lacking(needs: Record<string, string>, has: Record<string, string>): string[] {
  return Object.entries(needs)
    .filter(([permission, access]) => RANK.indexOf(has[permission] ?? '') < RANK.indexOf(access))
    .map(([permission, access]) => `${permission}: ${access}`);
}

const SETTINGS = 'in the settings of the App under "Permissions & events"';

/** The App asks for permissions, and the account that has it installed accepts them: each may be behind. */
export function diagnosePermissions({ app, installation, needs }: DoctorFacts): Finding {
  const name = 'permissions';
  const asked = app.known ? app.value.permissions : null;
  const unasked = asked === null ? [] : lacking(needs.permissions, asked);
  const accept = installation.known ? `, and accept them at ${installation.value.settingsUrl}` : '';
  if (unasked.length > 0) {
    return failed(name, `The App lacks ${unasked.join(', ')}.`, `Add them ${SETTINGS}${accept}.`);
  }
  if (!installation.known) return unknown(name, 'the permissions', installation.why);
  const { permissions, settingsUrl } = installation.value;
  const missing = lacking(needs.permissions, permissions);
  if (missing.length === 0) return ok(name, 'The App has every permission that it needs.');
  if (asked === null) {
    return failed(name, `The App lacks ${missing.join(', ')}.`, `Add them ${SETTINGS}${accept}.`);
  }
  const message = `The App asks for ${missing.join(', ')}, but the account has not accepted that.`;
  return failed(name, message, `Accept the new permissions at ${settingsUrl}.`);
}

export function diagnoseEvents({ app, installation, needs }: DoctorFacts): Finding {
  const name = 'events';
  const asked = app.known ? app.value.events : null;
  const missingFrom = (events: string[]) => needs.events.filter((event) => !events.includes(event));
  const unasked = asked === null ? [] : missingFrom(asked);
  if (unasked.length === 0 && !installation.known) return unknown(name, 'the events', installation.why);
  const ungranted = installation.known ? missingFrom(installation.value.events) : [];
  const missing = unasked.length > 0 ? unasked : ungranted;
  if (missing.length === 0) return ok(name, 'The App is subscribed to every event that it needs.');
  const message = `The App is not subscribed to ${missing.join(', ')}.`;
  if (unasked.length === 0 && asked !== null && installation.known) {
    return failed(name, message, `Accept the new permissions at ${installation.value.settingsUrl}.`);
  }
  return failed(name, message, `Until then what they tell is not known here: tick them ${SETTINGS}.`);
}

export function diagnoseWebhook({ webhookUrl, publicUrl, deliveries }: DoctorFacts): Finding {
  const name = 'webhook';
  const ours = `${publicUrl}/api/github/webhooks`;
  if (!webhookUrl.known && webhookUrl.why === 'gone' && deliveries.length > 0) {
    return ok(name, `Events of GitHub arrive at ${ours}.`);
  }
  if (!webhookUrl.known) return unknown(name, 'the address of the webhook', webhookUrl.why);
  const theirs = webhookUrl.value;
  if (theirs !== null && theirs.replace(/\/+$/, '') === ours) {
    return ok(name, `GitHub delivers events to ${ours}.`);
  }
  const message = `GitHub delivers events to ${theirs ?? 'no address'}, and this service is at ${publicUrl}.`;
  // A laptop gets its events through a relay, whose address is the App's.
  if (isLoopback(publicUrl))
    return warning(name, message, 'Make sure that a relay brings the events from there to this service.');
  return failed(name, message, `Set the webhook URL in the settings of the App to ${ours}.`);
}
