import { parse } from 'tldts';

/**
 * Domains below which anyone can have a host, at any depth, and which the Public Suffix List does not have, or only
 * parts of. Clouds put regions between the customer's name and their own.
 */
const UNLISTED = [
  'adaptable.app',
  'amazonaws.com',
  'azure.com',
  'azurecontainerapps.io',
  'azureedge.net',
  'azurefd.net',
  'azurestaticapps.net',
  'b-cdn.net',
  'begin.app',
  'chromatic.com',
  'clever-cloud.com',
  'codesandbox.io',
  'coolify.io',
  'cyclic.app',
  'edgeone.app',
  'edgeone.site',
  'fastly.net',
  'fermyon.app',
  'fl0.io',
  'gigalixirapp.com',
  'github.dev',
  'gitpod.io',
  'glitch.me',
  'hashnode.dev',
  'kinsta.app',
  'kinsta.page',
  'koyeb.app',
  'lhr.life',
  'linode.com',
  'livecycle.run',
  'loca.lt',
  'localtunnel.me',
  'mintlify.app',
  'mintlify.dev',
  'neocities.org',
  'netlify.com',
  'nip.io',
  'okteto.dev',
  'pinggy.io',
  'pinggy.link',
  'platform.sh',
  'qovery.io',
  'railway.app',
  'readthedocs.build',
  'rtfd.io',
  'run.app',
  'scalingo.io',
  'serveo.net',
  'sevalla.app',
  'sevalla.page',
  'squarespace.com',
  'sslip.io',
  'stackblitz.io',
  'tiiny.site',
  'traefik.me',
  'uffizzi.com',
  'v0.app',
  'vercel.sh',
  'webcontainer.io',
  'windows.net',
  'wordpress.com',
  'wpengine.com',
  'xip.io',
  'zrok.io',
];

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
export function sharedHostProblem(glob: string): string | null {
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
export function isOnOwnDomain(glob: string, hostname: string): boolean {
  if (!glob.includes('*') || isSeparated(glob)) return true;
  return ownedDomain(hostname) === ownedDomain(afterStar(glob).domain);
}
