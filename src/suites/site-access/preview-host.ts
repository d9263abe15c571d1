import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { matchesGlobs } from '../../text/globs.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { isOnOwnDomain, sharedHostProblem } from './shared-domain.ts';

const NO_HOST = 'must be a host, without a scheme, a port or a path';
/** Anything else would end the host, be decoded, or be ignored when a host is converted. */
const TYPED = /^[^\s/\\?#@:%[\]]+$/;
const HOST = /^(\*\.)?[a-z0-9*]([a-z0-9*-]*[a-z0-9*])?(\.[a-z0-9*]([a-z0-9*-]*[a-z0-9*])?)*$/;

/** As a URL has it: in lower case, with Punycode, and without the dot that may end it. */
const toHostname = (typed: string) => domainToASCII(typed.replace(/\.$/, ''));

/** A glob of hosts that previews may have, such as `*--acme.netlify.app`. */
export const PreviewHost = z
  .string()
  .max(253, 'must have at most 253 characters')
  .trim()
  .regex(TYPED, { error: NO_HOST, abort: true })
  .transform(toHostname)
  .pipe(
    z
      .string()
      .regex(HOST, { error: NO_HOST, abort: true })
      .superRefine((glob, issues) => {
        const problem = sharedHostProblem(glob);
        if (problem !== null) issues.addIssue(problem);
      }),
  );

/** The globs that a stranger's host could match. They were saved before this was checked, and are not used. */
export const unsafeHosts = (globs: readonly string[]): string[] =>
  globs.filter((glob) => sharedHostProblem(glob) !== null);

/** Whether previews at this URL may get the access to the site. */
export function isPreviewHost(globs: readonly string[], address: string): boolean {
  const hostname = parseUrl(address)?.hostname;
  if (hostname === undefined) return false;
  return globs.some(
    (glob) => matchesGlobs([glob], hostname) && sharedHostProblem(glob) === null && isOnOwnDomain(glob, hostname),
  );
}
