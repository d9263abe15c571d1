import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { z } from 'zod';
import { matchesGlobs } from '../../text/globs.ts';
import { parseUrl } from '../../text/parse-url.ts';

/**
 * Domains below which anyone can have a host, at any depth, and which the Public Suffix List does not have, or only
 * parts of. Clouds put regions between the customer's name and their own.
 */
const UNLISTED = (
  '10web.site 4everland.app acquia-sites.com acsitefactory.com adaptable.app aliyuncs.com amazonaws.com amazonlightsail.com ' +
  'appdomain.cloud azure.com azurecontainerapps.io azureedge.net azurefd.net azurestaticapps.net azurewebsites.net b-cdn.net ' +
  'backblazeb2.com begin.app bunny.run cfapps.io chromatic.com clever-cloud.com cloudshell.dev cloudvent.net cloudwaysapps.com ' +
  'codesandbox.io coolify.io cyclic.app deta.app devtunnels.ms diploi.me edgeone.app edgeone.site edgio.link fastly.net fermyon.app ' +
  'fermyon.cloud fl0.io fleek.co flywheelsites.com flywheelstaging.com force.com gatsbyjs.io gigalixirapp.com github.dev ' +
  'gitlab-review.app gitpod.io glitch.me godaddysites.com googleusercontent.com gradio.live gtsb.io hashnode.dev herokudns.com ' +
  'hostingersite.com hs-sites.com instawp.co instawp.xyz jimdosite.com kinsta.app kinsta.cloud kinsta.page koyeb.app layer0.link ' +
  'lhr.life linode.com livecycle.run lndo.site loca.lt localtunnel.me mintlify.app mintlify.dev mybluemix.net myftpupload.com ' +
  'myqcloud.com neocities.org netlify.com netlify.live nhost.run nip.io okteto.dev ondemand.com openshiftapps.com ovh.net pinggy.io ' +
  'pinggy.link pipedream.net platform.sh playcode.io preevy.dev qovery.io railway.app readme.io readthedocs.build releasehub.com ' +
  'render.app render.com rtfd.io run.app salesforce-sites.com scalingo.io scw.cloud servd.dev serveo.net sevalla.app sevalla.page ' +
  'shipyard.host shopifypreview.com spinup.dev squarespace.com sslip.io stackblitz.io stormkit.app stormkit.dev super.site ' +
  'tastewp.com tcloudbaseapp.com tiiny.site tilda.ws traefik.me tugboat.qa tugboatqa.com uffizzi.com upsun.com v0.app ' +
  'vercel-storage.com vercel.sh wasabisys.com wasmer.dev webador.com webcontainer.io weebly.com weeblysite.com windows.net ' +
  'wordpress.com wpcomstaging.com wpengine.com xip.io zeabur.app zrok.io zyrosite.com'
).split(' ');

/** Patterns that are allowed below a domain that reserves a whole name for each customer. */
const WITH_NAMES: Readonly<Record<string, string>> = {
  'netlify.app': '*--your-project.netlify.app',
  'pages.dev': '*.your-project.pages.dev',
  'workers.dev': '*.your-account.workers.dev',
  'amplifyapp.com': '*.your-app-id.amplifyapp.com',
};

/** Hosts whose labels are a prefix, two dashes and the customer's name, which itself contains no two dashes. */
const SEPARATING = ['netlify.app'];

const PRIVATE = { allowPrivateDomains: true };

/** The domain that its owner registered, or got from a host such as `vercel.app`. Null: it is shared by many. */
function ownedDomain(hostname: string): string | null {
  return parse(hostname, PRIVATE).domain;
}

/** The part after the last star: the rest of its label, and the following labels. */
function afterStar(glob: string): { rest: string; domain: string } {
  const [rest = '', ...labels] = glob.slice(glob.lastIndexOf('*') + 1).split('.');
  return { rest, domain: labels.join('.') };
}

/** Whether all hosts with this ending belong to one customer. */
const isSeparated = (glob: string): boolean => {
  const { rest, domain } = afterStar(glob);
  const at = rest.lastIndexOf('--');
  return SEPARATING.includes(domain) && at !== -1 && at + 2 < rest.length;
};

const unlisted = (domain: string) => UNLISTED.find((each) => domain === each || domain.endsWith(`.${each}`));

function shared(domain: string): string {
  const pattern = WITH_NAMES[domain];
  const instead =
    pattern === undefined
      ? 'enter full host names, or use a domain of your own'
      : `enter a pattern with a whole name of yours, such as ${pattern}, or full host names`;
  return `could match hosts of other people, because anyone can have one below ${domain}: ${instead}`;
}

/** Why a stranger could have a host that this glob matches. Null: all of them belong to the owner of one domain. */
function sharedHostProblem(glob: string): string | null {
  if (!glob.includes('*')) {
    const { publicSuffix, isIcann } = parse(glob, PRIVATE);
    return isIcann === true && publicSuffix === glob ? 'must be a host below a domain of yours' : null;
  }
  const { domain } = afterStar(glob);
  if (domain === '' || /^\d+$/.test(domain.split('.').at(-1) ?? ''))
    return 'must end with a domain of yours, without *';
  if (isSeparated(glob)) return null;
  const known = unlisted(domain);
  if (known !== undefined) return shared(known);
  return ownedDomain(domain) === null ? shared(domain) : null;
}

/**
 * Whether a host that the glob matches is on the domain that the glob names. `*.example.com` is not, if hosts below
 * `apps.example.com` are given away.
 */
function isOnOwnDomain(glob: string, hostname: string): boolean {
  if (!glob.includes('*') || isSeparated(glob)) return true;
  return ownedDomain(hostname) === ownedDomain(afterStar(glob).domain);
}

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

/**
 * The globs that a stranger's host could match. None are saved any more, but the list of shared hosts grows with each
 * version. They are not used.
 */
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
