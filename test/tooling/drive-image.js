import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * `node test/tooling/drive-image.js URL`: waits for the service, has it capture a page in several scripts twice, the second
 * time changed, and approves the change. Ends with 1 when something is not as it should be, or takes more than two minutes.
 */

const [, , url] = process.argv;
const began = Date.now();
const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
setTimeout(() => {
  process.stderr.write('It took more than two minutes\n');
  process.exit(1);
}, 120_000).unref();

let color = 'navy';
const site = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(
    `<!doctype html><title>Page</title><h1 style="color:${color}">Latin Ελληνικά 日本語 العربية हिन्दी ไทย 👋</h1>`,
  );
});
site.listen(0, '127.0.0.1');
await once(site, 'listening');

let token = null;
async function call(method, path, body) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function run(suiteId) {
  const { testRunId } = await call('POST', `/test-suites/${suiteId}/run`);
  for (;;) {
    const answer = await call('GET', `/test-runs/${testRunId}`);
    if (!['PENDING', 'RUNNING'].includes(answer.status)) return answer;
    await sleep(200);
  }
}

function expect(what, is, should) {
  if (is !== should) throw new Error(`${what} is ${is}, not ${should}`);
}

const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isReady())) await sleep(100);
process.stdout.write(`ready after ${seconds()} s\n`);

({ token } = await call('POST', '/auth/register', { email: 'ada@example.com', password: 'correct horse battery' }));
const baseUrl = `http://127.0.0.1:${site.address().port}`;
const suite = await call('POST', '/test-suites', { name: 'Image', baseUrl, config: { recrawlInterval: 'off' } });
await call('POST', `/test-suites/${suite.id}/pages`, { path: '/' });
const first = await run(suite.id);
expect('the first run', first.status, 'COMPLETED');
expect('its errors', first.metadata.errorTests, 0);
color = 'crimson';
const second = await run(suite.id);
expect('the gate of the second run', second.reviewState, 'PENDING');
await call('POST', `/test-runs/${second.id}/approve-visuals`);
expect('the gate after the approval', (await call('GET', `/test-runs/${second.id}`)).reviewState, 'APPROVED');
const { pathname, search } = new URL(second.pageResults[0].currentFile, url);
const image = await fetch(url + pathname + search, { headers: { authorization: `Bearer ${token}` } });
expect('the answer with its screenshot', image.status, 200);
const sha256 = createHash('sha256')
  .update(Buffer.from(await image.arrayBuffer()))
  .digest('hex');
process.stdout.write(`its screenshot has the hash ${sha256}\n`);
process.stdout.write(`captured, compared and approved after ${seconds()} s\n`);
site.close();
