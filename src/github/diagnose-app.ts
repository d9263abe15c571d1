import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { failed, ok, unknown, warning } from './doctor-finding.ts';

export function diagnoseInstallation({ installation, repository, rules }: DoctorFacts): Finding {
  const name = 'installation';
  if (!installation.known) {
    if (installation.why === 'unreachable') return unknown(name, 'the installation', 'unreachable');
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

export function diagnosePermissions({ installation, needs }: DoctorFacts): Finding {
  const name = 'permissions';
  if (!installation.known) return unknown(name, 'the permissions', installation.why);
  const { permissions, settingsUrl } = installation.value;
  const missing = Object.entries(needs.permissions)
    .filter(([permission, access]) => RANK.indexOf(permissions[permission] ?? '') < RANK.indexOf(access))
    .map(([permission, access]) => `${permission}: ${access}`);
  if (missing.length === 0) return ok(name, 'The App has every permission that it needs.');
  return failed(
    name,
    `The App lacks ${missing.join(', ')}.`,
    `Add them in the settings of the App under "Permissions & events", and accept them at ${settingsUrl}.`,
  );
}

export function diagnoseEvents({ installation, needs }: DoctorFacts): Finding {
  const name = 'events';
  if (!installation.known) return unknown(name, 'the events', installation.why);
  const { events } = installation.value;
  const missing = needs.events.filter((event) => !events.includes(event));
  if (missing.length === 0) return ok(name, 'The App is subscribed to every event that it needs.');
  return failed(
    name,
    `The App is not subscribed to ${missing.join(', ')}.`,
    'Until then what they tell is not known here: tick them in the settings of the App under "Permissions & events".',
  );
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function diagnoseWebhook({ webhookUrl, publicUrl }: DoctorFacts): Finding {
  const name = 'webhook';
  const ours = `${publicUrl}/api/github/webhooks`;
  if (!webhookUrl.known) return unknown(name, 'the address of the webhook', webhookUrl.why);
  const theirs = webhookUrl.value;
  if (theirs !== null && theirs.replace(/\/+$/, '') === ours) {
    return ok(name, `GitHub delivers events to ${ours}.`);
  }
  const isLocal = LOOPBACK.test(new URL(publicUrl).hostname);
  const message = `GitHub delivers events to ${theirs ?? 'no address'}, and this service is at ${publicUrl}.`;
  // A laptop gets its events through a relay, whose address is the App's.
  if (isLocal) return warning(name, message, 'Make sure that a relay brings the events from there to this service.');
  return failed(name, message, `Set the webhook URL in the settings of the App to ${ours}.`);
}
