import { z } from 'zod';
import type { InstallationFacts } from './installation-store.ts';

/** GitHub writes some times as text and others as Unix seconds. */
function parseTime(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const time = new Date(typeof value === 'number' ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The access level for each permission. */
export function grantedPermissions(granted: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(granted).flatMap(([name, access]) => (typeof access === 'string' ? [[name, access]] : [])),
  );
}

const Type = z.string().optional().catch(undefined);
const Time = z.union([z.string(), z.number()]).nullish().catch(null);

/** An installation in an event payload. */
export const InstallationShape = z.object({
  id: z.int(),
  /** Enterprises have a `slug` instead of a login. */
  account: z.union([z.object({ login: z.string(), type: Type }), z.object({ slug: z.string(), type: Type })]),
  permissions: z.record(z.string(), z.unknown()),
  events: z.array(z.string()),
  suspended_at: Time,
  updated_at: Time,
});

/** What the payload says about the installation. */
export function readInstallation(installation: z.output<typeof InstallationShape>): InstallationFacts {
  const { id, account, permissions, events, suspended_at: suspendedAt, updated_at: updatedAt } = installation;
  return {
    installationId: id,
    accountLogin: 'login' in account ? account.login : account.slug,
    accountType: account.type ?? null,
    suspendedAt: parseTime(suspendedAt),
    permissions: grantedPermissions(permissions),
    events: [...events],
    changedAt: parseTime(updatedAt),
  };
}
