import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createClient } from './client.js';
import { startService } from './service.js';
import { showRealSite, showSampleSite } from './show.js';
import { startSite } from './site.js';

const USAGE = `Usage: npm run demo -- [--once] [https://site]

Starts Pixelgate with a database of its own in a temporary directory and drives it over its REST API.

  (no address)    use the sample site: capture baselines of "before", then run against "after"
  https://site    use a real site: crawl up to 20 pages, capture baselines, then run again
  --once          stop at the end, with exit code 0 if everything went as planned, else 1
  --help          show this help
`;
const MISUSED = 2;
const INTERRUPTED = 130;

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

const describe = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { once: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [site = null, ...more] = positionals;
  if (more.length > 0) throw new Error('The demo takes only one site.');
  if (site !== null && !/^https?:$/.test(URL.canParse(site) ? new URL(site).protocol : '')) {
    throw new Error(`${site} is not an http(s) URL. Use a form like https://example.com.`);
  }
  return { site, stopAtEnd: values.once === true, help: values.help === true };
}

/** @param {string | null} site @param {boolean} stopAtEnd @param {AbortSignal} signal @returns {Promise<number>} */
async function demonstrate(site, stopAtEnd, signal) {
  const startedAt = performance.now();
  const [service, before, after] = await Promise.all([startService(signal), startSite('before'), startSite('after')]);
  try {
    const client = createClient(service.url, signal);
    const account = { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
    ({ token: client.token } = await client.call('POST', '/auth/register', { ...account, name: 'Demo' }));
    say(`Pixelgate: ${service.url}`);
    const sites = { before: before.origin, after: after.origin };
    const { lines, problems, runId } = await (site === null
      ? showSampleSite(client, say, service.url, sites)
      : showRealSite(client, say, service.url, site));
    const link = new URL((await client.call('POST', '/auth/sign-in-link')).url);
    link.searchParams.set('next', `/runs/${runId}`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(['', ...lines, ''].join('\n'));
    say(
      problems.length === 0
        ? 'Everything went as planned.'
        : ['The demo did NOT go as planned:', ...problems].join('\n  '),
    );
    say(`It took ${seconds} s.\n`);
    say(`Review    ${link}`);
    say('          Open it in a browser to sign in. The link works once, for 15 minutes.');
    say(`Account   ${account.email}, password ${account.password} (to sign in later)`);
    say(`API docs  ${service.url}/api/docs`);
    say(`Token     curl -H 'Authorization: Bearer ${client.token}' ${service.url}/api/test-runs/${runId}`);
    if (!stopAtEnd) {
      say('\nPixelgate keeps running until you press Ctrl-C.');
      if (!signal.aborted) await once(signal, 'abort');
    }
    return problems.length === 0 ? 0 : 1;
  } finally {
    await Promise.all([service, before, after].map((each) => each.stop()));
  }
}

/** @param {string | null} site @param {boolean} stopAtEnd @returns {Promise<number>} the exit code */
async function run(site, stopAtEnd) {
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.on(name, () => (signal.aborted ? process.exit(INTERRUPTED) : interruption.abort()));
  }
  say('Starting Pixelgate with its own database ...');
  try {
    return await demonstrate(site, stopAtEnd, signal);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    say(`The demo failed: ${describe(error)}`);
    return 1;
  }
}

try {
  const { site, stopAtEnd, help } = readArguments();
  if (help) say(USAGE);
  else process.exitCode = await run(site, stopAtEnd);
} catch (error) {
  process.stderr.write(`${describe(error)}\n\n${USAGE}`);
  process.exitCode = MISUSED;
}
