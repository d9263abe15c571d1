import { z } from 'zod';
import { matchesGlobs } from '../../text/globs.ts';

/** Domains below which anyone can have a host. */
const SHARED = [
  'vercel.app',
  'netlify.app',
  'pages.dev',
  'workers.dev',
  'onrender.com',
  'amplifyapp.com',
  'azurestaticapps.net',
  'herokuapp.com',
  'railway.app',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'surge.sh',
  'web.app',
  'firebaseapp.com',
  'ngrok.io',
  'ngrok-free.app',
  'ngrok.app',
  'trycloudflare.com',
];

const HOST = /^(\*\.)?[a-z0-9*]([a-z0-9*-]*[a-z0-9*])?(\.[a-z0-9*]([a-z0-9*-]*[a-z0-9*])?)*$/;

/** A domain and what is below it must be written out, or a stranger's host could match. */
function namesItsOwner(glob: string): boolean {
  if (!glob.includes('*')) return true;
  const shared = SHARED.find((domain) => glob.endsWith(`.${domain}`));
  if (shared !== undefined) {
    const [label = ''] = glob
      .slice(0, -shared.length - 1)
      .split('.')
      .toReversed();
    return /[a-z0-9]{3}/.test(label);
  }
  const labels = glob.split('.');
  return labels.length > 2 && labels.slice(-2).every((label) => !label.includes('*'));
}

/** A glob of hosts that previews may have, such as `docs-*-acme.vercel.app`. */
export const PreviewHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'must have at most 253 characters')
  .regex(HOST, 'must be a host, without a scheme, a port or a path')
  .refine(namesItsOwner, 'must include your own domain or project: other people could own a matching host');

/** Whether previews at this URL may get the access to the site. */
export function isPreviewHost(globs: readonly string[], address: string): boolean {
  return globs.length > 0 && URL.canParse(address) && matchesGlobs(globs, new URL(address).hostname);
}
