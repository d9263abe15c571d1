import type { Installation as InstallationPayload } from '@octokit/webhooks-types';
import type { InstallationFacts } from './installation-store.ts';

/** GitHub writes some times as text and some as seconds of the Unix clock. */
export function timeOf(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const time = new Date(typeof value === 'number' ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** Access by the name of the permission. */
export function grantedPermissions(granted: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(granted).flatMap(([name, access]) => (typeof access === 'string' ? [[name, access]] : [])),
  );
}

/** An enterprise has a `slug` where others have a login; the published type does not know it. */
function nameOf(account: InstallationPayload['account']): string {
  const slug: unknown = Reflect.get(account, 'slug');
  return typeof account.login === 'string' ? account.login : String(slug);
}

/** What the payload says of the installation. */
export function factsOf(installation: InstallationPayload): InstallationFacts {
  const { id, account, permissions, events, suspended_at: suspendedAt, updated_at: updatedAt } = installation;
  return {
    installationId: id,
    accountLogin: nameOf(account),
    accountType: account.type ?? null,
    suspendedAt: timeOf(suspendedAt),
    permissions: grantedPermissions(permissions),
    events: [...events],
    changedAt: timeOf(updatedAt),
  };
}
