import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Config } from '../../config.ts';

/** At the root of the package, from `src/github` as well as from `dist/github`. */
const FILE = new URL('../../../app.yml', import.meta.url);

/** What `app.yml` says. */
const AppFile = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
});
export type AppFile = z.output<typeof AppFile>;

const NAME_LENGTH = 34;

export async function readAppFile(): Promise<AppFile> {
  return AppFile.parse(parse(await readFile(FILE, 'utf8')));
}

/** Of a person, who grants them when they sign in: an installation does not have them. */
const PERSONAL = new Set(['emails']);

/** What an account grants when it installs the App. */
export function repositoryPermissions({ default_permissions: permissions }: AppFile): AppFile['default_permissions'] {
  return Object.fromEntries(Object.entries(permissions).filter(([name]) => !PERSONAL.has(name)));
}

/** App names are unique over all of GitHub, so ours carries the host. Whoever creates the App may change it. */
function nameFor(name: string, publicUrl: string): string {
  return `${name} ${new URL(publicUrl).hostname}`.slice(0, NAME_LENGTH).trim();
}

/** The manifest that GitHub creates the App from, with this service's addresses. */
export function manifestOf(app: AppFile, { publicUrl }: Pick<Config, 'publicUrl'>) {
  return {
    ...app,
    name: nameFor(app.name, publicUrl),
    url: publicUrl,
    hook_attributes: { url: `${publicUrl}/api/github/webhooks`, active: true },
    redirect_url: `${publicUrl}/setup/callback`,
    callback_urls: [`${publicUrl}/api/auth/github/callback`],
    request_oauth_on_install: false,
  };
}
