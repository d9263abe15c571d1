import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Config } from '../../config.ts';

/** In the root of the package. The path is the same from `src/` and from `dist/`. */
const FILE = new URL('../../../app.yml', import.meta.url);

/** The content of `app.yml`. */
const AppFile = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
  setup_on_update: z.boolean(),
});
export type AppFile = z.output<typeof AppFile>;

const NAME_LENGTH = 34;

export async function readAppFile(): Promise<AppFile> {
  return AppFile.parse(parse(await readFile(FILE, 'utf8')));
}

/** Permissions of a person, granted at sign-in. An installation does not have them. */
const PERSONAL = new Set(['emails']);

/** What an account grants when it installs the App. */
export function repositoryPermissions({ default_permissions: permissions }: AppFile): AppFile['default_permissions'] {
  return Object.fromEntries(Object.entries(permissions).filter(([name]) => !PERSONAL.has(name)));
}

/**
 * Only Vercel sends `repository_dispatch`: without it an App learns about deployments, but not about builds that Vercel
 * skips. Without `push` an App learns about merges, but not about direct pushes to the default branch.
 */
const OPTIONAL_EVENTS = ['repository_dispatch', 'push'];

/** The events without which something does not work at all. */
export function requiredEvents({ default_events: events }: AppFile): string[] {
  return events.filter((event) => !OPTIONAL_EVENTS.includes(event));
}

/** The manifest from which GitHub creates the App, with the URLs of this service. */
export function buildManifest(app: AppFile, { publicUrl }: Pick<Config, 'publicUrl'>) {
  return {
    ...app,
    // App names are unique across GitHub, so ours includes the host. The person who creates the App can change it.
    name: `${app.name} ${new URL(publicUrl).hostname}`.slice(0, NAME_LENGTH).trim(),
    url: publicUrl,
    hook_attributes: { url: `${publicUrl}/api/github/webhooks`, active: true },
    redirect_url: `${publicUrl}/setup/callback`,
    callback_urls: [`${publicUrl}/api/auth/github/callback`],
    // Where GitHub leads people who have installed the App, or have changed its repositories.
    setup_url: `${publicUrl}/setup/installed`,
    request_oauth_on_install: false,
  };
}
